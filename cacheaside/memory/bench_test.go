package memory_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

type record struct {
	ID   int64
	Name string
	Tags []string
}

func newBench(tb testing.TB, entries int) *memory.Cache[string, record] {
	tb.Helper()
	cache, err := memory.New(memory.Config[string, record]{
		TTL: memory.TTL{Soft: time.Hour, Hard: 2 * time.Hour, Negative: time.Hour}, MaxEntries: entries,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return cache
}

func TestALookupAllocatesNothing(t *testing.T) {
	for _, entries := range []int{64, 1 << 15} {
		cache := newBench(t, entries)
		ctx := t.Context()
		cache.Record(ctx, "fresh", cacheaside.Entry[record]{Value: record{ID: 1}}, cacheaside.Condition{})
		cache.Record(ctx, "negative", cacheaside.Entry[record]{Negative: true}, cacheaside.Condition{})
		cache.Invalidate(ctx, "invalidated")
		for _, key := range []string{"fresh", "negative", "invalidated", "absent"} {
			if allocs := testing.AllocsPerRun(100, func() { cache.Lookup(ctx, key) }); allocs != 0 {
				t.Errorf("a lookup of what is %s, for %d entries, allocates %v times", key, entries, allocs)
			}
		}
	}
}

func TestAFreshHitOfARegionAllocatesAtMostTwice(t *testing.T) {
	cache := newBench(t, 64)
	region := newRegion(t, cache)
	ctx := t.Context()
	if _, err := cacheaside.Get(ctx, region, "k", load); err != nil {
		t.Fatal(err)
	}
	if allocs := testing.AllocsPerRun(100, func() { _, _ = cacheaside.Get(ctx, region, "k", load) }); allocs > 2 {
		t.Errorf("a fresh hit allocates %v times", allocs)
	}
}

func BenchmarkLookup(b *testing.B) {
	for _, entries := range []int{64, 1 << 15} {
		cache := newBench(b, entries)
		for i := range 64 {
			cache.Record(b.Context(), strconv.Itoa(i), cacheaside.Entry[record]{Value: record{ID: 1}}, cacheaside.Condition{})
		}
		b.Run(fmt.Sprintf("entries=%d", entries), func(b *testing.B) {
			b.ReportAllocs()
			ctx, i := b.Context(), 0
			for b.Loop() {
				i++
				cache.Lookup(ctx, [...]string{"0", "7", "13", "42"}[i%4])
			}
		})
		b.Run(fmt.Sprintf("entries=%d/parallel", entries), func(b *testing.B) {
			b.ReportAllocs()
			ctx := b.Context()
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					cache.Lookup(ctx, [...]string{"0", "7", "13", "42"}[i%4])
				}
			})
		})
	}
}

func BenchmarkRecord(b *testing.B) {
	cache := newBench(b, 1024)
	keys := make([]string, 4096)
	for i := range keys {
		keys[i] = strconv.Itoa(i)
	}
	b.ReportAllocs()
	ctx, i := b.Context(), 0
	for b.Loop() {
		i++
		cache.Record(ctx, keys[i%len(keys)], cacheaside.Entry[record]{Value: record{ID: 1}}, cacheaside.Condition{})
	}
}

func BenchmarkAFreshHitOfARegion(b *testing.B) {
	cache := newBench(b, 1<<15)
	region := newRegion(b, cache)
	ctx := b.Context()
	if _, err := cacheaside.Get(ctx, region, "k", load); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = cacheaside.Get(ctx, region, "k", load)
	}
}
