package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func tombstone(mark cacheaside.Observation) cacheaside.Lookup[string] {
	return cacheaside.Lookup[string]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissInvalidated, Observation: mark}
}

// secondLookup is a cache whose key is looked up slowly by a leader's second lookup. It returns once that one is on its way; with the leader waiting
// for it.
func secondLookup(t *testing.T, found cacheaside.Lookup[string], source cacheaside.Loader[string, string]) (
	cache *scripted, region *stringRegion, leader <-chan outcome, arrive chan struct{},
) {
	t.Helper()
	first := make(chan struct{})
	arrive = make(chan struct{})
	cache = &scripted{}
	cache.lookup = func(context.Context, string) cacheaside.Lookup[string] {
		switch cache.lookedUp() {
		case 1:
			<-first
			return missing()
		case 2:
			return missing()
		}
		<-arrive
		return found
	}
	region = newRegion(t, cache)
	leader = goGet(context.Background(), region, "key", source)
	synctest.Wait()
	// A flight that ends meanwhile makes the leader look again.
	wantValue(t, get(context.Background(), region, "key", returning(cacheaside.Loaded("v1", ""))), cacheaside.StatusLoaded, "v1")
	close(first)
	synctest.Wait()
	return cache, region, leader, arrive
}

func TestACallerThatSeesATombstoneIsNotAnsweredWithWhatALeadersSecondLookupSawBeforeIt(t *testing.T) {
	for name, old := range map[string]cacheaside.Lookup[string]{
		"a value": fresh("v1"), "an absence": {Kind: cacheaside.LookupNegative}, "an unusable entry": unusable(cacheaside.EntryCorrupt, ""),
		"nothing": missing(), "an outage": unavailable(),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				source := counted(returning(cacheaside.Loaded("v2", "")))
				cache, region, leader, arrive := secondLookup(t, old, source.call)
				cache.lookup = always(tombstone("elsewhere"))
				joined := goGet(context.Background(), region, "key", mustNotLoad(t))
				synctest.Wait()
				close(arrive)
				wantValue(t, <-joined, cacheaside.StatusLoaded, "v2")
				wantValue(t, <-leader, cacheaside.StatusLoaded, "v2")
				records := cache.records()
				if last := records[len(records)-1]; last.entry.Value != "v2" || last.condition.Observation != "elsewhere" {
					t.Errorf("recorded %+v, which replaces no tombstone", last)
				}
				source.want(t, 1)
				wantAtRest(t, region, 16)
			})
		})
	}
}

// TestASecondLookupThatBeganAfterACallAnswersIt has a caller whose own lookup was slow: the leader's second one began after the call.
func TestASecondLookupThatBeganAfterACallAnswersIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		slow, look, arrive := make(chan struct{}), make(chan struct{}), make(chan struct{})
		cache.lookup = func(_ context.Context, key string) cacheaside.Lookup[string] {
			if key != "key" {
				return missing()
			}
			switch cache.lookedUp() {
			case 1:
				<-slow
				return tombstone("elsewhere")
			case 2:
				<-look
				return missing()
			case 3:
				return missing()
			}
			<-arrive
			return fresh("v2")
		}
		region := newRegion(t, cache)
		saw := goGet(context.Background(), region, "key", mustNotLoad(t))
		synctest.Wait()
		leader := goGet(context.Background(), region, "key", mustNotLoad(t))
		synctest.Wait()
		wantValue(t, get(context.Background(), region, "key", returning(cacheaside.Loaded("v2", ""))), cacheaside.StatusLoaded, "v2")
		close(look)
		synctest.Wait()
		close(slow)
		synctest.Wait()
		close(arrive)
		wantValue(t, <-leader, cacheaside.StatusFresh, "v2")
		wantValue(t, <-saw, cacheaside.StatusFresh, "v2")
		wantAtRest(t, region, 16)
	})
}

// TestOneLoadThatWaitedForItsPermitServesEveryCallerWhoSawALaterTombstone also after it began, and replaces that tombstone.
func TestOneLoadThatWaitedForItsPermitServesEveryCallerWhoSawALaterTombstone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newInvalidatedElsewhere()
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.SourceConcurrency, p.MaxOverduePerKey = 1, 1 }))
		busy, source := newGate(cacheaside.Loaded("other", "")), newGate(cacheaside.Loaded("v2", ""))
		other := goGet(context.Background(), region, "other", busy.load)
		synctest.Wait()
		waiting := goGet(context.Background(), region, "key", source.load)
		synctest.Wait()
		cache.invalidate("first")
		early := goGet(context.Background(), region, "key", mustNotLoad(t))
		synctest.Wait()
		close(busy.open)
		synctest.Wait()
		late := goGet(context.Background(), region, "key", mustNotLoad(t))
		synctest.Wait()
		close(source.open)
		wantValue(t, <-other, cacheaside.StatusLoaded, "other")
		for _, caller := range []<-chan outcome{waiting, early, late} {
			wantValue(t, <-caller, cacheaside.StatusLoaded, "v2")
		}
		records := cache.records()
		if last := records[len(records)-1]; last.key != "key" || last.condition.Observation != "first" {
			t.Errorf("recorded %+v, which replaces no tombstone", last)
		}
		wantAtRest(t, region, 1)
	})
}

