package cacheaside_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		region := newRegion(t, cache)
		old, renewed := newGate(cacheaside.Loaded("v1", "")), newGate(cacheaside.Loaded("v2", ""))
		before := goGet(context.Background(), region, "key", old.load)
		joined := goGet(context.Background(), region, "key", old.load)
		synctest.Wait()
		if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
			t.Fatal(err)
		}
		later := goGet(context.Background(), region, "key", renewed.load)
		synctest.Wait()
		if calls, _ := renewed.counts(); calls != 1 {
			t.Fatal("a caller after the invalidation joined the load from before it")
		}
		close(old.open)
		for _, ended := range []<-chan outcome{before, joined} {
			o := <-ended
			wantValue(t, o, cacheaside.StatusLoaded, "v1")
			if o.result.Record.Certainty != cacheaside.RecordNotApplied || o.result.Record.Reason != cacheaside.RecordSuperseded {
				t.Fatalf("record %+v", o.result.Record)
			}
		}
		close(renewed.open)
		wantValue(t, <-later, cacheaside.StatusLoaded, "v2")
		if records := cache.records(); len(records) != 1 || records[0].entry.Value != "v2" {
			t.Fatalf("recorded %+v", records)
		}
		wantAtRest(t, region, 16)
	})
}

func TestAnOverdueLoadIsNotRecordedAfterAnInvalidation(t *testing.T) {
	for name, invalidated := range map[string]bool{"control: without one it is": false, "with one": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := &scripted{}
				region := newRegion(t, cache)
				source := newGate(cacheaside.Loaded("v1", ""))
				source.ignoresContext = true
				wantRejected(t, get(context.Background(), region, "key", source.load), cacheaside.ReasonLoadDeadline)
				if invalidated {
					if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
						t.Fatal(err)
					}
				}
				close(source.open)
				synctest.Wait()
				if records := cache.records(); len(records) == 1 == invalidated {
					t.Fatalf("recorded %+v", records)
				}
				wantAtRest(t, region, 16)
			})
		})
	}
}

func TestAStaleValueFromBeforeAnInvalidationIsNotServedAfterIt(t *testing.T) {
	for name, wait := range map[string]time.Duration{"when the load fails": 0, "when the refresh wait ends": 500 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := &scripted{}
				hard := time.Now().Add(time.Hour)
				found := stale("old", hard)
				cache.lookup = func(context.Context, string) cacheaside.Lookup[string] { return found }
				cache.invalidate = func(context.Context, string) cacheaside.RecordOutcome {
					found = cacheaside.Lookup[string]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissInvalidated, Observation: "tombstone"}
					return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
				}
				region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.ServeStale.RefreshWait = wait }))
				source := newGate(cacheaside.TransientFailure[string]("down", errDown))
				ended := goGet(context.Background(), region, "key", source.load)
				synctest.Wait()
				if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
					t.Fatal(err)
				}
				<-time.After(600 * time.Millisecond)
				close(source.open)
				if o := <-ended; o.result.Status != cacheaside.StatusFailed || o.result.Value != "" || !errors.Is(o.err, errDown) {
					t.Fatalf("got %v %q, %v", o.result.Status, o.result.Value, o.err)
				}
			})
		})
	}
}

func TestAnInvalidationOfAnotherKeyCostsAStaleAnswerOneLookupAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{lookup: always(stale("old", time.Now().Add(time.Hour)))}
		region := newRegion(t, cache)
		source := newGate(cacheaside.TransientFailure[string]("down", errDown))
		ended := goGet(context.Background(), region, "key", source.load)
		synctest.Wait()
		// The key itself, with a cache that keeps its entry, looks to the counters like a neighbour of the same hash.
		if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
			t.Fatal(err)
		}
		close(source.open)
		wantStale(t, <-ended, "old")
		if cache.lookedUp() != 2 {
			t.Fatalf("%d lookups", cache.lookedUp())
		}
	})
}

func TestALeaderWhoLookedBeforeAnInvalidationLooksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looking, release := make(chan struct{}), make(chan struct{})
		cache := &scripted{}
		first := true
		cache.lookup = func(context.Context, string) cacheaside.Lookup[string] {
			if first {
				first = false
				close(looking)
				<-release
				return missing()
			}
			return cacheaside.Lookup[string]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissInvalidated, Observation: "tombstone"}
		}
		region := newRegion(t, cache)
		ended := goGet(context.Background(), region, "key", returning(cacheaside.Loaded("v2", "")))
		<-looking
		if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
			t.Fatal(err)
		}
		close(release)
		wantValue(t, <-ended, cacheaside.StatusLoaded, "v2")
		if records := cache.records(); len(records) != 1 || records[0].condition.Observation != "tombstone" {
			t.Fatalf("recorded %+v", records)
		}
	})
}

func TestAnInvalidationThatIsNotCertainlyAppliedIsAnError(t *testing.T) {
	t.Parallel()
	for _, row := range []cacheaside.RecordOutcome{
		{Certainty: cacheaside.RecordIndeterminate, Err: context.DeadlineExceeded},
		{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordStoreRefused, Err: errDown},
		{Certainty: cacheaside.RecordNone},
	} {
		cache := &scripted{invalidate: func(context.Context, string) cacheaside.RecordOutcome { return row }}
		err := cacheaside.Invalidate(context.Background(), newRegion(t, cache), "key")
		var failed *cacheaside.InvalidateError
		if !errors.As(err, &failed) || failed.Certainty != row.Certainty || failed.Reason != row.Reason || row.Err != nil && !errors.Is(err, row.Err) {
			t.Errorf("%+v: %v", row, err)
		}
	}
}

func TestARegionWhoseCacheCannotInvalidateSaysSo(t *testing.T) {
	t.Parallel()
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, int]{Name: "plain", Cache: &holder[int]{}, Policy: cacheaside.StrictPolicy()})
	if err != nil {
		t.Fatal(err)
	}
	if region.CanInvalidate() {
		t.Error("it says that it can")
	}
	if err := cacheaside.Invalidate(context.Background(), region, "key"); !errors.Is(err, cacheaside.ErrCannotInvalidate) {
		t.Errorf("got %v", err)
	}
	if !newRegion(t, &scripted{}).CanInvalidate() {
		t.Error("an invalidator is not found")
	}
}

func TestAnInvalidatedLoadThatNobodyWaitsForIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{})
		ended := make(chan error, 1)
		ctx, cancel := context.WithCancel(context.Background())
		call := goGet(ctx, region, "key", func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
			<-ctx.Done()
			ended <- ctx.Err()
			return cacheaside.Cancelled[string](ctx.Err())
		})
		synctest.Wait()
		cancel()
		<-call
		synctest.Wait()
		if len(ended) != 0 {
			t.Fatal("a load that nobody waits for was cancelled before any invalidation")
		}
		begun := time.Now()
		if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; !errors.Is(err, context.Canceled) || time.Since(begun) != 0 {
			t.Fatalf("ended with %v after %v", err, time.Since(begun))
		}
		wantAtRest(t, region, 16)
	})
}
