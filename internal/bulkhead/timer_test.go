package bulkhead_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/internal/bulkhead"
)

// firedTimers counts the timers whose time came although their wait was over.
type firedTimers struct {
	clock.Clock
	fired int
}

func (c *firedTimers) AfterFunc(d time.Duration, f func()) *clock.Timer {
	return c.Clock.AfterFunc(d, func() {
		c.fired++
		f()
	})
}

func TestAWaitThatIsOverLeavesNoTimerBehind(t *testing.T) {
	for name, end := range map[string]struct {
		by   func(held *bulkhead.Permit, abandoned chan struct{})
		want error
	}{
		"with a permit": {func(held *bulkhead.Permit, _ chan struct{}) { held.Release() }, nil},
		"abandoned":     {func(_ *bulkhead.Permit, abandoned chan struct{}) { close(abandoned) }, bulkhead.ErrAbandoned},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				timers := &firedTimers{Clock: clock.New()}
				b := bulkhead.New(1, timers)
				held := mustAcquire(t, b, 0)
				abandoned, ended := make(chan struct{}), make(chan error, 1)
				go func() {
					_, err := b.Acquire(time.Hour, abandoned)
					ended <- err
				}()
				synctest.Wait()
				end.by(held, abandoned)
				if err := <-ended; !errors.Is(err, end.want) {
					t.Fatalf("the wait ended with %v, want %v", err, end.want)
				}
				<-time.After(2 * time.Hour) // of the bubble, past the end of the wait
				if timers.fired != 0 {
					t.Errorf("%d timers ran on to their ends", timers.fired)
				}
			})
		})
	}
}
