package cacheaside_test

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// looksThenWaits gives what is found by the first lookup only once the test releases it.
func looksThenWaits(first, later cacheaside.Lookup[string]) (cache *scripted, looking chan struct{}, release chan struct{}) {
	cache = &scripted{}
	looking, release = make(chan struct{}), make(chan struct{})
	cache.lookup = func(_ context.Context, key string) cacheaside.Lookup[string] {
		if key == "slow" {
			if cache.lookedUp() == 1 {
				close(looking)
				<-release
				return first
			}
			return later
		}
		return missing()
	}
	return cache, looking, release
}

func TestALeaderWhoLookedBeforeALateRecordLooksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		written := make(chan struct{})
		cache, looking, release := looksThenWaits(missing(), fresh("recorded"))
		cache.record = func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
			<-written
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.RecordWait = 0 }))
		// The first caller's lookup is slow. Another one loads meanwhile; its flight is over, its record is not.
		blocked := goGet(context.Background(), region, "slow", returning(cacheaside.Loaded("other", "")))
		<-looking
		cacheLookup := cache.lookup
		cache.lookup = always(missing())
		wantValue(t, get(context.Background(), region, "slow", returning(cacheaside.Loaded("recorded", ""))), cacheaside.StatusLoaded, "recorded")
		cache.lookup = cacheLookup
		// A second caller looks after that flight, before the record: only the record's end tells it to look again.
		second := make(chan outcome, 1)
		lookedBefore := make(chan struct{})
		proceed := make(chan struct{})
		cache.lookup = func(context.Context, string) cacheaside.Lookup[string] {
			select {
			case <-lookedBefore:
				return fresh("recorded")
			default:
				close(lookedBefore)
				<-proceed
				return missing()
			}
		}
		go func() { second <- get(context.Background(), region, "slow", mustNotLoad(t)) }()
		<-lookedBefore
		close(written)
		synctest.Wait()
		close(proceed)
		wantValue(t, <-second, cacheaside.StatusFresh, "recorded")
		close(release)
		<-blocked
	})
}

func TestARefreshThatSomebodyTookAStaleValueForIsNotAbandonedWhenItsLeaderLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		found := missing()
		cache := &scripted{}
		cache.lookup = func(context.Context, string) cacheaside.Lookup[string] { return found }
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) {
			p.CancelAbandoned, p.ServeStale.RefreshWait = true, cacheaside.DontWait
		}))
		source := newGate(cacheaside.Loaded("new", ""))
		ctx, cancel := context.WithCancel(context.Background())
		leader := goGet(ctx, region, "key", source.load)
		synctest.Wait()
		found = stale("old", time.Now().Add(time.Hour))
		wantStale(t, get(context.Background(), region, "key", mustNotLoad(t)), "old")
		cancel()
		<-leader
		synctest.Wait()
		close(source.open)
		synctest.Wait()
		if records := cache.records(); len(records) != 1 || records[0].entry.Value != "new" {
			t.Fatalf("the refresh was abandoned: %+v", records)
		}
	})
}

func TestALeaderThatCouldNotLookAndThenSeesAMissWaitsForItsRecordLikeAMiss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache, looking, release := looksThenWaits(unavailable(), missing())
		region := newRegion(t, cache)
		caller := goGet(context.Background(), region, "slow", returning(cacheaside.Loaded("value", "")))
		<-looking
		if err := cacheaside.Invalidate(context.Background(), region, "slow"); err != nil { // makes it look again
			t.Fatal(err)
		}
		close(release)
		o := <-caller
		wantValue(t, o, cacheaside.StatusLoaded, "value")
		if o.result.Record.Certainty != cacheaside.RecordApplied {
			t.Fatalf("record %+v", o.result.Record)
		}
	})
}

func TestALeaderWhoseSecondLookupFailsReleasesItsCallersBeforeTheRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache, looking, release := looksThenWaits(missing(), unavailable())
		cache.record = func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
			<-time.After(time.Hour)
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordIndeterminate}
		}
		region := newRegion(t, cache)
		caller := goGet(context.Background(), region, "slow", returning(cacheaside.Loaded("value", "")))
		<-looking
		if err := cacheaside.Invalidate(context.Background(), region, "slow"); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		close(release)
		wantValue(t, <-caller, cacheaside.StatusLoaded, "value")
		if took := time.Since(begun); took != 0 {
			t.Fatalf("released after %v", took)
		}
	})
}

