package fleet_test

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// fleet is some processes, each with a region of its own, on one store.
type fleet struct {
	regions []*cacheaside.Region[string, string]
}

func fleetPolicy() cacheaside.Policy {
	policy := cacheaside.BalancedPolicy()
	policy.Coordination = cacheaside.Fleet
	policy.FailureBackoff = 0
	return policy
}

func onCaches(t testing.TB, policy cacheaside.Policy, caches ...cacheaside.Cache[string, string]) *fleet {
	t.Helper()
	f := &fleet{}
	for _, cache := range caches {
		region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, string]{Name: "fleet", Cache: cache, Policy: policy})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			if err := region.Close(ctx); err != nil {
				t.Error(err)
			}
		})
		f.regions = append(f.regions, region)
	}
	return f
}

func inMemory(t testing.TB, processes int, policy cacheaside.Policy) *fleet {
	t.Helper()
	cache, err := memory.New(memory.Config[string, string]{
		TTL: memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute}, MaxEntries: 1 << 16, Fenced: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	caches := make([]cacheaside.Cache[string, string], processes)
	for i := range caches {
		caches[i] = cache
	}
	return onCaches(t, policy, caches...)
}

func redisConfig(fenced bool) redisadapter.Config[string, string] {
	return redisadapter.Config[string, string]{
		Namespace: "proof", Region: "fleet", Secret: bytes.Repeat([]byte("s"), 32), Fenced: fenced,
		TTL:           redisadapter.TTLPolicy{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute},
		LookupTimeout: time.Second, RecordTimeout: time.Second,
	}
}

func openCache(t testing.TB, server *redistest.Server, cfg redisadapter.Config[string, string]) *redisadapter.Cache[string, string] {
	t.Helper()
	return openOn(t, server.Client(), cfg)
}

func openOn(t testing.TB, client *redis.Client, cfg redisadapter.Config[string, string]) *redisadapter.Cache[string, string] {
	t.Helper()
	cache, err := redisadapter.New(client, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cache.Close(); err != nil {
			t.Error(err)
		}
	})
	return cache
}

func onRedis(t testing.TB, server *redistest.Server, processes int, policy cacheaside.Policy) *fleet {
	t.Helper()
	caches := make([]cacheaside.Cache[string, string], processes)
	for i := range caches {
		caches[i] = openCache(t, server, redisConfig(true))
	}
	return onCaches(t, policy, caches...)
}

// stampede lets callers of every process ask for one key at once, and gives what they got.
func (f *fleet) stampede(callers int, key string, load cacheaside.Loader[string, string]) []cacheaside.Result[string] {
	results := make([]cacheaside.Result[string], callers*len(f.regions))
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i := range results {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			results[i], _ = cacheaside.Get(context.Background(), f.regions[i%len(f.regions)], key, load)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	return results
}

// counted is a source that counts its calls and answers after a moment.
func counted(calls *atomic.Int64, takes time.Duration) cacheaside.Loader[string, string] {
	return func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
		calls.Add(1)
		select {
		case <-time.After(takes):
			return cacheaside.Loaded("value", "")
		case <-ctx.Done():
			return cacheaside.Cancelled[string](ctx.Err())
		}
	}
}
