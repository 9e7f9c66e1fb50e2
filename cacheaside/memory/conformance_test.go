package memory_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/cacheaside/cachetest"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

func TestTheCacheKeepsTheContractOfThePort(t *testing.T) {
	t.Parallel()
	for name, entries := range map[string]int{"one shard": 64, "many shards": 1024} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cachetest.Run(t, subjects(entries))
		})
	}
}

// The suite's own assertion, over and over: the moment between comparing and replacing is short.
func TestC113_OfTwentyRivalsExactlyOneReplacesAStaleValue(t *testing.T) {
	t.Parallel()
	list := cachetest.Assertions()
	at := slices.IndexFunc(list, func(a cachetest.Assertion) bool { return strings.HasPrefix(a.Name, "of twenty observed") })
	if at < 0 {
		t.Fatal("the suite has no such assertion")
	}
	for range 50 {
		if finding := cachetest.Try(t, list[at], subjects(64)); finding.Failed || finding.Skipped || finding.Panicked != nil {
			t.Fatalf("%+v", finding)
		}
	}
}

func subjects(entries int) cachetest.NewSubject {
	return func(t testing.TB, opt cachetest.Options) cachetest.Subject {
		still := newStillClock()
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
		// Twice as many other keys as there is room for leave no entry that nobody used meanwhile, nor its fence record.
		drop := func(string) {
			for i := range 2 * entries {
				cache.Invalidate(t.Context(), "filler "+strconv.Itoa(i))
			}
		}
		return cachetest.Subject{
			Cache: cache, Second: cache, Now: still.Now, Advance: still.Add, BoundsSize: true, Drop: drop, DropFence: drop,
		}
	}
}
