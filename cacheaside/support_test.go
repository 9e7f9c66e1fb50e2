package cacheaside_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// scripted is a cache that does what a test says, and remembers what it was asked. What a test does not script is an always empty cache that
// applies every record.
type scripted struct {
	lookup     func(ctx context.Context, key string) cacheaside.Lookup[string]
	record     func(ctx context.Context, key string, entry cacheaside.Entry[string], condition cacheaside.Condition) cacheaside.RecordOutcome
	invalidate func(ctx context.Context, key string) cacheaside.RecordOutcome

	mu       sync.Mutex
	lookups  int
	recorded []recorded
}

type recorded struct {
	key       string
	entry     cacheaside.Entry[string]
	condition cacheaside.Condition
}

func (s *scripted) Lookup(ctx context.Context, key string) cacheaside.Lookup[string] {
	s.mu.Lock()
	s.lookups++
	s.mu.Unlock()
	if s.lookup == nil {
		return missing()
	}
	return s.lookup(ctx, key)
}

func (s *scripted) Record(
	ctx context.Context, key string, entry cacheaside.Entry[string], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	s.mu.Lock()
	s.recorded = append(s.recorded, recorded{key, entry, condition})
	s.mu.Unlock()
	if s.record == nil {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
	}
	return s.record(ctx, key, entry, condition)
}

func (s *scripted) Invalidate(ctx context.Context, key string) cacheaside.RecordOutcome {
	if s.invalidate == nil {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
	}
	return s.invalidate(ctx, key)
}

func (s *scripted) records() []recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]recorded(nil), s.recorded...)
}

func (s *scripted) lookedUp() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lookups
}

func missing() cacheaside.Lookup[string] {
	return cacheaside.Lookup[string]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent}
}

func unavailable() cacheaside.Lookup[string] {
	return cacheaside.Lookup[string]{Kind: cacheaside.LookupUnavailable, Err: errors.New("down")}
}

func fresh(value string) cacheaside.Lookup[string] {
	return cacheaside.Lookup[string]{Kind: cacheaside.LookupFresh, Value: value, Observation: "fresh"}
}

func stale(value string, hard time.Time) cacheaside.Lookup[string] {
	return cacheaside.Lookup[string]{
		Kind: cacheaside.LookupStale, Value: value, Revision: "r1", SoftExpiresAt: hard.Add(-time.Minute), HardExpiresAt: hard, Observation: "seen",
	}
}

func unusable(kind cacheaside.EntryKind, observation cacheaside.Observation) cacheaside.Lookup[string] {
	return cacheaside.Lookup[string]{Kind: cacheaside.LookupUnusable, Entry: kind, Observation: observation}
}

func always(found cacheaside.Lookup[string]) func(context.Context, string) cacheaside.Lookup[string] {
	return func(context.Context, string) cacheaside.Lookup[string] { return found }
}

