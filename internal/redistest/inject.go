package redistest

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
)

// Inject replaces whatever was injected before by faults, of which the first
// that is due for a command hits it; none is [Proxy.Heal]. It fails the test,
// with a [*FaultError], when one makes no sense.
//
// Connections that a fault has silenced or ended stay so.
func (p *Proxy) Inject(faults ...Fault) {
	p.t.Helper()
	next, err := newPlan(faults)
	if err != nil {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	last := p.plan
	p.plan = next
	p.mu.Unlock()
	close(last.ended)

	kind := next.ofConnections()
	switch kind {
	case Refuse:
		p.stopListening()
		p.ResetConnections()
	case HalfOpen:
		for _, r := range p.openRelays() {
			r.halfOpen()
		}
	}
	if kind != Refuse {
		if err := p.listen(); err != nil {
			p.t.Fatal(err)
		}
	}
}

// Heal lets everything pass again and releases what is held.
func (p *Proxy) Heal() {
	p.t.Helper()
	p.Inject()
}

// CloseConnections closes all open connections in order, as a server does that
// shuts down; new ones are accepted.
func (p *Proxy) CloseConnections() {
	for _, r := range p.openRelays() {
		r.finish()
	}
}

// ResetConnections resets all open connections; new ones are accepted.
func (p *Proxy) ResetConnections() {
	for _, r := range p.openRelays() {
		r.abort(true)
	}
}

// listen opens the port unless it is open.
func (p *Proxy) listen() error {
	p.mu.Lock()
	open := p.listener != nil
	p.mu.Unlock()
	if open {
		return nil
	}
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp", p.addr)
	if err != nil {
		return fmt.Errorf("redistest: %w", err)
	}
	p.mu.Lock()
	p.listener = listener
	p.mu.Unlock()
	p.listening.Go(func() { p.accept(listener) })
	return nil
}

// stopListening closes the port and returns when no connection can be accepted
// any more.
func (p *Proxy) stopListening() {
	p.mu.Lock()
	listener := p.listener
	p.listener = nil
	p.mu.Unlock()
	if listener != nil {
		_ = listener.Close()
	}
	p.listening.Wait()
}

// accept serves connections until the listener is closed.
func (p *Proxy) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		p.accepted.Add(1)
		ctx, cancel := context.WithCancel(context.Background())
		r := newRelay(p, conn.(*net.TCPConn), cancel)
		p.mu.Lock()
		plan := p.plan
		p.relays[r] = struct{}{}
		p.mu.Unlock()
		switch plan.ofConnections() {
		case ResetOnConnect:
			r.abort(true)
			p.fired.add(ResetOnConnect.String())
		case HalfOpen:
			r.halfOpen()
		}
		p.conversation.Go(func() {
			r.run(ctx)
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(p.relays, r)
		})
	}
}

// close ends everything the proxy has started.
func (p *Proxy) close() {
	p.stopListening()
	p.ResetConnections()
	p.conversation.Wait()
	p.releasePort()
}

func (p *Proxy) openRelays() []*relay {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Keys(p.relays))
}

func (p *Proxy) currentPlan() *plan {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.plan
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
