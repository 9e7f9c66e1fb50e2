package redistest

import (
	"context"
	"net"
	"sync"
	"time"
)

// relay is one client's connection and, from the first forwarded request on,
// one to the server. Requests are copied by run's goroutine, replies by a
// second one.
type relay struct {
	proxy  *Proxy
	client meteredConn

	gone     chan struct{} // closed when the client sends no more
	cancel   func()        // ends the context of run; called by abort
	replying sync.WaitGroup

	mu      sync.Mutex // guards what follows; never held across a wait
	server  *meteredConn
	pending []*hit // one for each reply still to come, nil for an undisturbed one
	deaf    bool   // no request reaches the server any more
	silent  bool   // the client is not told when the server's side ends
}

func newRelay(proxy *Proxy, client *net.TCPConn, cancel func()) *relay {
	return &relay{
		proxy:  proxy,
		client: meteredConn{client, &proxy.fromClients, &proxy.toClients},
		gone:   make(chan struct{}),
		cancel: cancel,
	}
}

// run serves the connection until both sides are done with it or abort is
// called, which ends ctx.
func (r *relay) run(ctx context.Context) {
	r.requests(ctx)
	close(r.gone)
	r.endRequests()
	r.replying.Wait()
	r.abort(false)
}

// connect returns the connection to the server, dialling it at first use, or
// nil when no request is to reach it. A client is not told more than a reset
// when the server cannot be dialled.
func (r *relay) connect(ctx context.Context) *meteredConn {
	r.mu.Lock()
	server, deaf := r.server, r.deaf
	r.mu.Unlock()
	switch {
	case deaf:
		return nil
	case server != nil:
		return server
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", r.proxy.target)
	if err != nil {
		r.abort(true)
		return nil
	}
	server = &meteredConn{conn.(*net.TCPConn), &r.proxy.fromServer, &r.proxy.toServer}
	r.mu.Lock()
	r.server, deaf = server, r.deaf
	r.mu.Unlock()
	if deaf { // became so during the dial
		_ = server.Close()
		return nil
	}
	r.replying.Go(func() { r.replies(ctx, server) })
	return server
}

// expect notes that a reply is to come and what is to happen to it.
func (r *relay) expect(h *hit) {
	if h != nil && !h.Kind.ofReplies() {
		h = nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.deaf {
		r.pending = append(r.pending, h)
	}
}

// next returns what is to happen to the reply that begins with kind. What the
// server sends unasked is no reply.
func (r *relay) next(kind byte) *hit {
	r.mu.Lock()
	defer r.mu.Unlock()
	if kind == '>' || len(r.pending) == 0 {
		return nil
	}
	h := r.pending[0]
	r.pending = r.pending[1:]
	return h
}

// pause waits until h is released, or for its delay. An error means that there
// is nothing to go on with.
func (r *relay) pause(ctx context.Context, h *hit) error {
	r.proxy.fired.add(h.Kind.String())
	ended, after := h.ended, (<-chan time.Time)(nil)
	if h.Kind == Delay {
		timer := time.NewTimer(h.Delay)
		defer timer.Stop()
		ended, after = nil, timer.C
	}
	select {
	case <-after:
	case <-h.Until:
	case <-ended:
	case <-r.gone:
		return errCut
	case <-ctx.Done():
		return errCut
	}
	return nil
}

// part ends the flow of requests and returns the server's side, if there is
// one. With silent the client will not learn of that side's end.
func (r *relay) part(silent bool) *meteredConn {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deaf = true
	r.silent = r.silent || silent
	return r.server
}

// halfOpen closes the server's side behind the client's back.
func (r *relay) halfOpen() {
	if server := r.part(true); server != nil {
		_ = server.Close()
	}
	r.proxy.fired.add(HalfOpen.String())
}

// endRequests tells the server that nothing follows. It still executes and
// answers what it was sent.
func (r *relay) endRequests() {
	if server := r.part(false); server != nil {
		_ = server.CloseWrite()
	}
}

// finish closes the connection in order: the client sees the end after what it
// was sent. What it sends meanwhile is read and lost; left unread, it would
// turn the close into a reset.
func (r *relay) finish() {
	if server := r.part(false); server != nil {
		_ = server.Close()
	}
	_ = r.client.CloseWrite()
}

// abort closes both sides at once, the client's with a reset if so wanted.
func (r *relay) abort(reset bool) {
	if server := r.part(true); server != nil {
		_ = server.Close()
	}
	if reset {
		r.client.reset()
	} else {
		_ = r.client.Close()
	}
	r.cancel()
}
