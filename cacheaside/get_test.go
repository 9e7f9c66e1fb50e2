package cacheaside_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestAThousandCallersOfOneColdKeyCallTheLoaderOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.MaxWaitersPerKey = 1000 }))
		source := newGate(cacheaside.Loaded("value", "r7"))
		var callers sync.WaitGroup
		outcomes := make([]outcome, 1000)
		for i := range outcomes {
			callers.Go(func() { outcomes[i] = get(context.Background(), region, "key", source.load) })
		}
		synctest.Wait()
		if stats := region.Stats(); stats.Waiters != 999 || stats.InFlightKeys != 1 || stats.RunningLoads != 1 {
			t.Fatalf("while loading: %+v", stats)
		}
		close(source.open)
		callers.Wait()
		shared := 0
		for _, o := range outcomes {
			wantValue(t, o, cacheaside.StatusLoaded, "value")
			if o.result.Revision != "r7" || o.result.Record.Certainty != cacheaside.RecordApplied {
				t.Fatalf("a caller got %+v", o.result)
			}
			if o.result.Shared {
				shared++
			}
		}
		if calls, _ := source.counts(); calls != 1 || shared != 999 || len(cache.records()) != 1 {
			t.Fatalf("%d loads, %d shared results, %d records", calls, shared, len(cache.records()))
		}
		wantAtRest(t, region, 16)
	})
}

func TestALoaderThatNeverReturnsReleasesItsCallersAtTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{})
		source := newGate(cacheaside.Loaded("late", ""))
		source.ignoresContext = true
		first, second := goGet(context.Background(), region, "key", source.load), goGet(context.Background(), region, "key", source.load)
		for _, ended := range []<-chan outcome{first, second} {
			o := <-ended
			wantRejected(t, o, cacheaside.ReasonLoadDeadline)
			if o.took != time.Second {
				t.Fatalf("released after %v", o.took)
			}
		}
		if stats := region.Stats(); stats.OverdueLoads != 1 || stats.RunningLoads != 1 || stats.InFlightKeys != 0 {
			t.Fatalf("with an overdue load: %+v", stats)
		}
		close(source.open)
		wantAtRest(t, region, 16)
	})
}
