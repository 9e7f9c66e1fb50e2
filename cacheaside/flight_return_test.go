package cacheaside_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// TestWhoeverCallsOnceALoadHasFailedStartsANewOneAndFindsThePermitBack calls from the event of the load, the first moment at which anybody can know
// that it failed, in a region with one permit and no wait for it.
func TestWhoeverCallsOnceALoadHasFailedStartsANewOneAndFindsThePermitBack(t *testing.T) {
	for name, out := range map[string]cacheaside.SourceOutcome[string]{
		"transient": cacheaside.TransientFailure[string]("down", nil), "permanent": cacheaside.PermanentFailure[string]("denied", nil),
		"unclassified": cacheaside.Unclassified[string](errDriver), "no outcome": {},
	} {
		t.Run(name, func(t *testing.T) {
			for range 20 {
				synctest.Test(t, func(t *testing.T) {
					var r *stringRegion
					var once sync.Once
					again := make(chan outcome, 1)
					r = newRegion(t, &scripted{}, policy(onePermit), func(cfg *cacheaside.RegionConfig[string, string]) {
						cfg.Policy.AdmissionWait = 0
						cfg.Observer = cacheaside.ObserverFunc(func(event cacheaside.Event) {
							if event.Kind == cacheaside.EventLoad {
								once.Do(func() {
									again <- get(context.Background(), r, "key", returning(cacheaside.Loaded("new", "")))
								})
							}
						})
					})
					if o := get(context.Background(), r, "key", returning(out)); o.err == nil {
						t.Fatalf("the failure was answered %v", o.result.Status)
					}
					wantValue(t, <-again, cacheaside.StatusLoaded, "new")
				})
			}
		})
	}
}

// TestALeaderLooksAgainAfterAFlightThatFailedToo counts lookups: what another process may have recorded since shows in the second one.
func TestALeaderLooksAgainAfterAFlightThatFailedToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		cache.lookup = func(ctx context.Context, _ string) cacheaside.Lookup[string] {
			if ctx.Value(valueKey("slow")) != nil && cache.lookedUp() == 1 {
				<-time.After(100 * time.Millisecond)
			}
			return missing()
		}
		r := newRegion(t, cache)
		slow := goGet(context.WithValue(context.Background(), valueKey("slow"), 1), r, "key", returning(cacheaside.Loaded("value", "")))
		synctest.Wait()
		get(context.Background(), r, "key", returning(cacheaside.PermanentFailure[string]("denied", nil)))
		wantValue(t, <-slow, cacheaside.StatusLoaded, "value")
		if cache.lookedUp() != 3 {
			t.Fatalf("%d lookups, want the two of the callers and the leader's second", cache.lookedUp())
		}
		wantAtRest(t, r, 16)
	})
}

// TestKeysThatWereOverdueLeaveNothingBehind sends twenty thousand keys past their deadlines and lets their loaders return.
func TestKeysThatWereOverdueLeaveNothingBehind(t *testing.T) {
	const waves, keys, allowed = 20, 1000, 1 << 20
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, forgetful{}, policy(func(p *cacheaside.Policy) {
			p.MaxInFlightKeys, p.SourceConcurrency, p.LoadDeadline = keys, keys, 10*time.Millisecond
		}))
		wave := func(name string) {
			for i := range keys {
				go get(context.Background(), r, name+" "+strconv.Itoa(i), after(15*time.Millisecond, cacheaside.Loaded("late", "")))
			}
			<-time.After(12 * time.Millisecond)
			if s := r.Stats(); s.OverdueLoads != keys {
				t.Fatalf("%+v", s)
			}
			<-time.After(10 * time.Millisecond)
			wantEmpty(t, r)
		}
		wave("warm")
		before := heap()
		for i := range waves {
			wave(strconv.Itoa(i))
		}
		if grown := int64(heap()) - int64(before); grown > allowed {
			t.Errorf("the heap grew by %d bytes over %d keys", grown, waves*keys)
		}
	})
}
