package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
	"github.com/cacheaside/resilience/examples/internal/countries"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

const (
	softTTL     = time.Minute
	hardTTL     = 10 * time.Minute
	negativeTTL = time.Minute

	pingLimit = 2 * time.Second
)

// opened is a cache, what to call it, and what to close in the end.
type opened struct {
	cacheaside.Cache[string, countries.Country]
	name  string
	close func() error
}

func openEmbedded(now clock.Clock) (opened, error) {
	cache, err := memory.New(memory.Config[string, countries.Country]{
		TTL:        memory.TTL{Soft: softTTL, Hard: hardTTL, Negative: negativeTTL},
		MaxEntries: 1000,
		Clock:      now,
	})
	if err != nil {
		return opened{}, err
	}
	return opened{Cache: cache, name: "a cache in this process", close: func() error { return nil }}, nil
}

func openRedis(ctx context.Context, url string, now clock.Clock) (opened, error) {
	client, err := redisadapter.OpenClient(url)
	if err != nil {
		return opened{}, err
	}
	// The library works on while Redis is away; somebody who asked for Redis by a flag would rather know.
	ping, cancel := context.WithTimeout(ctx, pingLimit)
	defer cancel()
	if err := client.Ping(ping).Err(); err != nil {
		return opened{}, errors.Join(fmt.Errorf("redis cannot be reached: %w", err), client.Close())
	}
	cache, err := redisadapter.New(client, redisadapter.Config[string, countries.Country]{
		Namespace: "quickstart",
		Region:    "country",
		Secret:    newSecret(),
		TTL:       redisadapter.TTLPolicy{Soft: softTTL, Hard: hardTTL, Negative: negativeTTL},
		Clock:     now,
		// A service keeps the short defaults. The story would rather wait than be told differently on a busy machine.
		LookupTimeout: pingLimit,
		RecordTimeout: pingLimit,
	})
	if err != nil {
		return opened{}, errors.Join(err, client.Close())
	}
	return opened{Cache: cache, name: "Redis", close: func() error { return errors.Join(cache.Close(), client.Close()) }}, nil
}

// newSecret makes each run of the example a cache of its own, since entries are found and believed by the secret only. A service takes one secret
// for all its processes from where it keeps secrets.
func newSecret() []byte {
	secret := make([]byte, redisadapter.MinSecretBytes)
	_, _ = rand.Read(secret) // it never fails
	return secret
}

// open chooses the cache by the flag: "" is the embedded one, "auto" a redis-server of this run's own, else the URL of a Redis.
func open(ctx context.Context, redis string, now clock.Clock) (opened, error) {
	switch redis {
	case "":
		return openEmbedded(now)
	case "auto":
		server, err := redistest.StartProcess(ctx, redistest.Options{})
		if err != nil {
			return opened{}, fmt.Errorf("-redis auto: %w", err)
		}
		cache, err := openRedis(ctx, server.URL(), now)
		if err != nil {
			return opened{}, errors.Join(err, server.Stop())
		}
		closeCache := cache.close
		cache.close = func() error { return errors.Join(closeCache(), server.Stop()) }
		return cache, nil
	default:
		return openRedis(ctx, redis, now)
	}
}
