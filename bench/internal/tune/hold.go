package tune

import (
	"context"
	"sync"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// hold stands between the nodes of one run and their source. It keeps the loads that hang: one that begins while the source hangs is held, whatever
// its context says, until the source is itself again, and then worked on, as behind a lock or a dead network. The lab's own hang has no end and
// keeps whoever waits for it. And it counts the loads that the nodes have under way.
type hold struct {
	warmUp time.Duration

	once sync.Once
	zero time.Time // the end of the warm-up

	mu            sync.Mutex
	running, peak int
}

// watch gives the contender, reading its source through h; the run begins when its first node opens.
func (h *hold) watch(c contender.Contender) contender.Contender {
	open := c.Open
	c.Open = func(node contender.Node) (contender.Reader, error) {
		h.once.Do(func() { h.zero = time.Now().Add(h.warmUp) })
		node.Source = watched{node.Source, h}
		return open(node)
	}
	return c
}

// until holds a load so long, and then says that it does not hang.
func (h *hold) until(end time.Duration) func(key, turn uint64) bool {
	return func(uint64, uint64) bool {
		time.Sleep(time.Until(h.zero.Add(end)))
		return false
	}
}

func (h *hold) count(by int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.running += by
	h.peak = max(h.peak, h.running)
}

// most is the largest number of loads under way at once so far, on all nodes.
func (h *hold) most() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.peak
}

// watched is a source whose loads are counted while they are under way for a node: until they return, and not until the source has done the work.
type watched struct {
	contender.Source
	hold *hold
}

func (c watched) Load(ctx context.Context, key uint64) (contender.Row, error) {
	c.hold.count(1)
	defer c.hold.count(-1)
	return c.Source.Load(ctx, key)
}
