package postgres

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cacheaside/resilience/lease"
)

// Defaults and bounds of [Config].
const (
	DefaultTable   = "cacheaside_leases"
	DefaultTimeout = time.Second
	MinSecretBytes = 32

	maxTimeout = time.Minute
	keyBytes   = sha256.Size
)

// Config describes a store. It is a plain value; [New] copies it and names every fault at once. Processes that share leases must share Table, Secret and
// MaxHold.
type Config struct {
	// Table is where the leases are: a name of [a-z0-9_], with or without the schema's before it. "" means cacheaside_leases.
	Table string

	// Secret is stretched by HKDF-SHA256 (RFC 5869) into the key of the HMAC over the names of leases. At least 32 bytes. Another secret sees no lease of
	// this one. It is not kept.
	Secret []byte

	// MaxHold is how long a lease may be held in all, renewals included, counted from its grant. 0 means 1 hour; at least 1 ms, at most 30 days. What
	// holds for a lease is what its Acquire was configured with.
	MaxHold time.Duration

	// Timeout limits one operation in total, the wait for a connection included. The caller's context can only shorten it. 0 means 1 second; at least
	// 1 ms, at most 1 minute.
	Timeout time.Duration

	// Clock measures how long answers take; nil means the real, monotonic clock. It decides nothing.
	Clock clock.Clock

	// AcknowledgedWritesMayBeLost lets the server acknowledge what is not on disk. A crash may then lose a lease that is held, so that another is granted
	// beside it. Tokens still grow, since they come from the server's time, unless its clock goes back.
	AcknowledgedWritesMayBeLost bool
}

func (c Config) withDefaults() Config {
	if c.Table == "" {
		c.Table = DefaultTable
	}
	if c.MaxHold == 0 {
		c.MaxHold = lease.DefaultMaxHold
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Clock == nil {
		c.Clock = clock.New()
	}
	return c
}

func (c Config) faults() []error {
	_, tableFault := quoted(c.Table)
	faults := []error{tableFault, lease.CheckMaxHold(c.MaxHold)}
	if len(c.Secret) < MinSecretBytes {
		faults = append(faults, &lease.ArgumentError{
			Field: "Secret", Value: strconv.Itoa(len(c.Secret)) + " bytes", Rule: "must be at least " + strconv.Itoa(MinSecretBytes) + " bytes",
		})
	}
	if c.Timeout < time.Millisecond || c.Timeout > maxTimeout {
		faults = append(faults, &lease.ArgumentError{
			Field: "Timeout", Value: c.Timeout.String(), Rule: "must be " + time.Millisecond.String() + " to " + maxTimeout.String(),
		})
	}
	return faults
}

var tableShape = regexp.MustCompile(`^([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,62}$`)

// quoted gives a table's name as a statement has it.
func quoted(table string) (string, error) {
	if !tableShape.MatchString(table) {
		return "", &lease.ArgumentError{
			Field: "Table", Value: strconv.Itoa(len(table)) + " bytes", Rule: "must be a name of a-z 0-9 _, with or without the schema's and a dot before it",
		}
	}
	return pgx.Identifier(strings.Split(table, ".")).Sanitize(), nil
}

// New makes a store on a pool, which stays the caller's: the store never closes it. It asks the server once how it is set up, within Timeout, and refuses
// a replica, a table that is not there or not logged, an isolation other than read committed, and, unless that is accepted, a server whose acknowledged
// writes may be lost.
//
// Faults of the configuration are *[lease.ArgumentError], what the server must not be a *[SettingError], each joined; a server that cannot be asked is
// a *[StoreError].
func New(ctx context.Context, pool *pgxpool.Pool, cfg Config) (*Store, error) {
	cfg = cfg.withDefaults()
	faults := cfg.faults()
	if pool == nil {
		faults = append(faults, &lease.ArgumentError{Field: "pool", Value: "nil", Rule: "must not be nil"})
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	macKey, err := hkdf.Key(sha256.New, cfg.Secret, nil, "cacheaside/lease/postgres/1", keyBytes)
	if err != nil {
		return nil, err
	}
	table, err := quoted(cfg.Table)
	if err != nil {
		return nil, err
	}
	s := &Store{
		pool: pool, macKey: macKey, maxHold: cfg.MaxHold, timeout: cfg.Timeout, clock: cfg.Clock, statements: newStatements(table),
	}
	if err := s.checkPosture(ctx, table, cfg); err != nil {
		return nil, err
	}
	return s, nil
}
