package cacheaside_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestALoadThatWasInvalidatedDuringAnOutageIsNotRecordedAfterIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{lookup: always(unavailable())}
		region := newRegion(t, cache)
		source := newGate(cacheaside.Loaded("v1", ""))
		caller := goGet(context.Background(), region, "key", source.load)
		synctest.Wait()
		if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
			t.Fatal(err)
		}
		close(source.open)
		wantValue(t, <-caller, cacheaside.StatusLoaded, "v1")
		synctest.Wait()
		if records := cache.records(); len(records) != 0 {
			t.Fatalf("recorded %+v", records)
		}
	})
}

func TestAValueSeenBetweenTheFirstMarkAndTheTombstoneIsNotServedAfterTheInvalidation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hard := time.Now().Add(time.Hour)
		found := stale("old", hard)
		writing, write := make(chan struct{}), make(chan struct{})
		cache := &scripted{}
		cache.lookup = func(context.Context, string) cacheaside.Lookup[string] { return found }
		cache.invalidate = func(context.Context, string) cacheaside.RecordOutcome {
			close(writing)
			<-write
			found = cacheaside.Lookup[string]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissInvalidated, Observation: "tombstone"}
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}
		region := newRegion(t, cache)
		invalidated := make(chan error, 1)
		go func() { invalidated <- cacheaside.Invalidate(context.Background(), region, "key") }()
		<-writing
		source := newGate(cacheaside.TransientFailure[string]("down", errDown))
		caller := goGet(context.Background(), region, "key", source.load) // sees the old entry still
		synctest.Wait()
		close(write)
		if err := <-invalidated; err != nil {
			t.Fatal(err)
		}
		close(source.open)
		if o := <-caller; o.result.Status != cacheaside.StatusFailed || o.result.Value != "" || !errors.Is(o.err, errDown) {
			t.Fatalf("got %v %q, %v", o.result.Status, o.result.Value, o.err)
		}
	})
}

func TestAnOldFlightThatEndsDoesNotTakeANewerOneOfItsKeyAlong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{})
		old, renewed := newGate(cacheaside.Loaded("v1", "")), newGate(cacheaside.Loaded("v2", ""))
		first := goGet(context.Background(), region, "key", old.load)
		synctest.Wait()
		if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
			t.Fatal(err)
		}
		second := goGet(context.Background(), region, "key", renewed.load)
		synctest.Wait()
		close(old.open)
		wantValue(t, <-first, cacheaside.StatusLoaded, "v1")
		synctest.Wait()
		third := goGet(context.Background(), region, "key", mustNotLoad(t)) // joins the newer flight
		synctest.Wait()
		close(renewed.open)
		wantValue(t, <-second, cacheaside.StatusLoaded, "v2")
		if o := <-third; o.result.Value != "v2" || !o.result.Shared {
			t.Fatalf("got %+v, %v", o.result, o.err)
		}
	})
}

func TestAFailureFromBeforeAnInvalidationRefusesNobodyAfterIt(t *testing.T) {
	for _, remembered := range []string{"before the invalidation", "after it"} {
		t.Run(remembered, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.FailureBackoff = time.Minute }))
				source := newGate(cacheaside.TransientFailure[string]("down", errDown))
				caller := goGet(context.Background(), region, "key", source.load)
				synctest.Wait()
				if remembered == "before the invalidation" {
					close(source.open)
					<-caller
				}
				if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
					t.Fatal(err)
				}
				if remembered == "after it" {
					close(source.open)
					<-caller
				}
				wantValue(t, get(context.Background(), region, "key", returning(cacheaside.Loaded("v2", ""))), cacheaside.StatusLoaded, "v2")
				if stats := region.Stats(); stats.RememberedFailures != 0 {
					t.Fatalf("%+v", stats)
				}
			})
		})
	}
}

// TestAStaleValueSurvivesTheInvalidationsOfOtherKeysInAnOutage invalidates the key itself while nobody loads it, which looks to the counters like a
// neighbour of the same hash, with a cache that cannot be asked any more.
func TestAStaleValueSurvivesTheInvalidationsOfOtherKeysInAnOutage(t *testing.T) {
	for name, own := range map[string]bool{"another key's": false, "its own flight's": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				found := stale("old", time.Now().Add(time.Hour))
				looking, release := make(chan struct{}, 1), make(chan struct{})
				cache := &scripted{}
				cache.lookup = func(context.Context, string) cacheaside.Lookup[string] {
					seen := found
					if cache.lookedUp() == 1 && !own {
						looking <- struct{}{}
						<-release
					}
					return seen
				}
				region := newRegion(t, cache)
				source := newGate(cacheaside.TransientFailure[string]("down", errDown))
				caller := goGet(context.Background(), region, "key", source.load)
				synctest.Wait()
				if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
					t.Fatal(err)
				}
				found = unavailable()
				close(release)
				synctest.Wait()
				close(source.open)
				o := <-caller
				if own {
					if o.result.Status != cacheaside.StatusFailed || o.result.Value != "" {
						t.Fatalf("an invalidated value was served: %+v", o.result)
					}
					return
				}
				wantStale(t, o, "old")
			})
		})
	}
}

func TestAFreshValueThatIsFoundBeforeAStaleAnswerIsTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		found := stale("old", time.Now().Add(time.Hour))
		cache := &scripted{}
		cache.lookup = func(context.Context, string) cacheaside.Lookup[string] { return found }
		region := newRegion(t, cache)
		source := newGate(cacheaside.TransientFailure[string]("down", errDown))
		caller := goGet(context.Background(), region, "key", source.load)
		synctest.Wait()
		if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
			t.Fatal(err)
		}
		found = fresh("new")
		close(source.open)
		wantValue(t, <-caller, cacheaside.StatusFresh, "new")
	})
}
