package cacheaside_test

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

func warmMemory(b *testing.B) *cacheaside.Region[string, string] {
	b.Helper()
	cache, err := memory.New(memory.Config[string, string]{
		TTL: memory.TTL{Soft: time.Hour, Hard: 2 * time.Hour, Negative: time.Hour, MinHard: time.Minute}, MaxEntries: 1 << 16,
	})
	if err != nil {
		b.Fatal(err)
	}
	region := newRegion(b, cache)
	for i := range 1024 {
		if _, err := cacheaside.Get(context.Background(), region, strconv.Itoa(i), returning(cacheaside.Loaded("value", ""))); err != nil {
			b.Fatal(err)
		}
	}
	return region
}

func BenchmarkGetFreshHitOnMemory(b *testing.B) {
	region, load := warmMemory(b), mustNotLoad(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := cacheaside.Get(context.Background(), region, "512", load); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGetFreshHitOnMemoryInParallel(b *testing.B) {
	region, load := warmMemory(b), mustNotLoad(b)
	keys := make([]string, 1024)
	for i := range keys {
		keys[i] = strconv.Itoa(i)
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if _, err := cacheaside.Get(context.Background(), region, keys[i%len(keys)], load); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkColdKeyStampede lets 1000 goroutines ask for one cold key whose source takes 50 ms, and tells the source calls and how long the callers
// waited, in real time.
func BenchmarkColdKeyStampede(b *testing.B) {
	const callers = 1000
	cache, err := memory.New(memory.Config[string, string]{
		TTL: memory.TTL{Soft: time.Hour, Hard: time.Hour, Negative: time.Hour}, MaxEntries: 1 << 20,
	})
	if err != nil {
		b.Fatal(err)
	}
	region := newRegion(b, cache, policy(func(p *cacheaside.Policy) { p.MaxWaitersPerKey = callers }))
	var waited []time.Duration
	var mu sync.Mutex
	calls, round := 0, 0
	load := func(context.Context, string) cacheaside.SourceOutcome[string] {
		mu.Lock()
		calls++
		mu.Unlock()
		<-time.After(50 * time.Millisecond)
		return cacheaside.Loaded("value", "")
	}
	for b.Loop() {
		round++
		key := strconv.Itoa(round)
		var group sync.WaitGroup
		for range callers {
			group.Go(func() {
				begun := time.Now()
				if _, err := cacheaside.Get(context.Background(), region, key, load); err != nil {
					b.Error(err)
				}
				took := time.Since(begun)
				mu.Lock()
				waited = append(waited, took)
				mu.Unlock()
			})
		}
		group.Wait()
	}
	slices.Sort(waited)
	b.ReportMetric(float64(calls)/float64(round), "calls/stampede")
	b.ReportMetric(float64(waited[len(waited)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(waited[len(waited)*99/100].Microseconds())/1000, "p99-ms")
}
