package postgres_test

import (
	"bytes"
	"net"
	"sync"
	"testing"
)

// relay stands between a pool and the server, loses an answer, and goes away.
type relay struct {
	target   string
	listener net.Listener
	running  sync.WaitGroup

	mu    sync.Mutex // guards what follows
	armed bool       // the answer to the next statement of the store is lost
	conns map[net.Conn]struct{}
}

func startRelay(t testing.TB, target string) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{target: target, listener: listener, conns: map[net.Conn]struct{}{}}
	r.running.Go(r.accept)
	t.Cleanup(func() {
		r.leave()
		r.running.Wait()
	})
	return r
}

func (r *relay) addr() string { return r.listener.Addr().String() }

func (r *relay) loseAnswer() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.armed = true
}

// leave closes the port and every connection.
func (r *relay) leave() {
	_ = r.listener.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	for conn := range r.conns {
		_ = conn.Close()
	}
}

func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", r.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		r.keep(client, server)
		lost := make(chan struct{})
		r.running.Go(func() { r.requests(client, server, sync.OnceFunc(func() { close(lost) })) })
		r.running.Go(func() { r.answers(client, server, lost) })
	}
}

func (r *relay) keep(conns ...net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, conn := range conns {
		r.conns[conn] = struct{}{}
	}
}

// due tells whether the answer to a request is to be lost: that of the first statement of the store since the relay was armed.
func (r *relay) due(request []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.armed || !bytes.Contains(request, []byte("clock_timestamp")) {
		return false
	}
	r.armed = false
	return true
}

func (r *relay) requests(client, server net.Conn, lose func()) {
	defer server.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if n > 0 {
			if r.due(buffer[:n]) {
				lose()
			}
			if _, err := server.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (r *relay) answers(client, server net.Conn, lost <-chan struct{}) {
	defer client.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := server.Read(buffer)
		if err != nil {
			return
		}
		select {
		case <-lost:
			return // the server has answered, so it has done it
		default:
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}
