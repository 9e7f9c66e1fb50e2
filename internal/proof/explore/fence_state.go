package explore

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
)

// fenceText tells what a fleet's store holds beside the entry.
func (f *Fills) fenceText(t *stateText) {
	if f.fences == nil {
		return
	}
	s := f.fences
	fmt.Fprintf(t, "\nfence %s %t %t %t", s.skew, f.upset, f.astray, f.tombLost)
	fmt.Fprintf(t, " until %s %s of", t.until(s.record.expires.Add(-s.skew)), t.until(s.record.until.Add(-s.skew)))
	f.proofText(t, cacheaside.Fence{Token: s.record.token, Request: s.record.request})
	fmt.Fprintf(t, " %q entry %d watch", s.record.revision, f.tokenOf(s.entryToken))
	f.proofText(t, s.watch.last)
	fmt.Fprintf(t, " %d %s", f.tokenOf(s.watch.highest), t.until(s.watch.until.Add(-s.skew)))
	if f.cfg.StepBack {
		fmt.Fprintf(t, " issued %s", t.since(s.issued))
	}
}

// tokenOf tells a token by what it is ahead of the server's clock: all that matters of it, beside that it differs from others.
func (f *Fills) tokenOf(token uint64) int64 {
	if token == 0 {
		return 0
	}
	return int64(token) - f.fences.now().UnixMicro() //nolint:gosec // below 2^53
}

// proofText tells of a fence, and of what its request had observed.
func (f *Fills) proofText(t *stateText, fence cacheaside.Fence) {
	if f.fences == nil || fence == (cacheaside.Fence{}) {
		return
	}
	seen := f.store.seen[f.fences.asked[fence.Request]]
	fmt.Fprintf(t, " %d/%d over %d %t", f.tokenOf(fence.Token), t.request(fence.Request), t.name(seen.write), seen.orGone)
}

// askText tells what a call of a fleet asks for.
func (f *Fills) askText(t *stateText, what any) {
	switch asked := what.(type) {
	case acquisition:
		seen := f.store.seen[asked.seen]
		fmt.Fprintf(t, " request %d over %d %t", t.request(asked.request), t.name(seen.write), seen.orGone)
	case releasing:
		f.proofText(t, asked.fence)
	case checking:
		f.proofText(t, asked.fence)
	case putting:
		fmt.Fprintf(t, " puts v%d", asked.entry.Value.Version)
	}
}

// request gives the requests numbers in the order in which the text names them.
func (t *stateText) request(id cacheaside.RequestID) int {
	if _, named := t.asked[id]; !named {
		t.asked[id] = len(t.asked)
	}
	return t.asked[id]
}

// timersSet is when the timers of one process are due that it has set since it was at rest last. Those that were stopped are among them.
type timersSet struct {
	mu sync.Mutex
	at []time.Time // guarded by mu
}

func (s *timersSet) add(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = append(s.at, at)
}

func (s *timersSet) list() []time.Time {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.at)
}

func (s *timersSet) clear() {
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.at = nil
	}
}

// AfterFunc implements [clock.Clock].
func (c *skewedClock) AfterFunc(wait time.Duration, then func()) *clock.Timer {
	if c.set != nil {
		c.set.add(time.Now().Add(wait))
	}
	return c.Clock.AfterFunc(wait, then)
}
