package redistest

import (
	"sync"
	"time"
)

// notice lets goroutines wait for a condition over state that others change.
// The zero value is ready to use.
type notice struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced at every update; nil while nobody waits
}

// update runs change alone and wakes whoever awaits.
func (n *notice) update(change func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	change()
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
}

// read runs look with no update running.
func (n *notice) read(look func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	look()
}

// await returns true as soon as until does, which it asks after every update,
// and false when that has not come to pass within the package's patience.
func (n *notice) await(until func() bool) bool {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		next, met := n.check(until)
		if met {
			return true
		}
		select {
		case <-limit.C:
			return false
		case <-next:
		}
	}
}

func (n *notice) check(until func() bool) (next <-chan struct{}, met bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if until() {
		return nil, true
	}
	if n.changed == nil {
		n.changed = make(chan struct{})
	}
	return n.changed, false
}
