package redisadapter

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"
)

const (
	breakerThreshold = 3
	breakerPause     = time.Second
)

// Breaker answers at once for a server that does not answer. Three failures in a row open it: failed dials, timeouts, broken connections, and a
// server that is loading, down, or full. A wait for a connection, the caller's own context and refused writes tell it nothing, and any answer of
// the server starts the count anew. While it is open, every lookup is [cacheaside.LookupUnavailable] and every record is not applied, never sent,
// with [ErrBreakerOpen], and nothing reaches the server but one probe at a time: a read of one byte, after each second, until one is answered.
//
// The zero value is closed and ready. One may be shared by the caches of one client, so that they learn from one another; it must not be copied
// after first use. It is safe for concurrent use.
type Breaker struct {
	open     atomic.Bool
	failures atomic.Int32 // in a row

	mu      sync.Mutex // guards what follows; held across no wait and no command
	ended   bool
	timer   *clock.Timer
	cancel  context.CancelFunc // of the running probe
	probing sync.WaitGroup
}

// prober is what a breaker asks whether the server is back.
type prober interface {
	probe(ctx context.Context) bool
	timer() clock.Clock
}

// Close ends the probe and waits for it, at most the LookupTimeout of the cache it belongs to. A closed breaker lets every call through. Close is
// idempotent.
func (b *Breaker) Close() error {
	b.mu.Lock()
	b.ended = true
	b.open.Store(false)
	if b.timer != nil {
		b.timer.Stop()
	}
	if b.cancel != nil {
		b.cancel()
	}
	b.mu.Unlock()
	b.probing.Wait()
	return nil
}

func (b *Breaker) isOpen() bool { return b.open.Load() }

// observe counts what one call told of the server.
func (b *Breaker) observe(h health, p prober) {
	switch h {
	case silent:
	case alive:
		if b.failures.Load() != 0 {
			b.failures.Store(0)
		}
	case ailing:
		if b.failures.Add(1) >= breakerThreshold {
			b.trip(p)
		}
	}
}

func (b *Breaker) trip(p prober) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended || b.open.Load() {
		return
	}
	b.open.Store(true)
	b.pauseLocked(p)
}

func (b *Breaker) pauseLocked(p prober) {
	b.timer = p.timer().AfterFunc(breakerPause, func() { b.probe(p) })
}

// probe runs in the goroutine of the timer: there is one timer at a time, so one probe at a time.
func (b *Breaker) probe(p prober) {
	b.mu.Lock()
	if b.ended {
		b.mu.Unlock()
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	b.probing.Add(1)
	b.mu.Unlock()
	defer b.probing.Done()
	defer cancel()

	back := asked(ctx, p)

	b.mu.Lock()
	defer b.mu.Unlock()
	b.cancel = nil
	switch {
	case b.ended:
	case back:
		b.failures.Store(0)
		b.open.Store(false)
	default:
		b.pauseLocked(p)
	}
}

// asked survives whatever a hook of the client throws: nobody could catch it in a goroutine of a timer, and a client in such trouble is not back.
func asked(ctx context.Context, p prober) (back bool) {
	defer func() {
		if recover() != nil {
			back = false
		}
	}()
	return p.probe(ctx)
}