// newRegion makes a region of strings on the given cache, and closes it at the end of the test.
func newRegion(t testing.TB, cache cacheaside.Cache[string, string], change ...func(*cacheaside.RegionConfig[string, string])) *cacheaside.Region[string, string] {
	t.Helper()
	cfg := cacheaside.RegionConfig[string, string]{Name: "test", Cache: cache, Policy: cacheaside.StrictPolicy()}
	for _, f := range change {
		f(&cfg)
	}
	region, err := cacheaside.NewRegion(cfg)
	if err != nil {
		t.Fatalf("NewRegion: %v", err)
	}
	t.Cleanup(func() {
		if err := region.Close(context.Background()); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return region
}

func policy(change func(*cacheaside.Policy)) func(*cacheaside.RegionConfig[string, string]) {
	return func(cfg *cacheaside.RegionConfig[string, string]) { change(&cfg.Policy) }
}

// outcome is what one Get gave.
type outcome struct {
	result   cacheaside.Result[string]
	err      error
	panicked any
	took     time.Duration
}

// get runs one Get and catches what it throws.
func get(ctx context.Context, region *cacheaside.Region[string, string], key string, load cacheaside.Loader[string, string]) (o outcome) {
	begun := time.Now()
	defer func() {
		o.panicked = recover()
		o.took = time.Since(begun)
	}()
	o.result, o.err = cacheaside.Get(ctx, region, key, load)
	return o
}

// goGet runs a Get in a goroutine of its own and gives the channel of its outcome.
func goGet(ctx context.Context, region *cacheaside.Region[string, string], key string, load cacheaside.Loader[string, string]) <-chan outcome {
	ended := make(chan outcome, 1)
	go func() { ended <- get(ctx, region, key, load) }()
	return ended
}

func returning(out cacheaside.SourceOutcome[string]) cacheaside.Loader[string, string] {
	return func(context.Context, string) cacheaside.SourceOutcome[string] { return out }
}

func after(d time.Duration, out cacheaside.SourceOutcome[string]) cacheaside.Loader[string, string] {
	return func(context.Context, string) cacheaside.SourceOutcome[string] {
		<-time.After(d)
		return out
	}
}

func mustNotLoad(t testing.TB) cacheaside.Loader[string, string] {
	return func(context.Context, string) cacheaside.SourceOutcome[string] {
		t.Error("the source was called")
		return cacheaside.PermanentFailure[string]("unexpected", nil)
	}
}

// gate is a loader that waits for the test, and counts.
type gate struct {
	mu                   sync.Mutex
	calls, running, peak int
	open                 chan struct{}
	ignoresContext       bool
	out                  cacheaside.SourceOutcome[string]
}

func newGate(out cacheaside.SourceOutcome[string]) *gate {
	return &gate{open: make(chan struct{}), out: out}
}

func (g *gate) load(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
	g.mu.Lock()
	g.calls++
	g.running++
	g.peak = max(g.peak, g.running)
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		g.running--
		g.mu.Unlock()
	}()
	if g.ignoresContext {
		<-g.open
		return g.out
	}
	select {
	case <-g.open:
		return g.out
	case <-ctx.Done():
		return cacheaside.Cancelled[string](ctx.Err())
	}
}

func (g *gate) counts() (calls, peak int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls, g.peak
}

func wantValue(t testing.TB, o outcome, status cacheaside.Status, value string) {
	t.Helper()
	if o.err != nil || o.panicked != nil || o.result.Status != status || o.result.Value != value {
		t.Fatalf("got %v %q, error %v, panic %v; want %v %q", o.result.Status, o.result.Value, o.err, o.panicked, status, value)
	}
}

func wantRejected(t testing.TB, o outcome, reason cacheaside.Reason) {
	t.Helper()
	var rejected *cacheaside.RejectedError
	if !errors.As(o.err, &rejected) || rejected.Reason != reason || o.result.Status != cacheaside.StatusRejected {
		t.Fatalf("got %v, error %v; want a rejection for %v", o.result.Status, o.err, reason)
	}
	if o.result.Value != "" || !errors.Is(o.err, cacheaside.ErrRejected) {
		t.Fatalf("a rejection with value %q and error %v", o.result.Value, o.err)
	}
}

func wantStale(t testing.TB, o outcome, value string) {
	t.Helper()
	wantValue(t, o, cacheaside.StatusStale, value)
	if o.result.Cause == nil {
		t.Fatal("a stale answer without a cause")
	}
}

// wantAtRest checks that nothing of any call is left behind, and that n loaders can still run at once: every permit is back.
func wantAtRest(t testing.TB, region *cacheaside.Region[string, string], n int) {
	t.Helper()
	synctest.Wait()
	stats := region.Stats()
	if stats.InFlightKeys != 0 || stats.Waiters != 0 || stats.RunningLoads != 0 || stats.OverdueLoads != 0 || stats.RunningRecords != 0 {
		t.Fatalf("not at rest: %+v", stats)
	}
	wantRendezvous(t, region, n)
}

func wantRendezvous(t testing.TB, region *cacheaside.Region[string, string], n int) {
	t.Helper()
	met := make(chan struct{})
	var mu sync.Mutex
	here := 0
	load := func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
		mu.Lock()
		if here++; here == n {
			close(met)
		}
		mu.Unlock()
		select {
		case <-met:
			return cacheaside.AuthoritativeAbsent[string]("met", "")
		case <-ctx.Done():
			return cacheaside.TransientFailure[string]("alone", ctx.Err())
		}
	}
	var ended []<-chan outcome
	for i := range n {
		ended = append(ended, goGet(context.Background(), region, "rendezvous "+strconv.Itoa(i), load))
	}
	for _, end := range ended {
		if o := <-end; o.result.Status != cacheaside.StatusAbsent {
			t.Fatalf("%d loaders cannot run at once any more: %v %v", n, o.result.Status, o.err)
		}
	}
}
