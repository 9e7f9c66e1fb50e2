package remote

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
)

// Server is the source. Its methods are safe for concurrent use.
type Server struct {
	model    Model
	onCall   func(key uint64, at time.Time)
	listener net.Listener
	counts   atomic.Pointer[measure.Collector]
	refused  atomic.Int64
	ended    chan struct{}
	running  sync.WaitGroup

	mu      sync.Mutex
	fault   *fault
	queue   []*load
	head    int
	working int
	turns   map[uint64]uint64 // by key: how many loads there were
	links   map[*link]struct{}
}

// fault is one that lasts until over is closed.
type fault struct {
	Fault
	over chan struct{}
}

// Serve starts a source on a free loopback port. onCall, unless nil, is told of every load as it arrives, on a goroutine of the server. The caller
// closes it.
func Serve(model Model, onCall func(key uint64, at time.Time)) (*Server, error) {
	switch {
	case model.Slots < 1:
		return nil, fmt.Errorf("source: Slots is %d, must be at least 1", model.Slots)
	case model.Mean <= 0:
		return nil, fmt.Errorf("source: Mean is %v, must be above 0", model.Mean)
	case model.BodyBytes < 0 || model.BodyBytes > maxBodyBytes:
		return nil, fmt.Errorf("source: BodyBytes is %d, must be 0 to %d", model.BodyBytes, maxBodyBytes)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	if onCall == nil {
		onCall = func(uint64, time.Time) {}
	}
	s := &Server{
		model: model, onCall: onCall, listener: listener, ended: make(chan struct{}),
		fault: &fault{over: make(chan struct{})}, turns: make(map[uint64]uint64), links: make(map[*link]struct{}),
	}
	s.running.Go(s.accept)
	return s, nil
}

// Addr is where the source listens.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Count makes a collector count from now on what happens at the source; nil counts nothing.
func (s *Server) Count(counts *measure.Collector) { s.counts.Store(counts) }

// Refused is how many connections were ended because of what came over them.
func (s *Server) Refused() int64 { return s.refused.Load() }

// Set makes something wrong, or nothing any more. Loads that hung because of what was wrong before go on.
func (s *Server) Set(now Fault) {
	s.mu.Lock()
	before := s.fault
	s.fault = &fault{now, make(chan struct{})}
	s.mu.Unlock()
	close(before.over)
}

// Close ends the source and everything that it works on, and returns when all of it has ended.
func (s *Server) Close() error {
	s.mu.Lock()
	select {
	case <-s.ended:
		s.mu.Unlock()
		return nil
	default:
	}
	close(s.ended)
	links := make([]*link, 0, len(s.links))
	for l := range s.links {
		links = append(links, l)
	}
	s.mu.Unlock()
	err := s.listener.Close()
	for _, l := range links {
		l.end()
	}
	s.running.Wait()
	return err
}

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return // closed, for a listener on loopback has no other reason that passes
		}
		l := newLink(conn)
		s.mu.Lock()
		select {
		case <-s.ended:
			l.end()
		default:
			s.links[l] = struct{}{}
			s.running.Go(func() { s.serve(l) })
			s.running.Go(l.write)
		}
		s.mu.Unlock()
	}
}
