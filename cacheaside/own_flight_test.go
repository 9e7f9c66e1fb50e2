package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

type heldKey struct{}

// heldCache holds one lookup after it has looked.
type heldCache struct {
	*memory.Cache[string, string]
	gate chan struct{}
}

func (c *heldCache) Lookup(ctx context.Context, key string) cacheaside.Lookup[string] {
	found := c.Cache.Lookup(ctx, key)
	if ctx.Value(heldKey{}) != nil {
		<-c.gate
	}
	return found
}

// A caller with DontWait whose stale value is invalidated between its lookup and its flight has begun a flight and finds its value gone. With room for
// no waiter it was refused, though it was alone.
func TestACallerWhoseStaleValueIsGoneIsNoWaiterBehindItself(t *testing.T) {
	for _, room := range []int{4, 0} {
		synctest.Test(t, func(t *testing.T) {
			store, err := memory.New(memory.Config[string, string]{
				TTL: memory.TTL{Soft: time.Millisecond, Hard: time.Minute, Negative: time.Second}, MaxEntries: 4,
			})
			if err != nil {
				t.Fatal(err)
			}
			cache := &heldCache{store, make(chan struct{})}
			policy := cacheaside.SurvivePolicy()
			policy.MaxWaitersPerKey = room
			policy.ServeStale.OnRejected = false
			region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, string]{Name: "r", Cache: cache, Policy: policy})
			if err != nil {
				t.Fatal(err)
			}
			store.Record(t.Context(), "k", cacheaside.Entry[string]{Value: "old"}, cacheaside.Condition{})
			<-time.After(2 * time.Millisecond)
			done := make(chan struct{})
			go func() {
				defer close(done)
				got, err := cacheaside.Get(context.WithValue(t.Context(), heldKey{}, 1), region, "k",
					func(context.Context, string) cacheaside.SourceOutcome[string] {
						<-time.After(time.Millisecond)
						return cacheaside.Loaded("new", "")
					})
				if err != nil || got.Status != cacheaside.StatusLoaded || got.Shared {
					t.Errorf("room %d: %s shared %t, %v; want Loaded, not shared", room, got.Status, got.Shared, err)
				}
			}()
			synctest.Wait()
			if err := cacheaside.Invalidate(t.Context(), region, "k"); err != nil {
				t.Fatal(err)
			}
			close(cache.gate)
			<-done
		})
	}
}