func TestRecordsThatHangAreBoundedLikeEverythingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		release := make(chan struct{})
		cache.record = func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
			<-release
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) {
			p.MaxInFlightKeys, p.SourceConcurrency, p.MaxOverduePerKey, p.RecordWait = 4, 2, 1, 0
		}))
		unsent := 0
		for i := range 100 {
			o := get(context.Background(), region, strconv.Itoa(i), returning(cacheaside.Loaded("value", "")))
			wantValue(t, o, cacheaside.StatusLoaded, "value")
			if o.result.Record.Reason == cacheaside.RecordNeverSent {
				unsent++
			}
		}
		synctest.Wait()
		if stats := region.Stats(); stats.RunningRecords != 8 || unsent != 92 {
			t.Fatalf("%d records run, %d were not made", stats.RunningRecords, unsent)
		}
		close(release)
		wantAtRest(t, region, 2)
	})
}

func TestCloseWhoseTimeIsUpAlsoEndsALoadThatWasInvalidated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.LoadDeadline = time.Hour }))
		source := newGate(cacheaside.Loaded("value", ""))
		caller := goGet(context.Background(), region, "key", source.load)
		synctest.Wait()
		if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := region.Close(ctx); err == nil {
			t.Fatal("Close did not tell that its time was up")
		}
		o := <-caller
		wantRejected(t, o, cacheaside.ReasonClosed)
		if o.took != time.Second {
			t.Fatalf("released after %v", o.took)
		}
	})
}

func TestAFailureOfALoadThatClosingWaitedForIsNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.FailureBackoff = time.Hour }))
		source := newGate(cacheaside.TransientFailure[string]("down", errDown))
		caller := goGet(context.Background(), region, "key", source.load)
		synctest.Wait()
		closed := make(chan error, 1)
		go func() { closed <- region.Close(context.Background()) }()
		synctest.Wait()
		close(source.open)
		<-caller
		if err := <-closed; err != nil {
			t.Fatal(err)
		}
		if stats := region.Stats(); stats.RememberedFailures != 0 {
			t.Fatalf("%+v", stats)
		}
	})
}

// recycled is a context that its owner uses again once its call has ended: what asks it for a value then is told so by a panic.
type recycled struct {
	context.Context
	gone chan struct{}
}

func (r recycled) Value(key any) any {
	select {
	case <-r.gone:
		panic("a context was used after its call")
	default:
		return r.Context.Value(key)
	}
}

func TestTheLibraryAsksACallersContextForNothingOnceItHasLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) {
			p.SourceConcurrency, p.MaxOverduePerKey, p.AdmissionWait = 1, 1, time.Minute
		}),
			func(cfg *cacheaside.RegionConfig[string, string]) {
				cfg.LoadContext = func(context.Context) context.Context { return context.Background() }
			})
		busy := newGate(cacheaside.Loaded("busy", ""))
		first := goGet(context.Background(), region, "busy", busy.load)
		synctest.Wait()
		inner, cancel := context.WithCancel(context.Background())
		ctx := recycled{inner, make(chan struct{})}
		leader := goGet(ctx, region, "key", returning(cacheaside.Loaded("value", "")))
		synctest.Wait()
		waiter := goGet(context.Background(), region, "key", mustNotLoad(t))
		synctest.Wait()
		cancel()
		<-leader
		close(ctx.gone)
		close(busy.open)
		<-first
		wantValue(t, <-waiter, cacheaside.StatusLoaded, "value")
		wantAtRest(t, region, 1)
	})
}

func TestARegionThatNewRegionDidNotMakeIsRefusedAndHangsNobody(t *testing.T) {
	t.Parallel()
	for name, region := range map[string]*cacheaside.Region[string, string]{"nil": nil, "zero": new(cacheaside.Region[string, string])} {
		if err := region.Close(context.Background()); err == nil {
			t.Errorf("%s: closed", name)
		}
		if stats := region.Stats(); stats.InFlightKeys != 0 || region.CanInvalidate() {
			t.Errorf("%s: %+v", name, stats)
		}
	}
}