// TestACallerThatSeesWhatAnotherReleaseWroteOverATombstoneDoesNotJoinALoadFromBeforeIt is about entries that this process cannot use: they may have
// replaced a tombstone as well as a value.
func TestACallerThatSeesWhatAnotherReleaseWroteOverATombstoneDoesNotJoinALoadFromBeforeIt(t *testing.T) {
	for name, entry := range map[string]cacheaside.EntryKind{
		"another shape": cacheaside.EntryPayload, "a retired version": cacheaside.EntryRetired, "a future version": cacheaside.EntryFuture,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := &scripted{}
				region := newRegion(t, cache, policy(func(p *cacheaside.Policy) {
					p.Incompatible, p.Future = cacheaside.QuarantineAndReload, cacheaside.LoadOnly
				}))
				old, renewed := newGate(cacheaside.Loaded("v1", "")), newGate(cacheaside.Loaded("v2", ""))
				before := goGet(context.Background(), region, "key", old.load)
				synctest.Wait()
				cache.lookup = always(unusable(entry, "theirs"))
				later := goGet(context.Background(), region, "key", renewed.load)
				synctest.Wait()
				joined := goGet(context.Background(), region, "key", mustNotLoad(t))
				synctest.Wait()
				close(old.open)
				wantValue(t, <-before, cacheaside.StatusLoaded, "v1")
				close(renewed.open)
				wantValue(t, <-later, cacheaside.StatusLoaded, "v2")
				wantValue(t, <-joined, cacheaside.StatusLoaded, "v2")
			})
		})
	}
}

func TestAFailureFromBeforeAnotherProcessesTombstoneRefusesNobodyWhoSeesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newInvalidatedElsewhere()
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.FailureBackoff = time.Minute }))
		fails := returning(cacheaside.TransientFailure[string]("down", errDown))
		get(context.Background(), region, "key", fails)
		wantRejected(t, get(context.Background(), region, "key", mustNotLoad(t)), cacheaside.ReasonSourceBackoff)
		cache.invalidate("first")
		if o := get(context.Background(), region, "key", fails); o.result.Status != cacheaside.StatusFailed {
			t.Fatalf("got %v, %v", o.result.Status, o.err)
		}
		// That load failed after the tombstone, which is remembered.
		wantRejected(t, get(context.Background(), region, "key", mustNotLoad(t)), cacheaside.ReasonSourceBackoff)
		cache.invalidate("second")
		wantValue(t, get(context.Background(), region, "key", returning(cacheaside.Loaded("v2", ""))), cacheaside.StatusLoaded, "v2")
		wantAtRest(t, region, 16)
		if stats := region.Stats(); stats.RememberedFailures != 0 {
			t.Fatalf("%+v", stats)
		}
	})
}

// TestAThousandCallersAfterATombstoneMakeOneLoad has their lookups take anything up to twenty times as long as the load.
func TestAThousandCallersAfterATombstoneMakeOneLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newInvalidatedElsewhere()
		look := cache.lookup
		stored := make(chan struct{})
		cache.lookup = func(ctx context.Context, key string) cacheaside.Lookup[string] {
			delay := time.Duration(cache.lookedUp()*37%1000) * time.Millisecond / 10
			<-time.After(delay / 2)
			found := look(ctx, key)
			select {
			case <-stored:
				found = fresh("v2")
			default:
			}
			<-time.After(delay / 2)
			return found
		}
		cache.record = func(_ context.Context, _ string, _ cacheaside.Entry[string], when cacheaside.Condition) cacheaside.RecordOutcome {
			if when.Observation != "first" {
				return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordConditionFailed}
			}
			close(stored)
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.MaxWaitersPerKey, p.LoadDeadline = 1000, time.Minute }))
		old, renewed := newGate(cacheaside.Loaded("v1", "")), counted(after(5*time.Millisecond, cacheaside.Loaded("v2", "")))
		before := goGet(context.Background(), region, "key", old.load)
		<-time.After(time.Second)
		cache.invalidate("first")
		herd := crowd(1000, region, "key", renewed.call)
		<-time.After(time.Second)
		close(old.open)
		wantValue(t, <-before, cacheaside.StatusLoaded, "v1")
		herd.each(func(o outcome) {
			if o.err != nil || o.result.Value != "v2" {
				t.Errorf("got %v %q, %v", o.result.Status, o.result.Value, o.err)
			}
		})
		renewed.want(t, 1)
		cache.lookup = always(missing())
		wantAtRest(t, region, 16)
	})
}
