package cacheaside_test

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// slowSecondLookups makes every leader look twice, and the second lookup, on the load's values, take a while.
func slowSecondLookups(t *testing.T, takes time.Duration) (cache *scripted, use func(*stringRegion), peak func() int64) {
	t.Helper()
	var region *stringRegion
	var running, most atomic.Int64
	cache = &scripted{lookup: func(ctx context.Context, key string) cacheaside.Lookup[string] {
		if ctx.Done() != nil { // a caller's own
			if err := cacheaside.Invalidate(ctx, region, key); err != nil {
				t.Errorf("Invalidate: %v", err)
			}
			return missing()
		}
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		<-time.After(takes)
		return missing()
	}}
	return cache, func(r *stringRegion) { region = r }, most.Load
}

func TestCallersWhoLeaveDuringTheSecondLookupDoNotMakeMoreOfThemThanTheBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache, use, peak := slowSecondLookups(t, 100*time.Millisecond)
		r := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.MaxInFlightKeys, p.SourceConcurrency, p.MaxOverduePerKey = 4, 4, 1 }))
		use(r)
		refused := 0
		for i := range 200 {
			o := get(leavingAfter(t, time.Millisecond), r, strconv.Itoa(i), mustNotLoad(t))
			if o.result.Status == cacheaside.StatusRejected {
				wantRejected(t, o, cacheaside.ReasonKeysFull)
				<-time.After(time.Millisecond)
				refused++
			}
		}
		synctest.Wait()
		if peak() > 4 || refused == 0 {
			t.Fatalf("%d second lookups at once, the bound is 4; %d refused", peak(), refused)
		}
		<-time.After(time.Second)
		wantEmpty(t, r)
	})
}

func TestTheLongestWaitIsTheSumOfItsLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const second = 70 * time.Millisecond
		cache, use, _ := slowSecondLookups(t, second)
		cache.record = func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
			<-time.After(time.Hour)
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}
		r := newRegion(t, cache, policy(onePermit))
		use(r)
		busy := goGet(leavingAfter(t, time.Hour), r, "busy", after(second+100*time.Millisecond-1, cacheaside.PermanentFailure[string]("busy", nil)))
		<-time.After(second) // busy has the permit
		synctest.Wait()
		o := get(leavingAfter(t, time.Hour), r, "key", after(time.Second-1, cacheaside.Loaded("value", "")))
		wantPending(t, o)
		if limit := second + 100*time.Millisecond + time.Second + 250*time.Millisecond; o.took != limit-2 {
			t.Fatalf("took %v, want all but 2ns of %v", o.took, limit)
		}
		<-busy
		<-time.After(time.Hour)
		wantEmpty(t, r)
	})
}
