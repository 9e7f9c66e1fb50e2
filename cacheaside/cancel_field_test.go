package cacheaside_test

import (
	"context"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestC10_ALeaderWhoCancelsFailsNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		r := newRegion(t, cache)
		source := counted(func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
			select {
			case <-time.After(300 * time.Millisecond):
				return cacheaside.Loaded("value", "")
			case <-ctx.Done():
				return cacheaside.Cancelled[string](ctx.Err())
			}
		})
		ctx, cancel := context.WithCancel(context.Background())
		a := goGet(ctx, r, "k", source.call)
		synctest.Wait()
		others := crowd(2, r, "k", source.call)
		<-time.After(50 * time.Millisecond)
		cancel()
		o := <-a
		wantCancelled(t, o, context.Canceled)
		if o.took != 50*time.Millisecond {
			t.Fatalf("the leader ended after %v", o.took)
		}
		others.each(func(o outcome) { wantValue(t, o, cacheaside.StatusLoaded, "value") })
		source.want(t, 1)
		if records := cache.records(); len(records) != 1 {
			t.Fatalf("%d records", len(records))
		}
		wantAtRest(t, r, 16)
	})
}

func TestC11_AWaiterWhoCancelsDoesNotRemoveTheKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{})
		source := counted(after(300*time.Millisecond, cacheaside.Loaded("value", "")))
		a := goGet(context.Background(), r, "k", source.call)
		synctest.Wait()
		b := get(leavingAfter(t, 50*time.Millisecond), r, "k", source.call)
		wantCancelled(t, b, context.DeadlineExceeded)
		if b.took != 50*time.Millisecond {
			t.Fatalf("the waiter ended after %v", b.took)
		}
		<-time.After(50 * time.Millisecond)
		c := goGet(context.Background(), r, "k", source.call)
		wantValue(t, <-a, cacheaside.StatusLoaded, "value")
		o := <-c
		wantValue(t, o, cacheaside.StatusLoaded, "value")
		if !o.result.Shared || o.took != 200*time.Millisecond {
			t.Fatalf("the third caller got %+v after %v", o.result, o.took)
		}
		source.want(t, 1)
		wantAtRest(t, r, 16)
	})
}

func TestC13_AWaiterWaitsNoLongerThanItsOwnDeadlineAndItsPlaceIsFreeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		r := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.MaxWaitersPerKey = 5 }))
		load := after(800*time.Millisecond, cacheaside.Loaded("value", ""))
		leader := goGet(context.Background(), r, "k", load)
		synctest.Wait()
		var waiters [5]<-chan outcome
		for i := range waiters {
			waiters[i] = goGet(leavingAfter(t, time.Duration(i+1)*20*time.Millisecond), r, "k", load)
		}
		synctest.Wait()
		wantRejected(t, get(context.Background(), r, "k", load), cacheaside.ReasonWaitersFull)
		for i, ended := range waiters {
			o := <-ended
			wantCancelled(t, o, context.DeadlineExceeded)
			if budget := time.Duration(i+1) * 20 * time.Millisecond; o.took != budget {
				t.Fatalf("a waiter with %v ended after %v", budget, o.took)
			}
			synctest.Wait()
			if s := r.Stats(); s.Waiters != len(waiters)-i-1 {
				t.Fatalf("after %d have left: %+v", i+1, s)
			}
		}
		late := goGet(context.Background(), r, "k", load)
		wantValue(t, <-leader, cacheaside.StatusLoaded, "value")
		wantValue(t, <-late, cacheaside.StatusLoaded, "value")
		if len(cache.records()) != 1 {
			t.Fatalf("records %+v", cache.records())
		}
		wantAtRest(t, r, 16)
	})
}

// TestC15_WorkThatOutlivesTheRequestIsRecordedAndNeverToldAsWhatItIsNot cancels a hundred callers in the last statement of their loads.
func TestC15_WorkThatOutlivesTheRequestIsRecordedAndNeverToldAsWhatItIsNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const keys = 100
		cache := &scripted{record: func(ctx context.Context, _ string, _ cacheaside.Entry[string], _ cacheaside.Condition) cacheaside.RecordOutcome {
			<-time.After(time.Millisecond)
			if ctx.Err() != nil {
				return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Err: ctx.Err()}
			}
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}}
		r := newRegion(t, cache)
		for i := range keys {
			ctx, cancel := context.WithCancel(context.Background())
			o := get(ctx, r, strconv.Itoa(i), func(context.Context, string) cacheaside.SourceOutcome[string] {
				out := cacheaside.Loaded("value", "")
				cancel()
				return out
			})
			if o.result.Status == cacheaside.StatusLoaded {
				wantPending(t, o)
			} else {
				wantCancelled(t, o, context.Canceled)
			}
		}
		<-time.After(200 * time.Millisecond)
		for i := range keys {
			if found := cache.stored(strconv.Itoa(i)); found.Kind != cacheaside.LookupFresh || found.Value != "value" {
				t.Fatalf("key %d was not recorded", i)
			}
		}
		wantAtRest(t, r, 16)
	})
}

func TestC16_ADeadlineShorterThanTheAdmissionWaitIsTheCallersOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) {
			p.SourceConcurrency, p.MaxOverduePerKey, p.AdmissionWait, p.LoadDeadline = 1, 1, 2*time.Second, 3*time.Second
		}))
		busy := goGet(context.Background(), r, "busy", after(2*time.Second-1, cacheaside.Loaded("value", "")))
		synctest.Wait()
		o := get(leavingAfter(t, 50*time.Millisecond), r, "x", mustNotLoad(t))
		wantCancelled(t, o, context.DeadlineExceeded)
		if o.took != 50*time.Millisecond || reasonOf(o) != 0 {
			t.Fatalf("ended after %v with %v", o.took, o.err)
		}
		synctest.Wait()
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if s := r.Stats(); s.InFlightKeys != 1 || strings.Contains(string(stacks), ").Acquire(") {
			t.Fatalf("still queued: %+v\n%s", s, stacks)
		}
		wantValue(t, <-busy, cacheaside.StatusLoaded, "value")
		<-time.After(time.Minute)
		wantAtRest(t, r, 1)
	})
}
