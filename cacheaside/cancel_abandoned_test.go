package cacheaside_test

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func cancelAbandoned(p *cacheaside.Policy) { p.CancelAbandoned = true }

// leavingAfter gives a context that ends in d.
func leavingAfter(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func TestAnAbandonedLoadIsCancelledWhenTheLastCallerLeavesAndNotBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		r := newRegion(t, cache, policy(cancelAbandoned))
		begun := time.Now()
		var endedAfter time.Duration
		var why error
		load := func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
			<-ctx.Done()
			endedAfter, why = time.Since(begun), ctx.Err()
			return cacheaside.Cancelled[string](ctx.Err())
		}
		all := &callers{}
		for i := range 5 {
			all.add(leavingAfter(t, time.Duration(i+1)*10*time.Millisecond), r, "key", load)
		}
		all.each(func(o outcome) { wantCancelled(t, o, context.DeadlineExceeded) })
		wantEmpty(t, r)
		if endedAfter != 50*time.Millisecond || why != context.Canceled { //nolint:errorlint // the very error is the promise
			t.Fatalf("the load was ended after %v with %v, want Canceled after 50ms", endedAfter, why)
		}
		if records := cache.records(); len(records) != 0 {
			t.Fatalf("records %+v", records)
		}
		wantAtRest(t, r, 16)
	})
}

func TestTheCallerAfterAnAbandonedLoadStartsALoadOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{}, policy(cancelAbandoned))
		hung := newGate(cacheaside.PermanentFailure[string]("old", nil))
		hung.ignoresContext = true
		wantCancelled(t, get(leavingAfter(t, time.Millisecond), r, "key", hung.load), context.DeadlineExceeded)
		o := get(context.Background(), r, "key", returning(cacheaside.Loaded("new", "")))
		wantValue(t, o, cacheaside.StatusLoaded, "new")
		wantAtOnce(t, o)
		if s := r.Stats(); s.RunningLoads != 1 || s.OverdueLoads != 0 || s.InFlightKeys != 0 {
			t.Fatalf("with one abandoned load: %+v", s)
		}
		close(hung.open)
		wantAtRest(t, r, 16)
	})
}

func TestACallerWhoComesWhileTheLastOneLeavesNeverJoinsADyingLoad(t *testing.T) {
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			r := newRegion(t, &scripted{}, policy(cancelAbandoned))
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			source := newGate(cacheaside.Loaded("value", ""))
			left := goGet(ctx, r, "key", source.load)
			synctest.Wait()
			go cancel()
			came := goGet(context.Background(), r, "key", source.load)
			wantCancelled(t, <-left, context.Canceled)
			synctest.Wait()
			close(source.open)
			wantValue(t, <-came, cacheaside.StatusLoaded, "value")
			wantEmpty(t, r)
		})
	}
}

func TestAHungKeyThatIsAbandonedOverAndOverHoldsNoMoreThanItsPermits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{}, policy(cancelAbandoned))
		hung := newGate(cacheaside.Loaded("late", ""))
		hung.ignoresContext = true
		for i := range 100 {
			o := get(leavingAfter(t, time.Millisecond), r, "hung", hung.load)
			if i < 4 {
				wantCancelled(t, o, context.DeadlineExceeded)
			} else {
				wantRejected(t, o, cacheaside.ReasonOverdue)
				wantAtOnce(t, o)
			}
			other := get(context.Background(), r, "other "+strconv.Itoa(i), after(time.Millisecond, cacheaside.Loaded("value", "")))
			wantValue(t, other, cacheaside.StatusLoaded, "value")
		}
		if calls, peak := hung.counts(); calls != 4 || peak != 4 {
			t.Fatalf("%d loads of the hung key, %d at once; want 4", calls, peak)
		}
		<-time.After(time.Second) // only now is the last of them past its deadline
		synctest.Wait()
		if s := r.Stats(); s.OverdueLoads != 4 || s.RunningLoads != 4 {
			t.Fatalf("%+v", s)
		}
		close(hung.open)
		wantAtRest(t, r, 16)
	})
}

