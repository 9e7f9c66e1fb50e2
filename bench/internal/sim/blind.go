package sim

import (
	"sync"
	"time"
)

// blind is what a node can know of an outage of the store: its lookups that began in it.
type blind struct {
	mu      sync.Mutex
	outage  time.Duration // when the outage began that is counted
	lookups int           // of this node, that began in it
	third   time.Time     // when the one began that opens a breaker by its failure
}

// knows tells whether a lookup that begins now should be spared, and counts it: the store has answered nothing for as long as three lookups take to
// fail one after the other, and this node has made three that have had the time.
func (b *blind) knows(l link, now time.Time) bool {
	since := now.Sub(l.zero)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range l.faults {
		if f.Kind != Refuse && f.Kind != BlackHole || since < f.From || since >= f.To {
			continue
		}
		if f.From != b.outage {
			b.outage, b.lookups = f.From, 0
		}
		known := since >= f.From+failuresToOpen*lookupTimeout && b.lookups >= failuresToOpen && !now.Before(b.third.Add(lookupTimeout))
		if b.lookups++; b.lookups == failuresToOpen {
			b.third = now
		}
		return known
	}
	return false
}
