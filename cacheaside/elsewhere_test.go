package cacheaside_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/cacheaside/resilience/cacheaside"
)

// invalidatedElsewhere is a cache in which other processes leave tombstones: each begins with another observation.
type invalidatedElsewhere struct {
	scripted
	tombstone atomic.Pointer[string]
}

func newInvalidatedElsewhere() *invalidatedElsewhere {
	cache := &invalidatedElsewhere{}
	cache.lookup = func(context.Context, string) cacheaside.Lookup[string] {
		if mark := cache.tombstone.Load(); mark != nil {
			return cacheaside.Lookup[string]{
				Kind: cacheaside.LookupMiss, Miss: cacheaside.MissInvalidated, Observation: cacheaside.Observation(*mark),
			}
		}
		return missing()
	}
	return cache
}

func (c *invalidatedElsewhere) invalidate(mark string) { c.tombstone.Store(&mark) }

func TestACallerThatSeesAnotherProcessesTombstoneDoesNotJoinALoadFromBeforeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newInvalidatedElsewhere()
		region := newRegion(t, cache)
		old, renewed := newGate(cacheaside.Loaded("v1", "")), newGate(cacheaside.Loaded("v2", ""))
		before := goGet(context.Background(), region, "key", old.load)
		synctest.Wait()
		cache.invalidate("first")
		later := goGet(context.Background(), region, "key", renewed.load)
		synctest.Wait()
		joined := goGet(context.Background(), region, "key", mustNotLoad(t)) // the load from after the tombstone is good enough
		synctest.Wait()
		if calls, _ := renewed.counts(); calls != 1 {
			t.Fatalf("%d loads after the tombstone, want 1", calls)
		}
		close(old.open)
		o := <-before
		wantValue(t, o, cacheaside.StatusLoaded, "v1")
		if o.result.Record.Reason != cacheaside.RecordSuperseded {
			t.Fatalf("record %+v", o.result.Record)
		}
		close(renewed.open)
		wantValue(t, <-later, cacheaside.StatusLoaded, "v2")
		wantValue(t, <-joined, cacheaside.StatusLoaded, "v2")
		if records := cache.records(); len(records) != 1 || records[0].condition.Observation != "first" {
			t.Fatalf("recorded %+v", records)
		}
		wantAtRest(t, region, 16)
	})
}

// TestCallersWhoSawDifferentTombstonesShareALoadThatBeganAfterThem has callers whose lookups were slow: what they saw is older than what the flight
// saw, but its load began after they did.
func TestCallersWhoSawDifferentTombstonesShareALoadThatBeganAfterThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newInvalidatedElsewhere()
		cache.invalidate("first")
		look := cache.lookup
		slow := make(chan struct{})
		cache.lookup = func(ctx context.Context, key string) cacheaside.Lookup[string] {
			found := look(ctx, key)
			if found.Observation == "first" {
				<-slow
			}
			return found
		}
		region := newRegion(t, cache)
		saw := goGet(context.Background(), region, "key", mustNotLoad(t))
		synctest.Wait()
		cache.invalidate("second")
		source := newGate(cacheaside.Loaded("v3", ""))
		leader := goGet(context.Background(), region, "key", source.load)
		synctest.Wait()
		close(slow)
		synctest.Wait()
		if stats := region.Stats(); stats.RunningLoads != 1 || stats.Waiters != 1 {
			t.Fatalf("%d loads, %d waiters", stats.RunningLoads, stats.Waiters)
		}
		close(source.open)
		wantValue(t, <-leader, cacheaside.StatusLoaded, "v3")
		wantValue(t, <-saw, cacheaside.StatusLoaded, "v3")
		wantAtRest(t, region, 16)
	})
}

func TestALoadThatWaitsForItsPermitIsJoinedByCallersWhoSawALaterTombstone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newInvalidatedElsewhere()
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) {
			p.SourceConcurrency, p.MaxOverduePerKey = 1, 1
		}))
		busy := newGate(cacheaside.Loaded("other", ""))
		other := goGet(context.Background(), region, "other", busy.load)
		synctest.Wait()
		source := newGate(cacheaside.Loaded("v2", ""))
		waiting := goGet(context.Background(), region, "key", source.load)
		synctest.Wait()
		cache.invalidate("first")
		joined := goGet(context.Background(), region, "key", mustNotLoad(t))
		synctest.Wait()
		close(busy.open)
		close(source.open)
		wantValue(t, <-other, cacheaside.StatusLoaded, "other")
		wantValue(t, <-waiting, cacheaside.StatusLoaded, "v2")
		wantValue(t, <-joined, cacheaside.StatusLoaded, "v2")
		wantAtRest(t, region, 1)
	})
}

func TestLoadsThatTombstonesOvertakeOverAndOverAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newInvalidatedElsewhere()
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.MaxOverduePerKey = 3 }))
		source := newGate(cacheaside.Loaded("v", ""))
		var callers []<-chan outcome
		for n := range 5 {
			cache.invalidate(string(rune('a' + n)))
			callers = append(callers, goGet(context.Background(), region, "key", source.load))
			synctest.Wait()
		}
		if stats := region.Stats(); stats.RunningLoads != 3 {
			t.Fatalf("%d loads run, want MaxOverduePerKey", stats.RunningLoads)
		}
		wantRejected(t, <-callers[3], cacheaside.ReasonSuperseded)
		wantRejected(t, <-callers[4], cacheaside.ReasonSuperseded)
		close(source.open)
		for _, caller := range callers[:3] {
			wantValue(t, <-caller, cacheaside.StatusLoaded, "v")
		}
		wantAtRest(t, region, 16)
	})
}
