package redistest

import (
	"net"
	"sync"
	"testing"
)

// Proxy is a TCP proxy in front of a server, which counts the commands that
// clients send and disturbs connections, requests or replies as told. It dials
// the server for a client's connection when it first has something to forward.
//
// Requests and replies are paired by their order. What a server sends unasked is
// passed on beside them; a subscription to several channels at once, which is
// answered several times, is beyond that pairing.
//
// Inject, Heal and the methods that wait belong to the test's goroutine; all
// others are safe for concurrent use.
type Proxy struct {
	t           testing.TB
	target      string
	addr        string
	releasePort func()

	received, fired         tally // commands by name; faults by kind
	fromClients, toServer   meter
	fromServer, toClients   meter
	accepted                meter
	listening, conversation sync.WaitGroup

	mu       sync.Mutex // guards what follows; never held across a wait
	plan     *plan
	relays   map[*relay]struct{}
	listener net.Listener // nil while connections are refused
}

// Traffic is what has passed through a [Proxy]. Bytes count on each side for
// itself: what a fault keeps back was received and not sent on.
type Traffic struct {
	Connections                                  int64
	FromClients, ToServer, FromServer, ToClients int64
}

// StartProxy starts a proxy in front of target, a host and port, which need
// not be reachable yet. It ends with the test, and with it its connections.
func StartProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	port, release, err := bindHolder()
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{
		t: t, target: target, addr: loopback(port), releasePort: release,
		plan: &plan{ended: make(chan struct{})}, relays: make(map[*relay]struct{}),
	}
	t.Cleanup(p.close)
	if err := p.listen(); err != nil {
		t.Fatal(err)
	}
	return p
}

// Addr returns "127.0.0.1:port".
func (p *Proxy) Addr() string { return p.addr }

// Count returns how many commands called name, in upper case, clients have
// sent in full or up to where a fault stopped them.
func (p *Proxy) Count(name string) int { return p.received.count(name) }

// Counts returns the counts of all commands.
func (p *Proxy) Counts() map[string]int { return p.received.all() }

// Traffic returns what has passed so far.
func (p *Proxy) Traffic() Traffic {
	return Traffic{
		Connections: p.accepted.Load(),
		FromClients: p.fromClients.Load(), ToServer: p.toServer.Load(),
		FromServer: p.fromServer.Load(), ToClients: p.toClients.Load(),
	}
}

// WaitForCommand waits until n commands called name have been sent. It may be
// so before the server has seen the last of them.
func (p *Proxy) WaitForCommand(name string, n int) {
	p.t.Helper()
	if !p.received.await(name, n) {
		p.t.Fatalf("redistest: waited for %d %s, have seen %v", n, name, p.Counts())
	}
}

// WaitForFault waits until faults of a kind have hit n times. A fault of
// replies hits when the server has answered, so it has executed the command;
// Refuse is not counted.
func (p *Proxy) WaitForFault(kind Kind, n int) {
	p.t.Helper()
	if !p.fired.await(kind.String(), n) {
		p.t.Fatalf("redistest: waited for %d %v, have seen %v", n, kind, p.fired.all())
	}
}
