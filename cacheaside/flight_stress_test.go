package cacheaside_test

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// stressLength is the number of random actions; CACHEASIDE_STRESS sets it.
func stressLength(t *testing.T) int {
	t.Helper()
	if text := os.Getenv("CACHEASIDE_STRESS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("CACHEASIDE_STRESS is %q, want a number", text)
		}
		return n
	}
	if testing.Short() {
		return 20_000
	}
	return 200_000
}

// storm is a region under random actions, and what must hold all the time.
type storm struct {
	region *stringRegion
	policy cacheaside.Policy

	running, peak atomic.Int64 // loaders
	answered      [8]atomic.Int64
}

func (s *storm) load(rng *rand.Rand) cacheaside.Loader[string, string] {
	way, takes := rng.IntN(24), time.Duration(rng.IntN(1000))*time.Microsecond
	return func(ctx context.Context, key string) cacheaside.SourceOutcome[string] {
		now := s.running.Add(1)
		defer s.running.Add(-1)
		for {
			seen := s.peak.Load()
			if now <= seen || s.peak.CompareAndSwap(seen, now) {
				break
			}
		}
		select {
		case <-time.After(takes):
		case <-ctx.Done():
		}
		switch way {
		case 0:
			return cacheaside.TransientFailure[string]("down", nil)
		case 1:
			return cacheaside.PermanentFailure[string]("denied", nil)
		case 2:
			return cacheaside.Unclassified[string](errDriver)
		case 3:
			panic("boom")
		case 4:
			runtime.Goexit()
		case 5:
			<-time.After(5 * time.Millisecond) // past its deadline, whatever its context says
		case 6:
			return cacheaside.AuthoritativeAbsent[string]("gone", "")
		case 7:
			return cacheaside.Cancelled[string](ctx.Err())
		}
		return cacheaside.Loaded(key, "")
	}
}

// act does one random thing, after a while.
func (s *storm) act(t *testing.T, rng *rand.Rand) {
	<-time.After(time.Duration(rng.IntN(400)) * time.Microsecond)
	key := strconv.Itoa(rng.IntN(40))
	switch rng.IntN(40) {
	case 0:
		if err := cacheaside.Invalidate(context.Background(), s.region, key); err != nil {
			t.Errorf("Invalidate: %v", err)
		}
	case 1, 2:
		s.gauges(t)
	default:
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rng.IntN(4000))*time.Microsecond)
		defer cancel()
		s.check(t, key, get(ctx, s.region, key, s.load(rng)))
	}
}

// gauges checks what the region tells about itself against its bounds.
func (s *storm) gauges(t *testing.T) {
	t.Helper()
	g := s.region.Stats()
	if g.InFlightKeys > s.policy.MaxInFlightKeys || g.RunningLoads > s.policy.SourceConcurrency || g.OverdueLoads > g.RunningLoads ||
		g.Waiters > s.policy.MaxInFlightKeys*s.policy.MaxWaitersPerKey || min(g.InFlightKeys, g.Waiters, g.RunningLoads, g.OverdueLoads, g.RunningRecords) < 0 {
		t.Errorf("out of bounds: %+v", g)
	}
}

// check holds one answer to what every answer must be.
func (s *storm) check(t *testing.T, key string, o outcome) {
	t.Helper()
	if o.panicked != nil {
		if thrown, ok := o.panicked.(*cacheaside.LoaderPanic); !ok || thrown.Value != "boom" {
			t.Errorf("a caller panicked with %v", o.panicked)
		}
		return
	}
	usable := o.result.Status == cacheaside.StatusFresh || o.result.Status == cacheaside.StatusLoaded || o.result.Status == cacheaside.StatusStale
	switch {
	case usable != (o.err == nil), usable && o.result.Value != key, !usable && o.result.Value != "":
		t.Errorf("key %q: %v %q, %v", key, o.result.Status, o.result.Value, o.err)
	case o.took > 5*time.Millisecond:
		t.Errorf("answered %v after %v", o.result.Status, o.took)
	default:
		s.answered[o.result.Status-1].Add(1)
	}
}

// amnesiac is a cache that forgets, ages and fails in turns.
type amnesiac struct {
	mu      sync.Mutex
	turn    int
	entries map[string]bool // negative or not
}

func (c *amnesiac) Lookup(_ context.Context, key string) cacheaside.Lookup[string] {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	negative, there := c.entries[key]
	switch {
	case c.turn%11 == 0:
		return unavailable()
	case c.turn%3 == 0:
		delete(c.entries, key)
		return missing()
	case !there:
		return missing()
	case negative:
		return cacheaside.Lookup[string]{Kind: cacheaside.LookupNegative}
	case c.turn%2 == 0:
		return stale(key, time.Now().Add(3*time.Millisecond))
	}
	return fresh(key)
}

func (c *amnesiac) Record(_ context.Context, key string, entry cacheaside.Entry[string], _ cacheaside.Condition) cacheaside.RecordOutcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turn++; c.turn%13 == 0 {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordIndeterminate}
	}
	c.entries[key] = entry.Negative
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}

func (c *amnesiac) Invalidate(_ context.Context, key string) cacheaside.RecordOutcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, key)
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}

// TestRandomActionsKeepTheGaugesAtTheirLimitsAndLeaveNothing lets sixteen goroutines call, cancel and invalidate at random, over a cache that forgets.
func TestRandomActionsKeepTheGaugesAtTheirLimitsAndLeaveNothing(t *testing.T) {
	const actors = 16
	length, seed := stressLength(t), rand.Uint64()
	t.Logf("%d actions, seed %d", length, seed)
	synctest.Test(t, func(t *testing.T) {
		s, cache := &storm{}, &amnesiac{entries: map[string]bool{}}
		r, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, string]{Name: "storm", Cache: cache, Policy: func() cacheaside.Policy {
			p := cacheaside.StrictPolicy()
			p.MaxInFlightKeys, p.MaxWaitersPerKey, p.SourceConcurrency, p.MaxOverduePerKey = 8, 2, 4, 2
			p.AdmissionWait, p.LoadDeadline, p.RecordWait, p.FailureBackoff = time.Millisecond, 2*time.Millisecond, time.Millisecond, time.Millisecond
			p.ServeStale = cacheaside.StaleRules{OnTransient: true, OnDeadline: true}
			p.CancelAbandoned = seed%2 == 0
			s.policy = p
			return p
		}()})
		if err != nil {
			t.Fatal(err)
		}
		s.region = r
		var all sync.WaitGroup
		for actor := range actors {
			all.Go(func() {
				rng := rand.New(rand.NewPCG(seed, uint64(actor)))
				for range length / actors {
					s.act(t, rng)
				}
			})
		}
		all.Wait()
		<-time.After(time.Second)
		wantEmpty(t, r)
		if peak := s.peak.Load(); peak != int64(s.policy.SourceConcurrency) {
			t.Errorf("at most %d loaders ran at once, the limit is %d and was meant to be met", peak, s.policy.SourceConcurrency)
		}
		for status := range s.answered {
			times := s.answered[status].Load()
			t.Logf("%v: %d", cacheaside.Status(status+1), times)
			if times == 0 {
				t.Errorf("nobody was answered %v: the storm does not reach it", cacheaside.Status(status+1))
			}
		}
		wantRendezvous(t, r, s.policy.SourceConcurrency)
		if err := r.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	})
}
