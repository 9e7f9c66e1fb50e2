package measure

import (
	"sync"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// Collector counts one run in one process. It is safe for concurrent use.
type Collector struct {
	start    time.Time
	deadline time.Duration

	mu      sync.Mutex
	tally   *Tally
	callers int
	settled map[uint64]uint64 // by key, the version that the last invalidation settled
}

// New counts from start on; a request is good if it was answered within deadline of its intended arrival.
func New(start time.Time, deadline time.Duration) *Collector {
	return &Collector{start: start, deadline: deadline, tally: newTally(), settled: make(map[uint64]uint64)}
}

// Attempt is one call under way.
type Attempt struct {
	Intended time.Time // when the call was meant to begin
	floor    uint64    // the oldest version that may answer it
}

// Begin counts a caller in.
func (c *Collector) Begin(key uint64, intended time.Time) Attempt {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.callers++
	if !intended.Before(c.start) {
		c.tally.peak = max(c.tally.peak, c.callers)
	}
	return Attempt{Intended: intended, floor: c.settled[key]}
}

// End counts the caller out, with what it was answered, and tells whether that was in time.
func (c *Collector) End(a Attempt, answer contender.Answer, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.callers--
	took := now.Sub(a.Intended)
	c.tally.attempt(a.Intended.Sub(c.start), took, answer)
	if !a.Intended.Before(c.start) {
		c.judge(a, answer, now)
	}
	return answer.Ending.Answered() && took <= c.deadline
}

func (c *Collector) judge(a Attempt, answer contender.Answer, now time.Time) {
	if answer.Ending.Answered() && answer.Row.Version < a.floor {
		c.tally.violations++
		if answer.Ending == contender.Hit || answer.Ending == contender.Stale {
			c.tally.stored++
		}
	}
	if answer.Ending == contender.Stale {
		observe(c.tally.staleAge, answer.Row.Age(now))
		if !answer.HardExpiresAt.IsZero() && !now.Before(answer.HardExpiresAt) {
			c.tally.pastHard++
		}
	}
}

// Request counts what a user asked for once, however often it was tried.
func (c *Collector) Request(intended time.Time, good bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tally.request(intended.Sub(c.start), good)
}

// Settled says that from now on no call may be answered with a version of the row below this one. A row that is gone has no version, so that its
// absence answers nothing older: use it for rows that stay.
func (c *Collector) Settled(key, version uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settled[key] = max(c.settled[key], version)
}

// Violation counts an answer that the source's own word had overtaken.
func (c *Collector) Violation() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tally.violations++
}

// SourceCall counts a load that begins.
func (c *Collector) SourceCall(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.tally.at(now.Sub(c.start)); s != nil {
		c.tally.sourceCalls++
		s.sourceCalls++
	}
}

// SourceCalls is how many loads have begun since the start.
func (c *Collector) SourceCalls() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tally.sourceCalls
}

// SourceLevel tells how many loads are worked on, and how many are in the source at all, its queue included.
func (c *Collector) SourceLevel(now time.Time, working, outstanding int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.tally.at(now.Sub(c.start)); s != nil {
		c.tally.concurrency = max(c.tally.concurrency, working)
		c.tally.outstanding = max(c.tally.outstanding, outstanding)
		s.outstanding = max(s.outstanding, outstanding)
	}
}

// SourceWasted counts a load that ended when nobody waited for it any more.
func (c *Collector) SourceWasted(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !now.Before(c.start) {
		c.tally.wasted++
	}
}

// StoreOperation counts one operation of the store, whatever came of it.
func (c *Collector) StoreOperation(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !now.Before(c.start) {
		c.tally.storeOps++
	}
}

// Tally gives what was counted until now. What is still counted later is lost, so that the tally may be read meanwhile.
func (c *Collector) Tally() *Tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	counted := c.tally
	c.tally = newTally()
	return counted
}
