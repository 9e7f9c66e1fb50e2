package redisadapter_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

type config = redisadapter.Config[string, string]

// base is a valid configuration: soft 10 s, hard 60 s, negative 5 s, no jitter.
func base() config {
	return config{
		Namespace: "test", Region: "product",
		Secret: []byte("0123456789abcdef0123456789abcdef"),
		TTL:    redisadapter.TTLPolicy{Soft: 10 * time.Second, Hard: time.Minute, Negative: 5 * time.Second, MinHard: time.Second},
	}
}

// patient gives calls more time than a busy machine can need, for tests that are not about time limits.
func patient(cfg config) config {
	cfg.LookupTimeout, cfg.RecordTimeout = 10*time.Second, 10*time.Second
	return cfg
}

func open[K comparable, V any](t testing.TB, client redis.UniversalClient, cfg redisadapter.Config[K, V]) *redisadapter.Cache[K, V] {
	t.Helper()
	c, err := redisadapter.New(client, cfg)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return c
}

// mockNow is a mock clock that starts at the real time, so that expiries mean the same here and at the server.
func mockNow() *clock.Mock {
	m := clock.NewMock()
	m.Set(time.Now().Truncate(time.Millisecond))
	return m
}

func value[V any](v V) cacheaside.Entry[V] { return cacheaside.Entry[V]{Value: v} }

func ifObserved(o cacheaside.Observation) cacheaside.Condition {
	return cacheaside.Condition{Observation: o}
}

var ifAbsent cacheaside.Condition

func mustApply(t testing.TB, got cacheaside.RecordOutcome) cacheaside.RecordOutcome {
	t.Helper()
	if got.Certainty != cacheaside.RecordApplied {
		t.Fatalf("outcome %v %v %v, want Applied", got.Certainty, got.Reason, got.Err)
	}
	return got
}

func wantOutcome(t testing.TB, got cacheaside.RecordOutcome, certainty cacheaside.Certainty, reason cacheaside.RecordReason) {
	t.Helper()
	if got.Certainty != certainty || got.Reason != reason {
		t.Fatalf("outcome %v %v (%v), want %v %v", got.Certainty, got.Reason, got.Err, certainty, reason)
	}
}

func wantKind[V any](t testing.TB, got cacheaside.Lookup[V], kind cacheaside.LookupKind) cacheaside.Lookup[V] {
	t.Helper()
	if got.Kind != kind {
		t.Fatalf("lookup %v (miss %v, entry %v, %v), want %v", got.Kind, got.Miss, got.Entry, got.Err, kind)
	}
	return got
}

func wantEntry[V any](t testing.TB, got cacheaside.Lookup[V], kind cacheaside.EntryKind) cacheaside.Lookup[V] {
	t.Helper()
	if got.Kind != cacheaside.LookupUnusable || got.Entry != kind {
		t.Fatalf("lookup %v (entry %v, %v), want Unusable %v", got.Kind, got.Entry, got.Err, kind)
	}
	return got
}

// onlyKey is the one key of a server.
func onlyKey(t testing.TB, client redis.Cmdable) string {
	t.Helper()
	keys, err := client.Keys(context.Background(), "*").Result()
	if err != nil || len(keys) != 1 {
		t.Fatalf("keys %q, %v; want one", keys, err)
	}
	return keys[0]
}

func bytesAt(t testing.TB, client redis.Cmdable, key string) string {
	t.Helper()
	raw, err := client.Get(context.Background(), key).Result()
	if err != nil {
		t.Fatalf("GET: %v", err)
	}
	return raw
}

// put stores raw bytes under an entry's key, as another writer would.
func put(t testing.TB, client redis.Cmdable, key, raw string) {
	t.Helper()
	if err := client.Set(context.Background(), key, raw, time.Minute).Err(); err != nil {
		t.Fatalf("SET: %v", err)
	}
}

// started is a server with a client of it.
func started(t testing.TB) (*redistest.Server, *redis.Client) {
	t.Helper()
	server := redistest.Start(t, redistest.Options{})
	return server, server.Client()
}

// newErr is the error of New for a configuration that must be refused.
func newErr[K comparable, V any](client redis.UniversalClient, cfg redisadapter.Config[K, V]) error {
	_, err := redisadapter.New(client, cfg)
	return err
}

// faultsIn are all field errors in err, by field.
func faultsIn(err error) map[string]*cacheaside.FieldError {
	found := map[string]*cacheaside.FieldError{}
	var walk func(error)
	walk = func(err error) {
		switch e := err.(type) { //nolint:errorlint // a walk over the tree itself
		case *cacheaside.FieldError:
			found[e.Field] = e
		case interface{ Unwrap() []error }:
			for _, inner := range e.Unwrap() {
				walk(inner)
			}
		}
	}
	walk(err)
	return found
}

func wantFault(t testing.TB, err error, field string) *cacheaside.FieldError {
	t.Helper()
	fault := faultsIn(err)[field]
	if fault == nil {
		t.Fatalf("error %v names no fault of %s", err, field)
	}
	return fault
}

// unreachable is a client of an address where nothing listens.
func unreachable(t testing.TB) *redis.Client {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(&redis.Options{Addr: addr})
	t.Cleanup(func() { _ = client.Close() })
	return client
}
