package postgres

import (
	"context"
	"errors"

	"github.com/cacheaside/resilience/lease"
)

const postureStatement = `SELECT pg_is_in_recovery(), current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
  current_setting('transaction_isolation'), coalesce((SELECT relpersistence::text FROM pg_class WHERE oid = to_regclass($1::text)), '')`

// checkPosture tells at once everything by which the server may lose a lease that it granted. An opt-out silences only its own finding.
func (s *Store) checkPosture(ctx context.Context, table string, cfg Config) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var (
		replica                                               bool
		fsync, fullPages, synchronous, isolation, persistence string
	)
	err := s.pool.QueryRow(ctx, postureStatement, table).Scan(&replica, &fsync, &fullPages, &synchronous, &isolation, &persistence)
	if err != nil {
		return storeError("open", err)
	}
	var faults []error
	unless := func(fine bool, setting, seen, want, consequence string) {
		if !fine {
			faults = append(faults, &SettingError{setting, seen, want, consequence})
		}
	}
	const forgets, orAccept = "a crash loses leases that are held", ", or Config.AcknowledgedWritesMayBeLost on"
	unless(!replica, "pg_is_in_recovery", "true", "false", "a replica does not decide")
	unless(isolation == "read committed", "transaction_isolation", isolation, "read committed", "concurrent acquires fail")
	unless(persistence != "", "Config.Table", "not there", "made by CreateTable or Schema", "there is nowhere to keep leases")
	if !cfg.AcknowledgedWritesMayBeLost {
		unless(fsync == "on", "fsync", fsync, "on"+orAccept, forgets)
		unless(fullPages == "on", "full_page_writes", fullPages, "on"+orAccept, forgets)
		unless(synchronous != "off", "synchronous_commit", synchronous, "anything but off"+orAccept, forgets)
		unless(persistence == "" || persistence == "p", "Config.Table", "unlogged or temporary", "a logged table"+orAccept, forgets)
	}
	return errors.Join(faults...)
}

var _ lease.Store = (*Store)(nil)
