package postgres_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/leasetest"
	"github.com/cacheaside/resilience/lease/postgres"
)

// subject is the store on a server, over a relay and beside it.
func subject(t testing.TB, s *server, opt leasetest.Options, searchPath string) (leasetest.Subject, *pgxpool.Pool, postgres.Config) {
	t.Helper()
	direct := newPool(t, s, s.addr(), searchPath)
	cfg := newTable(t, direct)
	cfg.MaxHold = opt.MaxHold
	between := startRelay(t, s.addr())
	return leasetest.Subject{
		Store:  openStore(t, newPool(t, s, between.addr(), searchPath), cfg),
		Second: openStore(t, direct, cfg),
		Skewed: func(off time.Duration) lease.Store {
			wrong := cfg
			wrong.Clock = offClock{clock.New(), off}
			return openStore(t, direct, wrong)
		},
		LoseAnswer: between.loseAnswer,
		Break:      between.leave,
		Crash:      func() { s.crash(t) },
	}, direct, cfg
}

// TestTheStoreOnPostgreSQLKeepsTheContractOfThePort moves the leases into the past instead of the server's clock ahead.
func TestTheStoreOnPostgreSQLKeepsTheContractOfThePort(t *testing.T) {
	s := start(t)
	leasetest.Run(t, func(t testing.TB, opt leasetest.Options) leasetest.Subject {
		under, direct, cfg := subject(t, s, opt, "")
		under.Advance = func(d time.Duration) {
			run(t, direct, "UPDATE "+cfg.Table+" SET expires = greatest(expires - $1, 0), latest = latest - $1", d.Microseconds())
		}
		return under
	})
}

func TestTheStoreOnPostgreSQLKeepsTheContractOfThePortToTheMicrosecond(t *testing.T) {
	leasetest.Run(t, onVirtualTime(t))
}

func TestEveryScheduleOnPostgreSQLKeepsTheRules(t *testing.T) {
	leasetest.RunExploration(t, onVirtualTime(t), 3, 8, 1)
}

// onVirtualTime lets its sessions find another function of the clock's name before the server's own, so that the very statements of the store are told a
// time that the suite moves.
func onVirtualTime(t *testing.T) leasetest.NewSubject {
	t.Helper()
	s := start(t)
	admin := newPool(t, s, s.addr(), "")
	return func(t testing.TB, opt leasetest.Options) leasetest.Subject {
		schema := "still_" + strings.ToLower(rand.Text())
		run(t, admin, "CREATE SCHEMA "+schema)
		run(t, admin, "CREATE TABLE "+schema+".clock AS SELECT timestamptz '2030-01-02 03:04:05.000006+00' AS now")
		run(t, admin, "CREATE FUNCTION "+schema+".clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT now FROM "+schema+".clock'")
		under, _, _ := subject(t, s, opt, schema+", pg_catalog")
		under.StandsStill, under.Crash = true, nil
		under.Advance = func(d time.Duration) {
			run(t, admin, "UPDATE "+schema+".clock SET now = now + $1 * interval '1 microsecond'", d.Microseconds())
		}
		return under
	}
}
