package redistest

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// requests copies requests to the server until the client sends no more.
func (r *relay) requests(ctx context.Context) {
	in := bufio.NewReader(r.client)
	for {
		req, err := readRequest(in)
		if err == nil {
			req.head, err = nil, r.forward(ctx, req, in)
		}
		switch {
		case errors.Is(err, errNotRESP):
			out := flusher{r.sink(ctx)} // takes everything
			_, _ = out.Write(req.head)
			_, _ = io.Copy(out, in)
			return
		case err != nil:
			return
		}
	}
}

// sink returns where requests go: to the server, or nowhere. It never fails.
func (r *relay) sink(ctx context.Context) *bufio.Writer {
	server := r.connect(ctx)
	if server == nil {
		return bufio.NewWriter(io.Discard)
	}
	return bufio.NewWriter(&lossyWriter{Writer: server})
}

// forward copies one request, or does to it what the plan says. An error means
// that no request can follow.
func (r *relay) forward(ctx context.Context, req request, in *bufio.Reader) error {
	if req.name == "" {
		return r.send(r.sink(ctx), req, in, func() {})
	}
	h := r.proxy.currentPlan().hit(req.name)
	if h == nil || h.Kind.ofReplies() {
		return r.send(r.sink(ctx), req, in, func() {
			r.expect(h)
			r.proxy.received.add(req.name)
		})
	}
	switch h.Kind {
	case BlackHole:
		r.part(true)
		return r.send(bufio.NewWriter(io.Discard), req, in, func() {
			r.proxy.received.add(req.name)
			r.proxy.fired.add(h.Kind.String())
		})
	case Cut:
		r.proxy.received.add(req.name)
		r.cut()
		r.proxy.fired.add(h.Kind.String())
		return r.send(bufio.NewWriter(io.Discard), req, in, func() {})
	default:
		return r.interrupt(ctx, req, in, h)
	}
}

// cut closes the connection once the requests before have been answered.
func (r *relay) cut() {
	r.mu.Lock()
	connected := r.server != nil
	r.mu.Unlock()
	if connected {
		r.endRequests() // the server's end is passed on to the client
	} else {
		r.finish()
	}
}

// send copies a request to out. It calls whole when the request was read in
// full and the server can not have acted on it yet.
func (r *relay) send(out *bufio.Writer, req request, in *bufio.Reader, whole func()) error {
	_, _ = out.Write(req.head)
	if err := copyArgs(out, in, req.args); err != nil {
		return errors.Join(err, out.Flush())
	}
	whole()
	_, _ = out.WriteString(crlf)
	return out.Flush()
}

// interrupt stops a request on its way, for good or until it is released.
func (r *relay) interrupt(ctx context.Context, req request, in *bufio.Reader, h *hit) error {
	out := r.sink(ctx)
	gate := &gateWriter{Writer: out, left: h.Bytes, gate: func() error {
		_ = out.Flush()
		r.proxy.received.add(req.name)
		if h.Kind == StallRequest {
			return r.pause(ctx, h)
		}
		r.abort(true)
		r.proxy.fired.add(h.Kind.String())
		return errCut
	}}
	if _, err := gate.Write(req.head); err != nil {
		return err
	}
	if err := copyArgs(gate, in, req.args); err != nil {
		return err
	}
	if err := gate.close(); err != nil { // shorter than what may pass: not its end
		return err
	}
	r.expect(nil)
	_, _ = out.WriteString(crlf)
	return out.Flush()
}
