package servers_test

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
)

// switchboard connects a client with the server that it is pointed at, as a virtual address or a proxy does.
type switchboard struct {
	addr atomic.Value // a string

	mu    sync.Mutex // guards conns
	conns []net.Conn
}

func newSwitchboard(addr string) *switchboard {
	s := new(switchboard)
	s.addr.Store(addr)
	return s
}

// client is a client that the switchboard connects.
func (s *switchboard) client(t testing.TB, options *redis.Options) *redis.Client {
	options.Dialer = func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		addr, _ := s.addr.Load().(string)
		conn, err := d.DialContext(ctx, "tcp", addr)
		if err == nil {
			s.mu.Lock()
			s.conns = append(s.conns, conn)
			s.mu.Unlock()
		}
		return conn, err
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// point sends everybody to another server and cuts the connections to the last.
func (s *switchboard) point(addr string) {
	s.addr.Store(addr)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, conn := range s.conns {
		_ = conn.Close()
	}
	s.conns = nil
}
