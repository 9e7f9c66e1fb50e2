package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cacheaside/resilience/lease"
)

// Store is a [lease.Store] on a table of PostgreSQL. Make it with [New]. It is safe for concurrent use and has nothing to close. The causes of its errors
// are a *[StoreError], or a *[lease.ArgumentError] for an argument that cannot be.
type Store struct {
	pool       *pgxpool.Pool
	macKey     []byte
	maxHold    time.Duration
	timeout    time.Duration
	clock      clock.Clock
	statements statements
}

// Acquire implements [lease.Store].
func (s *Store) Acquire(ctx context.Context, key, owner string, request lease.RequestID, ttl time.Duration) (lease.Acquired, error) {
	if err := lease.CheckAcquire(key, owner, request, ttl, s.maxHold); err != nil {
		return lease.Acquired{}, err
	}
	row, err := s.ask(ctx, lease.OpAcquire, s.statements.acquire, s.digest(key), owner, request[:], ttl.Microseconds(), s.maxHold.Microseconds())
	switch {
	case err != nil:
		return lease.Acquired{}, err
	case row.outcome == outcomeDone:
		return lease.AcquiredAt(row.grant(), s.clock.Now()), nil
	}
	return lease.Acquired{Kind: lease.Held, Owner: row.owner, Remaining: row.remaining()}, nil
}

// Renew implements [lease.Store].
func (s *Store) Renew(ctx context.Context, key string, token lease.Token, ttl time.Duration) (lease.Renewed, error) {
	if err := lease.CheckRenew(key, ttl, s.maxHold); err != nil {
		return lease.Renewed{}, err
	}
	row, err := s.ask(ctx, lease.OpRenew, s.statements.renew, s.digest(key), known(token), ttl.Microseconds())
	switch {
	case err != nil:
		return lease.Renewed{}, err
	case row.lost() != lease.NotLost:
		return lease.Renewed{Lost: row.lost()}, nil
	}
	return lease.RenewedAt(row.grant(), s.clock.Now()), nil
}

// Release implements [lease.Store].
func (s *Store) Release(ctx context.Context, key string, token lease.Token) (lease.Released, error) {
	if err := lease.CheckKey(lease.OpRelease, key); err != nil {
		return lease.Released{}, err
	}
	row, err := s.ask(ctx, lease.OpRelease, s.statements.release, s.digest(key), known(token))
	if err != nil {
		return lease.Released{}, err
	}
	return lease.Released{Lost: row.lost()}, nil
}

// Inspect implements [lease.Store]. It changes nothing, and asks the server that decides.
func (s *Store) Inspect(ctx context.Context, key string) (lease.Inspection, error) {
	if err := lease.CheckKey(lease.OpInspect, key); err != nil {
		return lease.Inspection{}, err
	}
	row, err := s.ask(ctx, lease.OpInspect, s.statements.inspect, s.digest(key))
	switch {
	case err != nil:
		return lease.Inspection{}, err
	case row.outcome != outcomeDone:
		return lease.Inspection{Token: lease.Token(row.token)}, nil
	}
	return lease.Inspection{Live: true, Token: lease.Token(row.token), Owner: row.owner, Remaining: row.remaining()}, nil
}

// answer is the row that a statement decided about, or the outcome alone where there is none.
type answer struct {
	began                   time.Time
	outcome                 int16
	token, expires, decided int64
	owner                   string
}

// ask runs one statement on a connection that is ready, so that one which could not be had is certainly nothing sent.
func (s *Store) ask(ctx context.Context, op lease.Op, statement string, args ...any) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	a := answer{began: s.clock.Now()}
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return answer{}, lease.NoDecision(op, storeError(string(op), err))
	}
	defer conn.Release()
	// Prepared first, it would be two round trips, of which the second is the one that counts.
	err = conn.QueryRow(ctx, statement, append([]any{pgx.QueryExecModeExec}, args...)...).Scan(&a.outcome, &a.token, &a.expires, &a.decided, &a.owner)
	switch {
	case errors.Is(err, pgx.ErrNoRows) && op != lease.OpAcquire:
		a.outcome = outcomeSuperseded // or never granted
		return a, nil
	case errors.Is(err, pgx.ErrNoRows), err == nil && a.outcome == outcomeForeign:
		return answer{}, lease.NoDecision(op, storeError(string(op), errForeignRow))
	case err == nil:
		return a, nil
	case op == lease.OpInspect, nothingDone(err):
		return answer{}, lease.NoDecision(op, storeError(string(op), err))
	}
	return answer{}, lease.Indeterminate(op, storeError(string(op), err))
}

func (a answer) lost() lease.Loss {
	switch a.outcome {
	case outcomeDone:
		return lease.NotLost
	case outcomeExpired:
		return lease.LostExpired
	case outcomeMaxHold:
		return lease.LostMaxHold
	}
	return lease.LostSuperseded
}

func (a answer) grant() lease.Grant {
	return lease.NewGrant(lease.Token(a.token), time.UnixMicro(a.expires).UTC(), time.UnixMicro(a.decided).UTC(), a.began)
}

func (a answer) remaining() time.Duration {
	return time.Duration(a.expires-a.decided) * time.Microsecond
}

// known is a token as a statement has it; one that there cannot be is none that is stored.
func known(token lease.Token) int64 {
	if token > lease.MaxToken {
		return 0
	}
	return int64(token)
}

// digest is the name of a key in the table.
func (s *Store) digest(key string) []byte {
	mac := hmac.New(sha256.New, s.macKey)
	mac.Write([]byte(key))
	return mac.Sum(nil)
}
