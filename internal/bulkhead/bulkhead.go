// Package bulkhead holds back a source: a counted permit with a finite wait, given back exactly once.
package bulkhead

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"
)

var (
	// ErrTimeout is returned by [Bulkhead.Acquire] when no permit came free in time. The bulkhead is unchanged.
	ErrTimeout = errors.New("bulkhead: no permit in time")

	// ErrAbandoned is returned by [Bulkhead.Acquire] when its caller gave up waiting. The bulkhead is unchanged.
	ErrAbandoned = errors.New("bulkhead: wait abandoned")
)

// Bulkhead grants at most a fixed number of permits at once, in the order in which they were asked for. It is safe for concurrent use.
type Bulkhead struct {
	// A permit is an element in the channel. Taking one is a single send, so there is no moment between finding a place and occupying it, and a
	// waiter that leaves the select has left the queue: it cannot be handed a permit that nobody gives back.
	places chan struct{}
	clock  clock.Clock
}

// New makes a bulkhead of the given capacity, which must be positive, whose waits are measured on the given clock. It starts no goroutine.
func New(capacity int, clk clock.Clock) *Bulkhead {
	return &Bulkhead{places: make(chan struct{}, capacity), clock: clk}
}

// Permit is one place. Its zero value holds none.
type Permit struct {
	from     *Bulkhead
	returned atomic.Bool
}

// Acquire waits for a permit until wait has passed ([ErrTimeout]; a wait of 0 or less does not wait at all) or abandoned is closed
// ([ErrAbandoned]; nil is never closed). A permit that is free is taken at once whatever wait is; a wait that was abandoned before the call takes
// none.
func (b *Bulkhead) Acquire(wait time.Duration, abandoned <-chan struct{}) (*Permit, error) {
	select {
	case <-abandoned:
		return nil, ErrAbandoned
	default:
	}
	select {
	case b.places <- struct{}{}:
		return &Permit{from: b}, nil
	default:
	}
	if wait <= 0 {
		return nil, ErrTimeout
	}
	expired := make(chan struct{})
	timer := b.clock.AfterFunc(wait, func() { close(expired) })
	defer timer.Stop()
	select {
	case b.places <- struct{}{}:
		return &Permit{from: b}, nil
	case <-expired:
		return nil, ErrTimeout
	case <-abandoned:
		return nil, ErrAbandoned
	}
}

// Release gives the permit back. Every call after the first does nothing, so that a path that cannot know whether another has released may
// release too. It never blocks.
func (p *Permit) Release() {
	if p.from == nil || p.returned.Swap(true) {
		return
	}
	<-p.from.places
}

// Held is the number of permits out.
func (b *Bulkhead) Held() int { return len(b.places) }
