package memory_test

import (
	"sync"
	"time"

	"github.com/benbjohnson/clock"
)

// stillClock stands still but for Set and Add. A cache sets no timers, so nothing needs time to settle after a move, as a mock gives it.
type stillClock struct {
	clock.Clock

	mu  sync.Mutex
	now time.Time // guarded by mu
}

func newStillClock() *stillClock {
	return &stillClock{Clock: clock.New(), now: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
}

func (c *stillClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *stillClock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

func (c *stillClock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
