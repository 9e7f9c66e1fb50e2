package cacheaside_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// leavesAsItsLoadFails is a Get whose caller would leave with its stale value at RefreshWait. It looks again, since its key was invalidated meanwhile,
// and while that lookup runs its load fails, so that it is answered by the failure and has to consider its value a second time. meanwhile runs
// within that lookup, which has found the old value already.
func leavesAsItsLoadFails(t *testing.T, meanwhile func(cache *reconsidered, invalidate func())) (outcome, *reconsidered) {
	t.Helper()
	cache := newReconsidered(stale("old", time.Now().Add(time.Hour)))
	region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.ServeStale.RefreshWait = 50 * time.Millisecond }))
	invalidate := func() {
		if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
			t.Error(err)
		}
	}
	failing := newGate(cacheaside.TransientFailure[string]("down", errDown))
	answered := goGet(context.Background(), region, "key", failing.load)
	synctest.Wait()
	invalidate()
	cache.duringTheNextLookup(func() {
		meanwhile(cache, invalidate)
		close(failing.open)
		synctest.Wait()
	})
	return <-answered, cache
}

func TestAnInvalidationDuringTheSecondLookupOfAStaleValueIsNotMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, _ := leavesAsItsLoadFails(t, func(cache *reconsidered, invalidate func()) {
			invalidate()
			cache.become(missing())
		})
		if o.result.Status != cacheaside.StatusFailed || o.result.Value != "" || !errors.Is(o.err, errDown) {
			t.Errorf("got %v %q, error %v; want the failure and no value", o.result.Status, o.result.Value, o.err)
		}
	})
}

func TestOneInvalidationCostsACallerWithAStaleValueOneLookup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, cache := leavesAsItsLoadFails(t, func(*reconsidered, func()) {})
		wantStale(t, o, "old")
		if !errors.Is(o.result.Cause, errDown) {
			t.Errorf("the cause is %v, want the failure of the load", o.result.Cause)
		}
		if looked := cache.lookedUp(); looked != 2 {
			t.Errorf("%d lookups, want the first and one again", looked)
		}
	})
}