func TestAValueThatComesAfterItsLoadWasAbandonedIsRecordedForLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		r := newRegion(t, cache, policy(cancelAbandoned))
		begun := time.Now()
		o := get(leavingAfter(t, 10*time.Millisecond), r, "key", after(300*time.Millisecond, cacheaside.Loaded("late", "r1")))
		wantCancelled(t, o, context.DeadlineExceeded)
		<-time.After(time.Second)
		records := cache.records()
		if len(records) != 1 || records[0].entry.Value != "late" || records[0].entry.Revision != "r1" {
			t.Fatalf("records %+v", records)
		}
		if from := records[0].entry.LoadedAt.Sub(begun); from != 10*time.Millisecond {
			t.Fatalf("the expiries count from %v, want the moment when the load was given up", from)
		}
		wantAtRest(t, r, 16)
	})
}

// TestACallerThatLeavesRightAfterTheLoaderReturnedGetsTheValue cancels from the event of the load, which comes before the flight goes on: the
// moment between the loader's return and the record.
func TestACallerThatLeavesRightAfterTheLoaderReturnedGetsTheValue(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			wait, open := blocking()
			cache := &scripted{record: func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
				wait()
				return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
			}}
			r := newRegion(t, cache, func(cfg *cacheaside.RegionConfig[string, string]) {
				cfg.Observer = cacheaside.ObserverFunc(func(event cacheaside.Event) {
					if event.Kind == cacheaside.EventLoad {
						cancel() // the loader has returned
					}
				})
			})
			o := get(ctx, r, "key", returning(cacheaside.Loaded("value", "")))
			open()
			wantPending(t, o)
			wantAtRest(t, r, 16)
		})
	}
}

func TestWithABoundOfOneTheCallerAfterAnAbandonedLoadStillStartsALoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{}, policy(cancelAbandoned), policy(func(p *cacheaside.Policy) { p.MaxOverduePerKey = 1 }))
		hung := newGate(cacheaside.PermanentFailure[string]("old", nil))
		hung.ignoresContext = true
		wantCancelled(t, get(leavingAfter(t, time.Millisecond), r, "key", hung.load), context.DeadlineExceeded)
		wantValue(t, get(context.Background(), r, "key", returning(cacheaside.Loaded("new", ""))), cacheaside.StatusLoaded, "new")
		wantCancelled(t, get(leavingAfter(t, time.Millisecond), r, "key", hung.load), context.DeadlineExceeded)
		wantRejected(t, get(context.Background(), r, "key", mustNotLoad(t)), cacheaside.ReasonOverdue)
		close(hung.open)
		wantAtRest(t, r, 16)
	})
}

// TestAnAbandonedLoadThatReturnsOnItsDeadlineIsCountedOnceOrNotAtAll sets the loader's return against the deadline's timer.
func TestAnAbandonedLoadThatReturnsOnItsDeadlineIsCountedOnceOrNotAtAll(t *testing.T) {
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			r := newRegion(t, &scripted{}, policy(cancelAbandoned))
			o := get(leavingAfter(t, time.Millisecond), r, "key", after(time.Second, cacheaside.Loaded("late", "")))
			wantCancelled(t, o, context.DeadlineExceeded)
			<-time.After(2 * time.Second)
			wantEmpty(t, r)
		})
	}
}

func TestARefreshThatNobodyWaitsForIsCancelledByAnInvalidation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{lookup: always(stale("old", time.Now().Add(time.Hour)))}
		r := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.ServeStale.RefreshWait = cacheaside.DontWait }))
		ended := make(chan error, 1)
		o := get(context.Background(), r, "key", func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
			<-ctx.Done()
			ended <- ctx.Err()
			return cacheaside.Loaded("outdated", "")
		})
		wantStale(t, o, "old")
		synctest.Wait()
		begun := time.Now()
		if err := cacheaside.Invalidate(context.Background(), r, "key"); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != context.Canceled || time.Since(begun) != 0 { //nolint:errorlint // the very error is the promise
			t.Fatalf("the refresh ended with %v after %v", err, time.Since(begun))
		}
		synctest.Wait()
		if records := cache.records(); len(records) != 0 {
			t.Fatalf("records %+v", records)
		}
		wantEmpty(t, r)
	})
}
