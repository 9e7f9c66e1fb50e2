package cacheaside_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// reconsidered is a cache whose entry may be another when it is looked up once more.
type reconsidered struct {
	scripted
	mu    sync.Mutex
	found cacheaside.Lookup[string] // guarded by mu
	first func()                    // guarded by mu; runs within the next lookup, once
}

func newReconsidered(found cacheaside.Lookup[string]) *reconsidered {
	c := &reconsidered{found: found}
	c.lookup = func(context.Context, string) cacheaside.Lookup[string] {
		c.mu.Lock()
		first, found := c.first, c.found
		c.first = nil
		c.mu.Unlock()
		if first != nil {
			first()
		}
		return found
	}
	return c
}

func (c *reconsidered) become(found cacheaside.Lookup[string]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found = found
}

func (c *reconsidered) duringTheNextLookup(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first = do
}

func TestAStaleValueInvalidatedMeanwhileIsAnsweredAsASecondLookupSays(t *testing.T) {
	down := cacheaside.TransientFailure[string]("down", errDown)
	for name, row := range map[string]struct {
		superseded bool // the invalidation comes while the load runs, not before it
		second     func(hard time.Time) cacheaside.Lookup[string]
		status     cacheaside.Status
		value      string
	}{
		"stale still, another key was meant":         {false, still, cacheaside.StatusStale, "still"},
		"stale again, after the flight's own":        {true, still, cacheaside.StatusStale, "still"},
		"fresh by now":                               {false, renewed, cacheaside.StatusFresh, "new"},
		"fresh by now, after the flight's own":       {true, renewed, cacheaside.StatusFresh, "new"},
		"gone":                                       {false, gone, cacheaside.StatusFailed, ""},
		"gone, after the flight's own":               {true, gone, cacheaside.StatusFailed, ""},
		"cannot be told":                             {false, untold, cacheaside.StatusStale, "old"},
		"cannot be told, but the flight was invalid": {true, untold, cacheaside.StatusFailed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hard := time.Now().Add(time.Hour)
				cache := newReconsidered(stale("old", hard))
				region := newRegion(t, cache)
				invalidate := func() {
					if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
						t.Error(err)
					}
				}
				if !row.superseded {
					cache.duringTheNextLookup(invalidate)
				}
				o := get(context.Background(), region, "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
					if row.superseded {
						invalidate()
					}
					cache.become(row.second(hard))
					return down
				})
				if o.result.Status != row.status || o.result.Value != row.value || (o.err == nil) != (row.value != "") {
					t.Fatalf("got %v %q, error %v; want %v %q", o.result.Status, o.result.Value, o.err, row.status, row.value)
				}
				if o.err != nil && !errors.Is(o.err, errDown) {
					t.Fatalf("error %v", o.err)
				}
			})
		})
	}
}

func still(hard time.Time) cacheaside.Lookup[string] { return stale("still", hard) }

func renewed(time.Time) cacheaside.Lookup[string] { return fresh("new") }

func gone(time.Time) cacheaside.Lookup[string] { return missing() }

func untold(time.Time) cacheaside.Lookup[string] { return unavailable() }

func TestAStaleValueThatNoFlightWouldTakeStaysWhenTheCacheCannotBeAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newReconsidered(missing())
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) {
			p.MaxInFlightKeys, p.SourceConcurrency, p.MaxOverduePerKey = 1, 1, 1
			p.ServeStale.OnRejected = true
		}))
		held := newGate(cacheaside.Loaded("held", ""))
		busy := goGet(context.Background(), region, "busy", held.load)
		synctest.Wait()
		cache.become(stale("old", time.Now().Add(time.Hour)))
		cache.duringTheNextLookup(func() {
			if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
				t.Error(err)
			}
			cache.become(unavailable())
		})
		o := get(context.Background(), region, "key", mustNotLoad(t))
		wantStale(t, o, "old")
		var cause *cacheaside.RejectedError
		if !errors.As(o.result.Cause, &cause) || cause.Reason != cacheaside.ReasonKeysFull {
			t.Errorf("cause %v", o.result.Cause)
		}
		close(held.open)
		wantValue(t, <-busy, cacheaside.StatusLoaded, "held")
	})
}
