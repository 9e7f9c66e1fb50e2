package memory_test

import (
	"context"
	"fmt"
	"log"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

func load(_ context.Context, _ string) cacheaside.SourceOutcome[record] {
	return cacheaside.Loaded(record{ID: 7, Name: "seven"}, "1")
}

func newRegion(tb testing.TB, cache cacheaside.Cache[string, record]) *cacheaside.Region[string, record] {
	tb.Helper()
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, record]{
		Name: "records", Cache: cache, Policy: cacheaside.BalancedPolicy(),
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = region.Close(context.Background()) })
	return region
}

// A region whose entries live in the process.
func Example() {
	ctx := context.Background()
	cache, err := memory.New(memory.Config[string, string]{
		TTL:        memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: 10 * time.Second},
		MaxEntries: 10_000,
		MaxBytes:   64 << 20,
		SizeOf:     func(key, value string) int { return len(key) + len(value) },
	})
	if err != nil {
		log.Fatal(err)
	}
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, string]{
		Name: "greetings", Cache: cache, Policy: cacheaside.BalancedPolicy(),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = region.Close(ctx) }()

	read := func(_ context.Context, name string) (string, error) {
		fmt.Println("the source is asked")
		return "hello " + name, nil
	}
	for range 2 {
		result, err := cacheaside.Read(ctx, region, "Ada", read)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.Status, result.Value)
	}
	// Output:
	// the source is asked
	// Loaded hello Ada
	// Fresh hello Ada
}

// Every fault of a configuration is told at once.
func ExampleNew() {
	_, err := memory.New(memory.Config[string, string]{
		TTL:      memory.TTL{Soft: time.Minute, Hard: time.Second, Negative: time.Second},
		MaxBytes: 1,
	})
	fmt.Println(err)
	// Output:
	// cacheaside: TTL.Soft is 1m0s, must be at most TTL.Hard (1s)
	// cacheaside: MaxEntries is 0, must be at least 1
	// cacheaside: MaxBytes is 1, must be 0 or at least 256
}

// A fill that began before an invalidation is refused; one that began after it is not.
func ExampleCache_Invalidate() {
	ctx := context.Background()
	cache, err := memory.New(memory.Config[string, string]{
		TTL: memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute}, MaxEntries: 100,
	})
	if err != nil {
		log.Fatal(err)
	}
	early := cache.Lookup(ctx, "k")
	cache.Invalidate(ctx, "k")
	outcome := cache.Record(ctx, "k", cacheaside.Entry[string]{Value: "old"}, cacheaside.Condition{Observation: early.Observation})
	fmt.Println(outcome.Certainty, outcome.Reason)

	late := cache.Lookup(ctx, "k")
	fmt.Println(late.Kind, late.Miss)
	outcome = cache.Record(ctx, "k", cacheaside.Entry[string]{Value: "new"}, cacheaside.Condition{Observation: late.Observation})
	fmt.Println(outcome.Certainty, cache.Lookup(ctx, "k").Value)
	// Output:
	// NotApplied ConditionFailed
	// Miss Invalidated
	// Applied new
}
