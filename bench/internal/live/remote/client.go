package remote

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

const dialWait = 5 * time.Second

// ErrLost says that the connection to the source has ended, which in a run means that the source has.
var ErrLost = errors.New("source: connection lost")

// Client is how one process asks the source: a [contender.Source] over a few connections that any number of calls share.
type Client struct {
	// Deaf makes Load look at no context, as some drivers do: it returns when the source answers or the client is closed.
	Deaf bool

	lines   []*line
	next    atomic.Uint64
	running sync.WaitGroup
}

// line is a connection and the calls that wait on it.
type line struct {
	*link
	mu    sync.Mutex
	calls map[uint64]chan answer
}

// Dial connects to a source; the caller closes the client.
func Dial(ctx context.Context, addr string, connections int) (*Client, error) {
	c := new(Client)
	for range connections {
		dialer := net.Dialer{Timeout: dialWait}
		conn, err := dialer.DialContext(ctx, "tcp", addr)
		if err != nil {
			c.Close()
			return nil, fmt.Errorf("source: %w", err)
		}
		l := &line{link: newLink(conn), calls: make(map[uint64]chan answer)}
		l.out <- []byte(greeting)
		c.lines = append(c.lines, l)
		c.running.Go(l.write)
		c.running.Go(l.read)
	}
	return c, nil
}

// Close ends the connections; calls under way fail with [ErrLost].
func (c *Client) Close() {
	for _, l := range c.lines {
		l.end()
	}
	c.running.Wait()
}

// Load asks for a row. When its context ends it returns, and tells the source that nobody waits any more.
func (c *Client) Load(ctx context.Context, key uint64) (contender.Row, error) {
	call := c.next.Add(1)
	l := c.lines[call%uint64(len(c.lines))]
	reply := make(chan answer, 1)
	l.mu.Lock()
	l.calls[call] = reply
	l.mu.Unlock()
	defer l.forget(call)
	gone := ctx.Done()
	if c.Deaf {
		gone = nil
	}
	if !l.send(request{operationLoad, call, key}.append(nil)) {
		return contender.Row{}, ErrLost
	}
	select {
	case a := <-reply:
		return a.outcome()
	case <-gone:
		l.send(request{operationLeft, call, key}.append(nil))
		return contender.Row{}, ctx.Err()
	case <-l.ended:
		return contender.Row{}, ErrLost
	}
}

func (l *line) forget(call uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.calls, call)
}

// read hands out the answers until the connection ends.
func (l *line) read() {
	defer l.end()
	in := bufio.NewReaderSize(l.conn, 64<<10)
	for {
		a, err := readAnswer(in)
		if err != nil {
			return
		}
		l.mu.Lock()
		reply := l.calls[a.call]
		delete(l.calls, a.call)
		l.mu.Unlock()
		if reply != nil { // else its caller has left
			reply <- a
		}
	}
}
