package redistest

import (
	"bufio"
	"errors"
	"net"
	"sync"
	"testing"
)

// Handler answers one command with the bytes of its reply, sound or not; args
// are the command's name as it was sent and its arguments, for the call's
// duration alone. An empty answer is silence, nil closes the connection. Each
// connection calls from a goroutine of its own.
type Handler func(args [][]byte) (reply []byte)

// Stub is a server that answers as a test scripts it. Its methods are safe for
// concurrent use, but WaitForCommand belongs to the test's goroutine.
type Stub struct {
	t         testing.TB
	listener  net.Listener
	handler   Handler
	handshake bool
	received  tally
	serving   sync.WaitGroup

	mu     sync.Mutex            // guards what follows
	conns  map[net.Conn]struct{} // the open ones
	closed bool
}

// StartStub starts a stub that ends with the test. HELLO is counted and
// answered as an unknown command, upon which clients fall back to protocol 2;
// everything else is up to handler.
func StartStub(t testing.TB, handler Handler) *Stub {
	t.Helper()
	return startStub(t, handler, false)
}

// StartBareStub is StartStub for a handler which answers HELLO as well.
func StartBareStub(t testing.TB, handler Handler) *Stub {
	t.Helper()
	return startStub(t, handler, true)
}

func startStub(t testing.TB, handler Handler, handshake bool) *Stub {
	t.Helper()
	listener, err := net.Listen("tcp", loopback(0))
	if err != nil {
		t.Fatal(err)
	}
	s := &Stub{t: t, listener: listener, handler: handler, handshake: handshake, conns: make(map[net.Conn]struct{})}
	s.serving.Go(s.accept)
	t.Cleanup(s.close)
	return s
}

// Addr returns "127.0.0.1:port".
func (s *Stub) Addr() string { return s.listener.Addr().String() }

// Count returns how many commands called name, in upper case, have come.
func (s *Stub) Count(name string) int { return s.received.count(name) }

// Counts returns the counts of all commands.
func (s *Stub) Counts() map[string]int { return s.received.all() }

// WaitForCommand waits until n commands called name have come.
func (s *Stub) WaitForCommand(name string, n int) {
	s.t.Helper()
	if !s.received.await(name, n) {
		s.t.Fatalf("redistest: waited for %d %s, have seen %v", n, name, s.Counts())
	}
}

func (s *Stub) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		if !s.keep(conn) {
			continue
		}
		s.serving.Go(func() {
			defer s.drop(conn)
			s.converse(conn)
		})
	}
}

// converse answers commands until the client or the handler ends it.
func (s *Stub) converse(conn net.Conn) {
	in := bufio.NewReader(conn)
	for {
		args, err := readCommand(in)
		if errors.Is(err, errNotRESP) {
			s.t.Errorf("redistest: the stub was sent what is no command")
		}
		if err != nil {
			return
		}
		if len(args) == 0 {
			continue
		}
		name := string(args[0])
		s.received.add(name)
		reply := unknownCommand(name)
		if name != "HELLO" || s.handshake {
			reply = s.handler(args)
		}
		if reply == nil {
			return
		}
		if _, err := conn.Write(reply); err != nil {
			return
		}
	}
}

// keep notes an open connection, unless the stub is closing.
func (s *Stub) keep(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = conn.Close()
		return false
	}
	s.conns[conn] = struct{}{}
	return true
}

func (s *Stub) drop(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
	_ = conn.Close()
}

func (s *Stub) close() {
	_ = s.listener.Close()
	s.mu.Lock()
	s.closed = true
	for conn := range s.conns {
		_ = conn.Close()
	}
	s.mu.Unlock()
	s.serving.Wait()
}
