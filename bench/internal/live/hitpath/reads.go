package hitpath

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

const lives = 24 * time.Hour // far longer than a run, so that every read is a hit

// reads is a region of this library and what it reads from.
type reads[V any] struct {
	region *cacheaside.Region[string, V]
	cache  *redisadapter.Cache[string, V]
}

// openReads opens a region, under leases across the fleet or without.
func openReads[V any](m measurement, client *redis.Client, name string, fenced bool) (reads[V], error) {
	policy := cacheaside.StrictPolicy()
	if fenced {
		policy.Coordination = cacheaside.Fleet
	}
	cache, err := redisadapter.New(client, redisadapter.Config[string, V]{
		Namespace: m.space.Namespace, Region: name, Secret: m.space.Secret, LookupTimeout: lookupLimit, RecordTimeout: lookupLimit, Fenced: fenced,
		TTL: redisadapter.TTLPolicy{Soft: lives, Hard: 2 * lives, Negative: lives},
	})
	if err != nil {
		return reads[V]{}, err
	}
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, V]{Name: name, Cache: cache, Policy: policy})
	if err != nil {
		return reads[V]{}, err
	}
	return reads[V]{region, cache}, nil
}

func (r reads[V]) close() {
	_ = r.region.Close(context.Background()) // no load runs
	_ = r.cache.Close()                      // at most its probe, which it ends
}

// hit reads the warm key; a read that finds nothing fails.
func (r reads[V]) hit() error {
	_, err := cacheaside.Get(context.Background(), r.region, key, func(context.Context, string) cacheaside.SourceOutcome[V] {
		return cacheaside.PermanentFailure[V]("cold", errMissed)
	})
	return err
}

// fill puts the value into the store and gives the entry that it is there.
func (r reads[V]) fill(ctx context.Context, m measurement, name string, value V) (entry string, err error) {
	got, err := cacheaside.Get(ctx, r.region, key, func(context.Context, string) cacheaside.SourceOutcome[V] {
		return cacheaside.Loaded(value, "")
	})
	if err != nil {
		return "", err
	}
	if got.Record.Certainty != cacheaside.RecordApplied {
		return "", fmt.Errorf("hit path: the value was not stored: %v %w", got.Record.Reason, got.Record.Err)
	}
	keys, _, err := m.client.Scan(ctx, 0, m.space.Namespace+":"+name+":*", 1<<20).Result()
	if err != nil {
		return "", err
	}
	for _, key := range keys {
		kind, err := m.client.Type(ctx, key).Result()
		if err != nil {
			return "", err
		}
		if kind == "string" { // the other is the entry's fence record
			return m.client.Get(ctx, key).Result()
		}
	}
	return "", fmt.Errorf("hit path: no entry among the %d keys where one was stored", len(keys))
}
