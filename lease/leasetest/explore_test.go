package leasetest_test

import (
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/lease/leasetest"
	"github.com/cacheaside/resilience/lease/memory"
)

// stillClock stands still but for advance. A mock would let the scheduler settle at each step.
type stillClock struct {
	clock.Clock

	mu  sync.Mutex
	now time.Time // guarded by mu
}

func (c *stillClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *stillClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func standingStill(t testing.TB, opt leasetest.Options) leasetest.Subject {
	t.Helper()
	still := &stillClock{Clock: clock.New(), now: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	store, err := memory.New(memory.Config{MaxHold: opt.MaxHold, Clock: still})
	if err != nil {
		t.Fatal(err)
	}
	return leasetest.Subject{Store: store, Second: store, Advance: still.advance, StandsStill: true}
}

func TestEveryScheduleOnTheStoreInTheProcessKeepsTheRules(t *testing.T) {
	t.Parallel()
	leasetest.RunExploration(t, standingStill, 8, 200, 1)
}

// TestSchedulesFindWhatIsWrong tries stores whose fault no single call shows, and with clocks that are off.
func TestSchedulesFindWhatIsWrong(t *testing.T) {
	t.Parallel()
	if finding := leasetest.Try(t, leasetest.Exploration(6, 200, 2), newModel(none)); finding.Failed || finding.Skipped || finding.Panicked != nil {
		t.Errorf("the right store: %+v", finding)
	}
	for _, wrong := range []fault{
		idiom, callersClock, callersDeadline, reentrant, neverExpires, deleteOnRelease, keyTTLAtExpiry, expiredLooksLive, releaseWaits, releaseTwice,
		closedExpiry, ignoresToken, renewIgnoresToken, releaseIgnoresToken, releaseTakesLower, tokenStays, renewReissues, renewIdle, renewAdds,
		renewRevives, inspectRenews, inspectGrows, repeatRefused, repeatReissues, repeatProlongs, repeatForEver,
	} {
		t.Run(string(wrong), func(t *testing.T) {
			t.Parallel()
			finding := leasetest.Try(t, leasetest.Exploration(6, 200, 3), newModel(wrong))
			if !finding.Failed || finding.Panicked != nil {
				t.Errorf("%+v, want it found", finding)
			}
		})
	}
}
