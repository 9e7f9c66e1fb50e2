package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/postgres"
)

// altered are what a hand may do to a row, so that no statement of the store can have written it.
var altered = map[string]string{
	"the token 0":           "token = 0",
	"a token below 0":       "token = -5",
	"a token past counting": "token = 9007199254740992",
	"an expiry below 0":     "expires = -1",
	"an expiry for ever":    "expires = 9223372036854775807",
	"no end at all":         "expires = 9223372036854775807, latest = 9223372036854775807",
	"a limit past counting": "latest = 9007199254740992",
	"past its limit":        "latest = expires - 1",
	"no owner":              "owner = ''",
	"an owner too long":     "owner = repeat('o', 65)",
	"an owner of two":       "owner = 'a b'",
	"an owner of two lines": "owner = E'a\\nb'",
}

// bare takes every check from a table, as one has that was made by hand.
func bare(t *testing.T, pool *pgxpool.Pool, table string) {
	t.Helper()
	run(t, pool, `DO $$ DECLARE name text; BEGIN
	  FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = '`+table+`'::regclass AND contype = 'c' LOOP
	    EXECUTE 'ALTER TABLE `+table+` DROP CONSTRAINT ' || quote_ident(name);
	  END LOOP;
	  ALTER TABLE `+table+` ALTER owner DROP NOT NULL, ALTER expires DROP NOT NULL, ALTER latest DROP NOT NULL, ALTER token DROP NOT NULL;
	END $$`)
}

func TestTheTableRefusesARowThatIsNoLease(t *testing.T) {
	s := start(t)
	pool := newPool(t, s, s.addr(), "")
	cfg := newTable(t, pool)
	take(t, openStore(t, pool, cfg), "k", "a", time.Minute)
	for name, change := range altered {
		_, err := pool.Exec(context.Background(), "UPDATE "+cfg.Table+" SET "+change)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "23514" {
			t.Errorf("%s: %v, want a check violated", name, err)
		}
	}
}

func TestARowThatIsNoLeaseIsLeftAsItIs(t *testing.T) {
	s := start(t)
	pool := newPool(t, s, s.addr(), "")
	cfg := newTable(t, pool)
	bare(t, pool, cfg.Table)
	store := openStore(t, pool, cfg)
	ctx := context.Background()
	changes := map[string]string{"no owner known": "owner = NULL", "no expiry": "expires = NULL", "no limit": "latest = NULL", "no token": "token = NULL"}
	for name, change := range altered {
		changes[name] = change
		changes[name+", over"] = "expires = 0, " + change
		if strings.HasPrefix(change, "expires") || strings.HasPrefix(change, "latest = expires") {
			delete(changes, name+", over")
		}
	}
	for name, change := range changes {
		run(t, pool, "TRUNCATE "+cfg.Table)
		granted := take(t, store, "k", "a", time.Minute)
		run(t, pool, "UPDATE "+cfg.Table+" SET "+change)
		before := rowOf(t, pool, cfg.Table)
		wantNone := func(op string, err error) {
			t.Helper()
			var failure *postgres.StoreError
			if !errors.Is(err, lease.ErrNoDecision) || !errors.As(err, &failure) || !strings.Contains(err.Error(), "what is stored is no lease") {
				t.Errorf("%s: %s is told %v, want no decision", name, op, err)
			}
		}
		_, err := store.Acquire(ctx, "k", "a", lease.NewRequestID(), time.Minute)
		wantNone("acquire", err)
		for _, token := range []lease.Token{granted.Token, 0, 5} {
			_, err = store.Renew(ctx, "k", token, time.Minute)
			wantNone("renew", err)
			_, err = store.Release(ctx, "k", token)
			wantNone("release", err)
		}
		_, err = store.Inspect(ctx, "k")
		wantNone("inspect", err)
		if after := rowOf(t, pool, cfg.Table); after != before {
			t.Errorf("%s was changed from %s to %s", name, before, after)
		}
	}
}

func rowOf(t *testing.T, pool *pgxpool.Pool, table string) (row string) {
	t.Helper()
	if err := pool.QueryRow(context.Background(), "SELECT l::text FROM "+table+" AS l").Scan(&row); err != nil {
		t.Fatal(err)
	}
	return row
}
