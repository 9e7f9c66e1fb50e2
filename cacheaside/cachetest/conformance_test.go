package cachetest_test

import (
	"fmt"
	"testing"

	"github.com/cacheaside/resilience/cacheaside/cachetest"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

func TestTheReferenceCacheKeepsTheContractOfThePort(t *testing.T) {
	t.Parallel()
	cachetest.Run(t, newReference)
}

func newReference(t testing.TB, opt cachetest.Options) cachetest.Subject {
	still := newStillClock()
	const entries = 64
	cache, err := memory.New(memory.Config[string, cachetest.Document]{
		TTL: memory.TTL{
			Soft: opt.Soft, Hard: opt.Hard, Negative: opt.Negative, MinHard: opt.MinHard, Tombstone: opt.Tombstone,
		},
		MaxEntries: entries,
		MaxBytes:   int64(opt.MaxValueBytes + memory.EntryCost),
		SizeOf:     func(_ string, d cachetest.Document) int { return len(d.Text) },
		Clock:      still,
		Fenced:     opt.Fenced, OrderedRevisions: opt.OrderedRevisions,
	})
	if err != nil {
		t.Fatal(err)
	}
	// A full cache evicts what was used longest ago, so as many other keys push any one out, and its fence record with it.
	drop := func(string) {
		for i := range entries {
			cache.Invalidate(t.Context(), fmt.Sprintf("filler %d", i))
		}
	}
	return cachetest.Subject{
		Cache: cache, Second: cache, Now: still.Now, Advance: still.advance, BoundsSize: true, Drop: drop, DropFence: drop,
	}
}
