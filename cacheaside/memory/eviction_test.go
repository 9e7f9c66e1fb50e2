package memory_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

func sized(entries int, bytes int64) func(*memory.Config[string, string]) {
	return func(c *memory.Config[string, string]) {
		c.MaxEntries, c.MaxBytes = entries, bytes
		c.SizeOf = func(_, value string) int { return len(value) }
	}
}

func TestTheLeastRecentlyUsedEntryIsEvicted(t *testing.T) {
	t.Parallel()
	f := newFixture(t, sized(3, 0))
	f.seed("a", "b", "c")
	f.look("a")
	f.seed("d")
	f.holds("a", "c", "d")
	f.seed("e")
	f.holds("a", "d", "e")
}

func TestARecordIsAUseAndARefusedOneIsNot(t *testing.T) {
	t.Parallel()
	f := newFixture(t, sized(3, 0))
	f.seed("a", "b", "c")
	f.applied(f.record("a", "again", f.look("a").Observation))
	f.refused(f.record("b", "again", onlyIfAbsent), cacheaside.RecordConditionFailed)
	f.seed("d")
	f.holds("a", "c", "d")
}

func TestALookupOfAnExpiredEntryIsNoUse(t *testing.T) {
	t.Parallel()
	f := newFixture(t, sized(3, 0))
	f.seed("old")
	f.clock.Add(ttl.Hard)
	f.seed("a", "b")
	f.look("old")
	f.seed("c")
	f.holds("a", "b", "c")
}

func TestACacheOfOneEntryHoldsTheLastOne(t *testing.T) {
	t.Parallel()
	f := newFixture(t, sized(1, 0))
	f.seed("a", "b", "c")
	f.holds("c")
	f.applied(f.Invalidate(t.Context(), "d"))
	f.holds("d")
}

func TestBytesAreBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, sized(100, 4*memory.EntryCost))
	f.applied(f.record("a", string(make([]byte, memory.EntryCost)), onlyIfAbsent))
	f.applied(f.record("b", string(make([]byte, memory.EntryCost)), onlyIfAbsent))
	f.holds("a", "b")
	if f.Bytes() != 4*memory.EntryCost {
		t.Errorf("the entries cost %d bytes, want %d", f.Bytes(), 4*memory.EntryCost)
	}
	f.applied(f.record("c", "", onlyIfAbsent))
	f.holds("b", "c")
	f.applied(f.Record(t.Context(), "d", cacheaside.Entry[string]{Negative: true, Value: "ignored"}, cacheaside.Condition{}))
	f.holds("b", "c", "d")
	f.applied(f.Invalidate(t.Context(), "e"))
	f.holds("c", "d", "e")
	if f.Bytes() != 3*memory.EntryCost {
		t.Errorf("the entries cost %d bytes, want %d", f.Bytes(), 3*memory.EntryCost)
	}
}

func TestAReplacementThatGrowsEvictsOthersAndNotItself(t *testing.T) {
	t.Parallel()
	f := newFixture(t, sized(100, 4*memory.EntryCost))
	f.seed("a", "b")
	seen := f.look("a").Observation
	f.look("b")
	f.applied(f.record("a", string(make([]byte, 3*memory.EntryCost)), seen))
	f.holds("a")
	if f.Bytes() != 4*memory.EntryCost {
		t.Errorf("the entry costs %d bytes, want %d", f.Bytes(), 4*memory.EntryCost)
	}
	f.applied(f.record("a", "", f.look("a").Observation))
	if f.Bytes() != memory.EntryCost {
		t.Errorf("the entry costs %d bytes after it has shrunk, want %d", f.Bytes(), memory.EntryCost)
	}
}

func TestC69_AnEntryAboveTheBoundIsRefusedAndCostsNobodyElse(t *testing.T) {
	t.Parallel()
	const most = 3 * memory.EntryCost
	f := newFixture(t, sized(100, most))
	f.seed("a", "b")
	before := f.look("a")
	outcome := f.record("a", string(make([]byte, most-memory.EntryCost+1)), before.Observation)
	f.refused(outcome, cacheaside.RecordTooLarge)
	wantFieldError(t, outcome.Err, "entry")
	f.holds("a", "b")
	if after := f.look("a"); after != before {
		t.Errorf("the old entry is %+v, was %+v", after, before)
	}
	f.applied(f.record("a", string(make([]byte, most-memory.EntryCost)), before.Observation))
	f.holds("a")
}

func TestSizesNobodyCouldMeanAreBounded(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]int64{-5: memory.EntryCost, math.MinInt: memory.EntryCost, math.MaxInt: math.MaxInt64} {
		f := newFixture(t, func(c *memory.Config[string, string]) { c.SizeOf = func(string, string) int { return size } })
		f.seed("a", "b")
		if size < 0 {
			f.holds("a", "b")
			continue
		}
		f.holds("b")
		if f.Bytes() != want {
			t.Errorf("an entry of size %d costs %d, want %d", size, f.Bytes(), want)
		}
	}
}

func TestOneEntryMayTakeAllBytesOfEveryShard(t *testing.T) {
	t.Parallel()
	const entries, bytes = 4096, 200 * memory.EntryCost
	f := newFixture(t, sized(entries, bytes))
	for i := range 200 {
		f.applied(f.record(fmt.Sprint(i), "", onlyIfAbsent))
	}
	if f.Len() != 200 {
		t.Fatalf("%d entries are held, want all", f.Len())
	}
	f.applied(f.record("big", string(make([]byte, bytes-memory.EntryCost)), onlyIfAbsent))
	f.holds("big")
}

func TestRoomForOneCostsOneWhicheverShardGivesIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t, sized(4096, 3*memory.EntryCost))
	for i := range 200 {
		f.applied(f.record(fmt.Sprint(i), "", onlyIfAbsent))
		if want := min(i+1, 3); f.Len() != want {
			t.Fatalf("of %d entries with room for 3, %d are held", i+1, f.Len())
		}
	}
}

func TestAFullCacheOfManyShardsIsFull(t *testing.T) {
	t.Parallel()
	for _, entries := range []int{511, 512, 1000, 5000} {
		f := newFixture(t, sized(entries, 0))
		for i := range 2 * entries {
			f.record(fmt.Sprint(i), "", onlyIfAbsent)
			if want := min(i+1, entries); f.Len() != want {
				t.Fatalf("of %d entries in a cache for %d, %d are held", i+1, entries, f.Len())
			}
		}
	}
}

func TestKeysAreSpreadOverShardsThatHoldEnoughToOrder(t *testing.T) {
	t.Parallel()
	for entries, shards := range map[int]int{1: 1, 511: 1, 512: 2, 1023: 2, 1024: 4, 16_383: 32, 16_384: 64, 1 << 30: 64} {
		f := newFixture(t, sized(entries, 0))
		for i := range 100 * shards {
			f.record(fmt.Sprint(i), "", onlyIfAbsent)
		}
		spread := memory.Spread(f.Cache)
		if len(spread) != shards {
			t.Errorf("a cache for %d entries has %d shards, want %d", entries, len(spread), shards)
		}
		// A hundred keys a shard: none holds fewer than ten by any chance worth a name.
		if entries >= 100 && slices.Min(spread) < 10 {
			t.Errorf("the shards of a cache for %d entries hold %v", entries, spread)
		}
	}
}
