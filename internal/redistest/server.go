package redistest

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Server is a redis-server that lives as long as a test. Its methods fail the
// test when they do not succeed and are to be called from the test's own
// goroutine; Addr, URL and ClientOptions may be called from any.
type Server struct {
	t       testing.TB
	process *Process
}

// Start starts a redis-server for t, or skips or fails t where there is none,
// see [Require]. It takes some ten milliseconds.
func Start(t testing.TB, opts Options) *Server {
	t.Helper()
	Require(t)
	process, err := StartProcess(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := process.Stop(); err != nil {
			t.Error(err)
		}
	})
	return Attach(t, process)
}

// Attach returns p for the use of t: what is derived from it ends with t, and
// failures are t's. The process goes on. It is for tests and subtests that
// share one server.
func Attach(t testing.TB, p *Process) *Server { return &Server{t: t, process: p} }

// Addr returns "127.0.0.1:port", the same across restarts.
func (s *Server) Addr() string { return s.process.Addr() }

// URL returns a redis:// URL of database 0, with the password if there is one.
func (s *Server) URL() string { return s.process.URL() }

// Process returns the server's process, for its directory and process id.
func (s *Server) Process() *Process { return s.process }

// Kill ends the server as kill -9 does and returns when it is gone.
func (s *Server) Kill() {
	s.t.Helper()
	s.must(s.process.Kill())
}

// Restart starts the server again, killing it first if it still runs, on the
// same port and in the same directory.
func (s *Server) Restart() {
	s.t.Helper()
	s.must(s.process.Restart(context.Background()))
}

// Pause suspends the server until Resume: connections stay open and new ones
// are accepted by the kernel, nothing is answered.
func (s *Server) Pause() {
	s.t.Helper()
	s.must(s.process.Pause())
}

// Resume ends a Pause.
func (s *Server) Resume() {
	s.t.Helper()
	s.must(s.process.Resume())
}

// ClientOptions returns [ClientOptions] for this server, with its password and,
// where it speaks TLS, trust in its authority.
func (s *Server) ClientOptions() *redis.Options {
	opts := ClientOptions(s.Addr())
	if authority := s.process.opts.Authority; authority != nil {
		opts.TLSConfig = authority.ClientConfig()
	}
	opts.Password = s.process.opts.Password
	return opts
}

// Client returns a new client with [Server.ClientOptions], closed when the
// test ends.
func (s *Server) Client() *redis.Client {
	client := redis.NewClient(s.ClientOptions())
	closeAtEnd(s.t, client)
	return client
}

func (s *Server) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}
