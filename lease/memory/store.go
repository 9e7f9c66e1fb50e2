package memory

import (
	"context"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/lease"
)

// Config describes a store. The zero value is good.
type Config struct {
	// MaxHold is how long a lease may be held in all, renewals included. 0 means 1 hour; at least 1 ms, at most 30 days.
	MaxHold time.Duration

	// Clock is the store's; nil means the real one. A test may move it.
	Clock clock.Clock
}

// Store is a [lease.Store]. Make it with [New].
type Store struct {
	clock   clock.Clock
	maxHold time.Duration

	mu      sync.Mutex        // the clock is read under it, so that decisions come in the order of their times
	records map[string]record // guarded by mu
}

// New makes a store without leases. An error is a *[lease.ArgumentError].
func New(cfg Config) (*Store, error) {
	if cfg.MaxHold == 0 {
		cfg.MaxHold = lease.DefaultMaxHold
	}
	if cfg.Clock == nil {
		cfg.Clock = clock.New()
	}
	if err := lease.CheckMaxHold(cfg.MaxHold); err != nil {
		return nil, err
	}
	return &Store{clock: cfg.Clock, maxHold: cfg.MaxHold, records: make(map[string]record)}, nil
}

// Acquire implements [lease.Store].
func (s *Store) Acquire(ctx context.Context, key, owner string, request lease.RequestID, ttl time.Duration) (lease.Acquired, error) {
	if err := lease.CheckAcquire(key, owner, request, ttl, s.maxHold); err != nil {
		return lease.Acquired{}, err
	}
	if err := ctx.Err(); err != nil {
		return lease.Acquired{}, lease.NoDecision(lease.OpAcquire, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	held, micros := s.records[key], now.UnixMicro()
	switch {
	case held.live(micros) && held.request != request:
		return lease.Acquired{Kind: lease.Held, Owner: held.owner, Remaining: micro(held.expires - micros)}, nil
	case !held.live(micros):
		granted, ok := held.next(micros)
		if !ok {
			return lease.Acquired{}, lease.NoDecision(lease.OpAcquire, errNoTokens)
		}
		granted.owner, granted.request = owner, request
		granted.expires, granted.limit = micros+ttl.Microseconds(), micros+s.maxHold.Microseconds()
		s.records[key], held = granted, granted
	}
	return lease.Acquired{Kind: lease.Granted, Grant: held.grant(now)}, nil
}

// Renew implements [lease.Store].
func (s *Store) Renew(ctx context.Context, key string, token lease.Token, ttl time.Duration) (lease.Renewed, error) {
	if err := lease.CheckRenew(key, ttl, s.maxHold); err != nil {
		return lease.Renewed{}, err
	}
	if err := ctx.Err(); err != nil {
		return lease.Renewed{}, lease.NoDecision(lease.OpRenew, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	held := s.records[key]
	if lost := held.lost(token, now.UnixMicro()); lost != lease.NotLost {
		return lease.Renewed{Lost: lost}, nil
	}
	held.expires = min(now.UnixMicro()+ttl.Microseconds(), held.limit)
	s.records[key] = held
	return lease.Renewed{Grant: held.grant(now)}, nil
}

// Release implements [lease.Store].
func (s *Store) Release(ctx context.Context, key string, token lease.Token) (lease.Released, error) {
	if err := lease.CheckKey(lease.OpRelease, key); err != nil {
		return lease.Released{}, err
	}
	if err := ctx.Err(); err != nil {
		return lease.Released{}, lease.NoDecision(lease.OpRelease, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.records[key]
	if lost := held.lost(token, s.clock.Now().UnixMicro()); lost != lease.NotLost {
		return lease.Released{Lost: lost}, nil
	}
	held.expires = 0 // and not the present, which would be ahead again where the clock goes back
	s.records[key] = held
	return lease.Released{}, nil
}

// Inspect implements [lease.Store].
func (s *Store) Inspect(ctx context.Context, key string) (lease.Inspection, error) {
	if err := lease.CheckKey(lease.OpInspect, key); err != nil {
		return lease.Inspection{}, err
	}
	if err := ctx.Err(); err != nil {
		return lease.Inspection{}, lease.NoDecision(lease.OpInspect, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now().UnixMicro()
	held := s.records[key]
	if !held.live(now) {
		return lease.Inspection{Token: held.token}, nil
	}
	return lease.Inspection{Live: true, Token: held.token, Owner: held.owner, Remaining: micro(held.expires - now)}, nil
}
