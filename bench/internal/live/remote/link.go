package remote

import (
	"bufio"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

const (
	greetingWait = 5 * time.Second
	outgoing     = 1024 // frames that may wait for their turn on a connection
)

// link is one end of a connection: whoever has a frame hands it to the one goroutine that writes.
type link struct {
	conn  net.Conn
	out   chan []byte
	ended chan struct{}
	once  sync.Once

	loads map[uint64]*load // at the server's end, by call; guarded by the server's lock
}

func newLink(conn net.Conn) *link {
	return &link{conn: conn, out: make(chan []byte, outgoing), ended: make(chan struct{}), loads: make(map[uint64]*load)}
}

func (l *link) end() {
	l.once.Do(func() {
		close(l.ended)
		_ = l.conn.Close() // whatever became of it, nobody reads or writes any more
	})
}

// send waits for room and tells whether the frame is on its way.
func (l *link) send(frame []byte) bool {
	select {
	case l.out <- frame:
		return true
	case <-l.ended:
		return false
	}
}

// write sends what is handed over until the link ends, several frames at a time where they are there.
func (l *link) write() {
	defer l.end()
	buffered := bufio.NewWriter(l.conn)
	for {
		select {
		case frame := <-l.out:
			if _, err := buffered.Write(frame); err != nil {
				return
			}
		case <-l.ended:
			return
		}
		if len(l.out) == 0 && buffered.Flush() != nil {
			return
		}
	}
}

// serve reads what one client asks.
func (s *Server) serve(l *link) {
	defer s.forget(l)
	_ = l.conn.SetReadDeadline(time.Now().Add(greetingWait))
	var said [len(greeting)]byte
	if _, err := io.ReadFull(l.conn, said[:]); err != nil || string(said[:]) != greeting {
		s.refused.Add(1)
		return
	}
	_ = l.conn.SetReadDeadline(time.Time{})
	in := bufio.NewReader(l.conn)
	for {
		r, err := readRequest(in)
		if err != nil {
			if errors.Is(err, ErrFrame) {
				s.refused.Add(1)
			}
			return
		}
		if r.operation == operationLeft {
			s.leave(l, r.call)
			continue
		}
		if !s.arrive(l, r) {
			s.refused.Add(1)
			return
		}
	}
}

// forget ends a link and lets go of what was asked over it.
func (s *Server) forget(l *link) {
	l.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.links, l)
	for call, work := range l.loads {
		delete(l.loads, call)
		close(work.left)
	}
}
