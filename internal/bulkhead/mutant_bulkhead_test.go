package bulkhead_test

import (
	"errors"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/internal/bulkhead"
)

// noTimers is a clock on which no wait may be measured.
type noTimers struct {
	clock.Clock
	t *testing.T
}

func (c noTimers) AfterFunc(d time.Duration, f func()) *clock.Timer {
	c.t.Errorf("a timer of %v was set", d)
	return c.Clock.AfterFunc(0, f)
}

func TestAnAcquireThatMayNotWaitSetsNoTimer(t *testing.T) {
	b := bulkhead.New(1, noTimers{clock.New(), t})
	held := mustAcquire(t, b, 0)
	for _, wait := range []time.Duration{0, -1, -time.Hour} {
		if _, err := b.Acquire(wait, nil); !errors.Is(err, bulkhead.ErrTimeout) {
			t.Errorf("a wait of %v ended with %v", wait, err)
		}
	}
	held.Release()
}
