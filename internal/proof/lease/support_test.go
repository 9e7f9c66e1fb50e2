package lease_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/redisadapter"
)

// config is that of a store that nobody else has, on a server that keeps nothing across crashes.
func config() redisadapter.LeaseConfig {
	return redisadapter.LeaseConfig{
		Namespace: "proof", Region: rand.Text(), Secret: bytes.Repeat([]byte("s"), redisadapter.MinSecretBytes), Timeout: 5 * time.Second,
		AcknowledgedWritesMayBeLost: true,
	}
}

func openStore(t testing.TB, client redis.UniversalClient, cfg redisadapter.LeaseConfig) *redisadapter.LeaseStore {
	t.Helper()
	store, err := redisadapter.NewLeaseStore(context.Background(), client, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// via is a client of addr, which a proxy may be behind.
func via(t testing.TB, addr string) *redis.Client {
	t.Helper()
	client := redis.NewClient(redistest.ClientOptions(addr))
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

// offClock is the real clock, off by a while that a test may change.
type offClock struct {
	clock.Clock

	off atomic.Int64 // nanoseconds
}

func (c *offClock) Now() time.Time { return time.Now().Add(time.Duration(c.off.Load())) }

func (c *offClock) advance(d time.Duration) { c.off.Add(int64(d)) }

func skewed(off time.Duration) *offClock {
	c := &offClock{Clock: clock.New()}
	c.advance(off)
	return c
}

func take(t testing.TB, store lease.Store, key, owner string, ttl time.Duration) lease.Grant {
	t.Helper()
	a, err := store.Acquire(context.Background(), key, owner, lease.NewRequestID(), ttl)
	if err != nil || a.Kind != lease.Granted {
		t.Fatalf("%s asks for %s: %+v, %v", owner, key, a, err)
	}
	return a.Grant
}

func wantHeld(t testing.TB, store lease.Store, key, holder string) {
	t.Helper()
	a, err := store.Acquire(context.Background(), key, "other", lease.NewRequestID(), time.Second)
	if err != nil || a.Kind != lease.Held || a.Owner != holder {
		t.Fatalf("%+v, %v, want held by %s", a, err, holder)
	}
}

func release(t testing.TB, store lease.Store, key string, token lease.Token, want lease.Loss) {
	t.Helper()
	if r, err := store.Release(context.Background(), key, token); err != nil || r.Lost != want {
		t.Fatalf("a release is lost as %v, %v, want %v", r.Lost, err, want)
	}
}

// whenOver waits, by the server's clock, until nobody holds key.
func whenOver(t testing.TB, store lease.Store, key string) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		seen, err := store.Inspect(context.Background(), key)
		if err != nil {
			t.Fatal(err)
		}
		if !seen.Live {
			return
		}
		select {
		case <-time.After(seen.Remaining):
		case <-deadline:
			t.Fatalf("the lease of %s does not end: %+v", key, seen)
		}
	}
}

// keysOf lists what a store has at its server.
func keysOf(t testing.TB, client *redis.Client, cfg redisadapter.LeaseConfig) []string {
	t.Helper()
	keys, err := client.Keys(context.Background(), strings.Join([]string{cfg.Namespace, cfg.Region, "*"}, ":")).Result()
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// age moves every lease of a store into the past, which the store cannot tell from time that passed.
func age(t testing.TB, client *redis.Client, cfg redisadapter.LeaseConfig, d time.Duration) {
	t.Helper()
	const script = `
		for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
			local expires = redis.call('HGET', key, 'expires')
			redis.call('HINCRBY', key, 'expires', string.format('%.0f', 0 - math.min(expires, ARGV[2]))) -- one that was released ended at 0
			redis.call('HINCRBY', key, 'limit', string.format('%.0f', -ARGV[2]))
		end
		return 1`
	pattern := strings.Join([]string{cfg.Namespace, cfg.Region, "*"}, ":")
	if err := client.Eval(context.Background(), script, nil, pattern, d.Microseconds()).Err(); err != nil {
		t.Fatal(err)
	}
}

// mortals are the keys of a store that the server would delete by itself.
func mortals(t testing.TB, client *redis.Client, cfg redisadapter.LeaseConfig) (names []string) {
	t.Helper()
	for _, key := range keysOf(t, client, cfg) {
		left, err := client.PTTL(context.Background(), key).Result()
		if err != nil {
			t.Fatal(err)
		}
		if left != -1 {
			names = append(names, key)
		}
	}
	return names
}
