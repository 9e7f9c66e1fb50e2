package redistest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"syscall"
)

// replies copies replies to the client until the server's side ends or a
// fault ends it.
func (r *relay) replies(ctx context.Context, server *meteredConn) {
	in := bufio.NewReader(server)
	out := bufio.NewWriter(r.client)
	for {
		kind, err := in.Peek(1)
		if err == nil {
			err = r.deliver(ctx, r.next(kind[0]), out, in)
		}
		if err != nil {
			r.serverEnded(err)
			return
		}
	}
}

// deliver copies one reply, or does to it what h says. An error ends the flow;
// errCut says that a fault has seen to that.
func (r *relay) deliver(ctx context.Context, h *hit, out *bufio.Writer, in *bufio.Reader) error {
	if h == nil {
		return passReply(out, in)
	}
	switch h.Kind {
	case Delay, Hold:
		if err := r.pause(ctx, h); err != nil {
			return err
		}
		return passReply(out, in)
	case SwallowAndKeep:
		err := copyReply(io.Discard, in)
		r.proxy.fired.add(h.Kind.String())
		return err
	case SwallowAndClose:
		_ = copyReply(io.Discard, in)
		r.finish()
	case ResetBeforeReply:
		r.abort(true)
	case ResetMidReply, Truncate:
		stop := &gateWriter{Writer: out, left: h.Bytes, gate: func() error { return errCut }}
		_ = copyReply(stop, in)
		_ = out.Flush()
		if h.Kind == Truncate {
			r.finish()
		} else {
			r.abort(true)
		}
	}
	r.proxy.fired.add(h.Kind.String())
	return errCut
}

// passReply copies one reply, and everything from where there is no reply to
// be found.
func passReply(out *bufio.Writer, in *bufio.Reader) error {
	err := copyReply(out, in)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	if errors.Is(err, errNotRESP) {
		if _, err = io.Copy(flusher{out}, in); err == nil {
			err = io.EOF
		}
	}
	return err
}

// serverEnded passes the end of the server's side on to the client, as the
// same kind of end, unless the client is not to know.
func (r *relay) serverEnded(err error) {
	r.mu.Lock()
	silent := r.silent
	r.mu.Unlock()
	switch {
	case silent || errors.Is(err, errCut):
	case errors.Is(err, syscall.ECONNRESET):
		r.abort(true)
	default:
		r.finish()
	}
}

// flusher writes through a buffer at once.
type flusher struct{ *bufio.Writer }

func (f flusher) Write(b []byte) (int, error) {
	n, err := f.Writer.Write(b)
	return n, errors.Join(err, f.Flush())
}

// ReadFrom hides the one of the buffer, which flushes only when it is full.
func (f flusher) ReadFrom(src io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{f}, src)
}
