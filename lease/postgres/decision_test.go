package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/postgres"
)

const short = 300 * time.Millisecond

// lock holds every row of a table in a transaction of its own, until it is let go.
func lock(t *testing.T, pool *pgxpool.Pool, table string) (letGo func()) {
	t.Helper()
	tx, err := pool.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(context.Background(), "SELECT * FROM "+table+" FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := tx.Rollback(context.Background()); err != nil && !errors.Is(err, pgx.ErrTxClosed) {
			t.Fatal(err)
		}
	}
}

// waiting waits until a statement on the table waits for a lock, and gives the process that runs it.
func waiting(t *testing.T, pool *pgxpool.Pool, table string) (pid int) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		err := pool.QueryRow(context.Background(), `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%'`,
			table[len("public."):]).Scan(&pid)
		if err == nil {
			return pid
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			t.Fatal(err)
		}
		select {
		case <-deadline:
			t.Fatal("nothing waits")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

type answer struct {
	granted lease.AcquireKind
	lost    lease.Loss
	err     error
}

// TestADecisionIsOfTheTimeWhenItsRowIsLocked lets each operation wait for its row until the lease is over.
func TestADecisionIsOfTheTimeWhenItsRowIsLocked(t *testing.T) {
	s := start(t)
	pool := newPool(t, s, s.addr(), "")
	for name, call := range map[string]func(store *postgres.Store, token lease.Token) answer{
		"acquire": func(store *postgres.Store, _ lease.Token) answer {
			a, err := store.Acquire(context.Background(), "k", "b", lease.NewRequestID(), time.Minute)
			return answer{granted: a.Kind, err: err}
		},
		"renew": func(store *postgres.Store, token lease.Token) answer {
			r, err := store.Renew(context.Background(), "k", token, time.Minute)
			return answer{lost: r.Lost, err: err}
		},
		"release": func(store *postgres.Store, token lease.Token) answer {
			r, err := store.Release(context.Background(), "k", token)
			return answer{lost: r.Lost, err: err}
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := newTable(t, pool)
			store := openStore(t, pool, cfg)
			granted := take(t, store, "k", "a", short)
			letGo := lock(t, pool, cfg.Table)
			got := make(chan answer, 1)
			go func() { got <- call(store, granted.Token) }()
			waiting(t, pool, cfg.Table)
			whenOver(t, store, "k")
			letGo()
			want := answer{lost: lease.LostExpired}
			if name == "acquire" {
				want = answer{granted: lease.Granted}
			}
			if a := <-got; a != want {
				t.Errorf("%+v, want %+v", a, want)
			}
		})
	}
}

func TestWhatIsCertainOfAFailureIsToldByWhoEndedTheStatement(t *testing.T) {
	s := start(t)
	pool := newPool(t, s, s.addr(), "")
	cfg := newTable(t, pool)
	store := openStore(t, pool, cfg)
	granted := take(t, store, "k", "a", time.Minute)
	for name, row := range map[string]struct {
		end  func(pid int, cancel func())
		want error
		also error
	}{
		"the server ends the statement":  {func(pid int, _ func()) { run(t, pool, "SELECT pg_cancel_backend($1)", pid) }, lease.ErrNoDecision, nil},
		"the server ends the connection": {func(pid int, _ func()) { run(t, pool, "SELECT pg_terminate_backend($1)", pid) }, lease.ErrIndeterminate, nil},
		"the caller goes":                {func(_ int, cancel func()) { cancel() }, lease.ErrIndeterminate, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			letGo := lock(t, pool, cfg.Table)
			defer letGo()
			got := make(chan error, 1)
			go func() {
				_, err := store.Renew(ctx, "k", granted.Token, time.Minute)
				got <- err
			}()
			row.end(waiting(t, pool, cfg.Table), cancel)
			err := <-got
			var failure *postgres.StoreError
			if !errors.Is(err, row.want) || !errors.As(err, &failure) || failure.Op != "renew" || row.also != nil && !errors.Is(err, row.also) {
				t.Errorf("%v, want %v", err, row.want)
			}
		})
	}
}

func TestATimeLimitHoldsAndTellsThatItIsNotKnown(t *testing.T) {
	s := start(t)
	pool := newPool(t, s, s.addr(), "")
	cfg := newTable(t, pool)
	granted := take(t, openStore(t, pool, cfg), "k", "a", time.Minute)
	cfg.Timeout = short
	store := openStore(t, pool, cfg)
	letGo := lock(t, pool, cfg.Table)
	defer letGo()
	began := time.Now()
	_, err := store.Release(context.Background(), "k", granted.Token)
	if !errors.Is(err, lease.ErrIndeterminate) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want it indeterminate, after its time", err)
	}
	if took := time.Since(began); took < short || took > 20*short {
		t.Errorf("it took %v, want %v", took, short)
	}
}

// TestC127_AHolderThatWakesTooLateHasLostWhateverItAsks lets the server's own clock end the lease.
func TestC127_AHolderThatWakesTooLateHasLostWhateverItAsks(t *testing.T) {
	s := start(t)
	pool := newPool(t, s, s.addr(), "")
	cfg := newTable(t, pool)
	a, b := openStore(t, pool, cfg), openStore(t, newPool(t, s, s.addr(), ""), cfg)
	began := time.Now()
	first := take(t, a, "k", "a", short)
	whenOver(t, b, "k")
	if slept := time.Since(began); slept < short {
		t.Errorf("a lease of %v is over after %v", short, slept)
	}
	second := take(t, b, "k", "b", time.Minute)
	if second.Token <= first.Token || first.ValidAt(time.Now()) {
		t.Errorf("token %d after %d", second.Token, first.Token)
	}
	if r, err := a.Renew(context.Background(), "k", first.Token, time.Minute); err != nil || r.Lost != lease.LostSuperseded {
		t.Errorf("the zombie's renewal: %+v, %v", r, err)
	}
	if r, err := a.Release(context.Background(), "k", first.Token); err != nil || r.Lost != lease.LostSuperseded {
		t.Errorf("the zombie's release: %+v, %v", r, err)
	}
	if seen, err := a.Inspect(context.Background(), "k"); err != nil || !seen.Live || seen.Owner != "b" || seen.Token != second.Token {
		t.Errorf("%+v, %v, want b's", seen, err)
	}
}
