package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/postgres"
)

func TestWhatMayLoseALeaseIsRefusedByTheSetting(t *testing.T) {
	s := start(t)
	plain := newPool(t, s, s.addr(), "")
	with := func(name, value string) *pgxpool.Pool {
		cfg := plain.Config()
		cfg.ConnConfig.RuntimeParams[name] = value
		pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		return pool
	}
	logged, unlogged := newTable(t, plain), newTable(t, plain)
	run(t, plain, "ALTER TABLE "+unlogged.Table+" SET UNLOGGED")
	missing := logged
	missing.Table = "public.nowhere"
	accepted := func(cfg postgres.Config) postgres.Config {
		cfg.AcknowledgedWritesMayBeLost = true
		return cfg
	}
	for name, row := range map[string]struct {
		pool    *pgxpool.Pool
		cfg     postgres.Config
		setting string
	}{
		"sound":                      {plain, logged, ""},
		"written later":              {with("synchronous_commit", "off"), logged, "synchronous_commit"},
		"written later, accepted":    {with("synchronous_commit", "off"), accepted(logged), ""},
		"another isolation":          {with("default_transaction_isolation", "serializable"), accepted(logged), "transaction_isolation"},
		"a table that forgets":       {plain, unlogged, "Config.Table"},
		"a table that may forget":    {plain, accepted(unlogged), ""},
		"a table that is not there":  {plain, accepted(missing), "Config.Table"},
		"a schema that is not there": {plain, func() postgres.Config { c := missing; c.Table = "no.where"; return c }(), "Config.Table"},
	} {
		_, err := postgres.New(context.Background(), row.pool, row.cfg)
		var found *postgres.SettingError
		if row.setting == "" && err != nil || row.setting != "" && (!errors.As(err, &found) || found.Setting != row.setting) {
			t.Errorf("%s: %v, want it refused for %q", name, err, row.setting)
		}
	}
}

func TestEveryFaultOfAConfigurationIsNamedAtOnce(t *testing.T) {
	_, err := postgres.New(context.Background(), nil, postgres.Config{
		Table: `leases"; DROP TABLE x`, Secret: []byte("a short secret"), MaxHold: -1, Timeout: -1,
	})
	if err == nil || strings.Contains(err.Error(), "a short secret") || strings.Contains(err.Error(), "DROP") {
		t.Fatal(err)
	}
	for _, field := range []string{"Table", "Secret", "MaxHold", "Timeout", "pool"} {
		if !strings.Contains(err.Error(), " "+field+" ") {
			t.Errorf("%s is not named in %v", field, err)
		}
	}
	for _, bad := range []string{"a.b.c", "A", "1a", "a.", ".a", "a b", "a-b", strings.Repeat("a", 64)} {
		var fault *lease.ArgumentError
		if _, err := postgres.Schema(bad); !errors.As(err, &fault) || fault.Field != "Table" {
			t.Errorf("the table %q: %v", bad, err)
		}
	}
}

func TestAServerThatCannotBeAskedIsNotOpened(t *testing.T) {
	pool, err := pgxpool.New(context.Background(), "postgres://someone:password@127.0.0.1:1/x?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	_, err = postgres.New(context.Background(), pool, postgres.Config{Secret: make([]byte, postgres.MinSecretBytes)})
	var failure *postgres.StoreError
	if !errors.As(err, &failure) || failure.Op != "open" || strings.Contains(err.Error(), "127.0.0.1") || strings.Contains(err.Error(), "someone") {
		t.Errorf("%v, want a *StoreError that tells no address", err)
	}
}

func TestNoNameOfALeaseIsReadableAndNoRowIsDeleted(t *testing.T) {
	s := start(t)
	pool := newPool(t, s, s.addr(), "")
	cfg := newTable(t, pool)
	store := openStore(t, pool, cfg)
	granted := take(t, store, "readable", "host-a", time.Minute)
	other := cfg
	other.Secret = []byte("another secret, of thirty-two bytes")
	if seen, err := openStore(t, pool, other).Inspect(context.Background(), "readable"); err != nil || seen != (lease.Inspection{}) {
		t.Errorf("another secret sees %+v, %v", seen, err)
	}
	if _, err := store.Release(context.Background(), "readable", granted.Token); err != nil {
		t.Fatal(err)
	}
	rows, err := pool.Query(context.Background(), "SELECT l::text, octet_length(key) FROM "+cfg.Table+" AS l")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	count := 0
	for rows.Next() {
		var text string
		var length int
		if err := rows.Scan(&text, &length); err != nil {
			t.Fatal(err)
		}
		count++
		if strings.Contains(text, fmt.Sprintf("%x", "readable")) || strings.Contains(text, "readable") || length != 32 {
			t.Errorf("the row %s", text)
		}
	}
	if err := rows.Err(); err != nil || count != 1 {
		t.Errorf("%d rows, %v, want the one that was released", count, err)
	}
}
