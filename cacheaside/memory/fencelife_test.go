package memory_test

import (
	"context"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// orderedCache is a cache with fences and ordered revisions whose values and tombstones live that long.
func orderedCache(t *testing.T, hard, tombstone time.Duration) (*memory.Cache[string, string], *clock.Mock) {
	t.Helper()
	now := clock.NewMock()
	now.Set(time.Unix(1_000_000_000, 0))
	cache, err := memory.New(memory.Config[string, string]{
		MaxEntries: 10, Clock: now, Fenced: true, OrderedRevisions: true,
		TTL: memory.TTL{Soft: hard, Hard: hard, Negative: hard, Tombstone: tombstone},
	})
	if err != nil {
		t.Fatal(err)
	}
	return cache, now
}

func mustPut(t *testing.T, cache *memory.Cache[string, string], revision cacheaside.Revision) {
	t.Helper()
	if out := cache.Put(t.Context(), "key", cacheaside.Entry[string]{Value: "value", Revision: revision}); out.Certainty != cacheaside.RecordApplied {
		t.Fatalf("the put of revision %s is %v (%v), want Applied", revision, out.Certainty, out.Reason)
	}
}

func mustAcquire(t *testing.T, cache *memory.Cache[string, string], request byte, lease time.Duration) cacheaside.Fence {
	t.Helper()
	seen := cache.Lookup(t.Context(), "key").Observation
	grant := cache.Acquire(t.Context(), "key", cacheaside.RequestID{request}, seen, lease)
	if grant.Kind != cacheaside.GrantGranted {
		t.Fatalf("request %d is %v, want Granted", request, grant.Kind)
	}
	return grant.Fence
}

func TestTheOrderIsKnownNoLongerThanWhatItIsOf(t *testing.T) {
	t.Run("the value is over and its fence record too", func(t *testing.T) {
		cache, now := orderedCache(t, 100*time.Millisecond, 50*time.Millisecond)
		mustPut(t, cache, "5")
		now.Add(200 * time.Millisecond)
		mustPut(t, cache, "4")
	})
	t.Run("a grant follows a fence record that was over", func(t *testing.T) {
		cache, now := orderedCache(t, 10*time.Millisecond, 10*time.Millisecond)
		mustPut(t, cache, "5")
		now.Add(20 * time.Millisecond)
		mustAcquire(t, cache, 1, time.Second)
		mustPut(t, cache, "4")
	})
}

func TestTheReleaseOfAGrantThatRanOutDoesNotProlongIt(t *testing.T) {
	cache, now := orderedCache(t, time.Minute, time.Minute)
	fence, began := mustAcquire(t, cache, 1, time.Second), now.Now()
	now.Add(2 * time.Second)
	cache.Release(context.Background(), "key", fence)
	now.Set(began.Add(1500 * time.Millisecond)) // a clock that is put right
	mustAcquire(t, cache, 2, time.Second)
}
