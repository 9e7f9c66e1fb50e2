package postgres_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/postgres"
)

// newPool opens a pool on addr, with a search path of its own if there is one. Connections are tried before they are used, whenever that was.
func newPool(t testing.TB, s *server, addr, searchPath string) *pgxpool.Pool {
	t.Helper()
	cfg, err := pgxpool.ParseConfig(s.url(addr))
	if err != nil {
		t.Fatal(err)
	}
	if searchPath != "" {
		cfg.ConnConfig.RuntimeParams["search_path"] = searchPath
	}
	cfg.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return true }
	pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// newTable makes a table that nobody else uses and gives a store's configuration for it.
func newTable(t testing.TB, pool *pgxpool.Pool) postgres.Config {
	t.Helper()
	cfg := postgres.Config{
		Table: "public.leases_" + strings.ToLower(rand.Text()), Secret: bytes.Repeat([]byte("s"), postgres.MinSecretBytes), Timeout: 20 * time.Second,
	}
	if err := postgres.CreateTable(context.Background(), pool, cfg.Table); err != nil {
		t.Fatal(err)
	}
	return cfg
}

func openStore(t testing.TB, pool *pgxpool.Pool, cfg postgres.Config) *postgres.Store {
	t.Helper()
	store, err := postgres.New(context.Background(), pool, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func run(t testing.TB, pool *pgxpool.Pool, statement string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(context.Background(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// offClock is the real clock, off by a while.
type offClock struct {
	clock.Clock

	off time.Duration
}

func (c offClock) Now() time.Time { return time.Now().Add(c.off) }

func take(t testing.TB, store lease.Store, key, owner string, ttl time.Duration) lease.Grant {
	t.Helper()
	a, err := store.Acquire(context.Background(), key, owner, lease.NewRequestID(), ttl)
	if err != nil || a.Kind != lease.Granted {
		t.Fatalf("%s asks for %s: %+v, %v", owner, key, a, err)
	}
	return a.Grant
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
