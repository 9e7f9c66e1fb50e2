package cacheaside_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"go.uber.org/goleak"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stringRegion names the type that most tests use.
type stringRegion = cacheaside.Region[string, string]

// wantEmpty checks that nothing of any call is left behind in the region's books.
func wantEmpty(t testing.TB, r *stringRegion) {
	t.Helper()
	synctest.Wait()
	s := r.Stats()
	if left := s.InFlightKeys + s.Waiters + s.RunningLoads + s.OverdueLoads + s.RunningRecords + s.RememberedFailures; left != 0 {
		t.Fatalf("left behind: %+v", s)
	}
}

// stored is what a lookup finds of what has been recorded for key: a cache in which nothing expires.
func (s *scripted) stored(key string) cacheaside.Lookup[string] {
	found := missing()
	for _, r := range s.records() {
		switch {
		case r.key != key:
		case r.entry.Negative:
			found = cacheaside.Lookup[string]{Kind: cacheaside.LookupNegative, Observation: "negative"}
		default:
			found = fresh(r.entry.Value)
		}
	}
	return found
}

func wantCancelled(t testing.TB, o outcome, cause error) {
	t.Helper()
	var cancelled *cacheaside.CancelledError
	if o.result.Status != cacheaside.StatusCancelled || !errors.Is(o.err, cause) || !errors.As(o.err, &cancelled) || o.result.Value != "" {
		t.Fatalf("got %v %q, error %v, panic %v; want Cancelled by %v", o.result.Status, o.result.Value, o.err, o.panicked, cause)
	}
}

// wantAtOnce checks that a call waited for nothing.
func wantAtOnce(t testing.TB, o outcome) {
	t.Helper()
	if o.took != 0 {
		t.Fatalf("took %v, want no wait at all", o.took)
	}
}

// callers is a crowd of Gets for one key, one goroutine each.
type callers struct{ ended []<-chan outcome }

func (c *callers) add(ctx context.Context, r *stringRegion, key string, load cacheaside.Loader[string, string]) {
	c.ended = append(c.ended, goGet(ctx, r, key, load))
}

func crowd(n int, r *stringRegion, key string, load cacheaside.Loader[string, string]) *callers {
	c := &callers{}
	for range n {
		c.add(context.Background(), r, key, load)
	}
	return c
}

// each waits for every caller in turn.
func (c *callers) each(check func(o outcome)) {
	for _, ended := range c.ended {
		check(<-ended)
	}
}

// hookedClock is a real clock whose Now runs a hook first. It reaches the moments of a flight that no cache call and no loader marks.
type hookedClock struct {
	clock.Clock

	mu   sync.Mutex
	hook func() // guarded by mu; runs once
}

func (c *hookedClock) onNow(hook func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hook = hook
}

func (c *hookedClock) Now() time.Time {
	c.mu.Lock()
	hook := c.hook
	c.hook = nil
	c.mu.Unlock()
	if hook != nil {
		hook()
	}
	return c.Clock.Now()
}

// blocking gives a function that waits until the other is called.
func blocking() (wait, open func()) {
	gate := make(chan struct{})
	return func() { <-gate }, sync.OnceFunc(func() { close(gate) })
}

// counting counts how often a loader is called.
type counting struct {
	mu    sync.Mutex
	calls int
	load  cacheaside.Loader[string, string]
}

func counted(load cacheaside.Loader[string, string]) *counting { return &counting{load: load} }

func (c *counting) call(ctx context.Context, key string) cacheaside.SourceOutcome[string] {
	c.mu.Lock()
	c.calls++
	c.mu.Unlock()
	return c.load(ctx, key)
}

func (c *counting) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls
}

func (c *counting) want(t testing.TB, n int) {
	t.Helper()
	if calls := c.count(); calls != n {
		t.Fatalf("%d loads, want %d", calls, n)
	}
}

// eventLog keeps what an observer was told.
type eventLog struct {
	mu   sync.Mutex
	seen []cacheaside.Event
}

func (e *eventLog) Observe(event cacheaside.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen = append(e.seen, event)
}

func (e *eventLog) of(kind cacheaside.EventKind) []cacheaside.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	var found []cacheaside.Event
	for _, event := range e.seen {
		if event.Kind == kind {
			found = append(found, event)
		}
	}
	return found
}

func observedBy(e *eventLog) func(*cacheaside.RegionConfig[string, string]) {
	return func(cfg *cacheaside.RegionConfig[string, string]) { cfg.Observer = e }
}

func onClock(c clock.Clock) func(*cacheaside.RegionConfig[string, string]) {
	return func(cfg *cacheaside.RegionConfig[string, string]) { cfg.Clock = c }
}

// reasonOf is the reason of a rejection, 0 for everything else.
func reasonOf(o outcome) cacheaside.Reason {
	var rejected *cacheaside.RejectedError
	if errors.As(o.err, &rejected) {
		return rejected.Reason
	}
	return 0
}
