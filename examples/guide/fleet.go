package guide

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// NewFleetRegion is a region of countries that every process of a fleet has, over a cache with fences.
func NewFleetRegion(client redis.UniversalClient, secret []byte, ttl redisadapter.TTLPolicy) (*cacheaside.Region[string, Country], error) {
	cache, err := redisadapter.New(client, redisadapter.Config[string, Country]{
		Namespace: "atlas", Region: "country", Secret: secret, TTL: ttl,
		Fenced: true,
	})
	if err != nil {
		return nil, err
	}
	policy := cacheaside.BalancedPolicy()
	policy.Coordination = cacheaside.Fleet
	policy.ServeStale.OnHeld = true // another process is loading it: answer the old value meanwhile
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, Country]{Name: "country", Cache: cache, Policy: policy})
	if err != nil {
		return nil, err
	}
	return region, nil
}

// PutCountry leaves behind what has just been written to the source.
func PutCountry(
	ctx context.Context, region *cacheaside.Region[string, Country], code string, country Country, revision cacheaside.Revision,
) error {
	err := cacheaside.Put(ctx, region, code, country, revision)
	return err
}

// ForgetCountries is for when all of them have changed.
func ForgetCountries(ctx context.Context, region *cacheaside.Region[string, Country]) error {
	err := cacheaside.InvalidateRegion(ctx, region)
	return err
}

// CheckServer asks whether leases may live on a server.
func CheckServer(ctx context.Context, client redis.UniversalClient) (*redisadapter.Posture, error) {
	posture, err := redisadapter.Preflight(ctx, client, redisadapter.Needs{Leases: true, MaxHold: time.Minute})
	if err != nil {
		return nil, err // every finding at once
	}
	return posture, nil
}
