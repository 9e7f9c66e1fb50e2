package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// alwaysHeld is a fleet of which another process loads one key as long as anybody asks.
func alwaysHeld() *fencedScript {
	return &fencedScript{grant: func(_ int, key string) cacheaside.Grant {
		if key == "held" {
			return heldFor(time.Hour)
		}
		return granted()
	}}
}

func heldWait(wait time.Duration) func(*cacheaside.Policy) {
	return func(p *cacheaside.Policy) { p.HeldWait = wait }
}

func TestWhoIsHeldLoadsNothingAndWaitsAsLongAsThePolicySays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, alwaysHeld(), inFleet(heldWait(3*time.Second)))
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		o := get(ctx, region, "held", mustNotLoad(t))
		wantRejected(t, o, cacheaside.ReasonHeld)
		if o.took != 3*time.Second {
			t.Fatalf("it took %v, want 3s", o.took)
		}
	})
}

func TestWhoIsHeldHoldsNoPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, alwaysHeld(), inFleet(heldWait(time.Minute), func(p *cacheaside.Policy) {
			p.SourceConcurrency, p.MaxOverduePerKey, p.AdmissionWait = 1, 1, time.Second
		}))
		ctx, leave := context.WithCancel(context.Background())
		waiting := goGet(ctx, region, "held", mustNotLoad(t))
		synctest.Wait()
		o := get(context.Background(), region, "free", returning(cacheaside.Loaded("value", "")))
		leave()
		<-waiting
		wantValue(t, o, cacheaside.StatusLoaded, "value")
	})
}

func TestEveryPollForOneLoadIsTheSameRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &fencedScript{grant: func(number int, _ string) cacheaside.Grant {
			if number < 4 {
				return heldFor(time.Hour)
			}
			return granted()
		}}
		o := get(context.Background(), newRegion(t, cache, inFleet(heldWait(time.Minute))), "key", returning(cacheaside.Loaded("value", "")))
		wantValue(t, o, cacheaside.StatusLoaded, "value")
		for _, request := range cache.requests {
			if request != cache.requests[0] || request == (cacheaside.RequestID{}) {
				t.Fatalf("the requests are %x", cache.requests)
			}
		}
	})
}

// besideHeld is a Get of a key that another process loads, by a caller with a stale value.
func besideHeld(t *testing.T, onHeld bool) outcome {
	t.Helper()
	cache := alwaysHeld()
	cache.lookup = always(stale("old", time.Now().Add(time.Hour)))
	region := newRegion(t, cache, inFleet(heldWait(3*time.Second), func(p *cacheaside.Policy) { p.ServeStale.OnHeld = onHeld }))
	return get(context.Background(), region, "held", mustNotLoad(t))
}

func TestAStaleValueAnswersAtOnceWhereItsKeyIsHeldAndThePolicySaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := besideHeld(t, true)
		wantStale(t, o, "old")
		wantAtOnce(t, o)
	})
}

func TestAStaleValueDoesNotAnswerForAHeldKeyUnasked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wantRejected(t, besideHeld(t, false), cacheaside.ReasonHeld)
	})
}
