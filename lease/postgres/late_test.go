package postgres_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/lease"
)

// slowClock goes on by a while each time that it is asked: to the store, every answer takes that long.
type slowClock struct {
	clock.Clock

	by    time.Duration
	asked atomic.Int64
}

func (c *slowClock) Now() time.Time {
	return time.Unix(0, 0).Add(time.Duration(c.asked.Add(1)) * c.by)
}

// TestC132_AnAnswerThatTookLongerThanTheLeaseIsNotTakenForOne has a client of 1970 besides, whose clock decides nothing.
func TestC132_AnAnswerThatTookLongerThanTheLeaseIsNotTakenForOne(t *testing.T) {
	s := start(t)
	pool := newPool(t, s, s.addr(), "")
	cfg := newTable(t, pool)
	right := openStore(t, pool, cfg)
	slow := &slowClock{Clock: clock.New(), by: 80 * time.Second}
	cfg.Clock = slow
	store := openStore(t, pool, cfg)
	ctx := context.Background()
	for key, row := range map[string]struct {
		ttl  time.Duration
		kind lease.AcquireKind
		lost lease.Loss
	}{
		"shorter": {time.Minute, lease.Late, lease.LostLate},
		"as long": {80 * time.Second, lease.Late, lease.LostLate},
		"longer":  {100 * time.Second, lease.Granted, lease.NotLost},
	} {
		a, err := store.Acquire(ctx, key, "a", lease.NewRequestID(), row.ttl)
		if err != nil || a.Kind != row.kind {
			t.Errorf("%s: %+v, %v, want %v", key, a, err, row.kind)
		}
		arrived := time.Unix(0, 0).Add(time.Duration(slow.asked.Load()) * slow.by)
		if left := a.Grant.ValidUntil.Sub(arrived); left != row.ttl-slow.by {
			t.Errorf("%s: %v are left, want %v", key, left, row.ttl-slow.by)
		}
		if r, err := store.Renew(ctx, key, a.Grant.Token, row.ttl); err != nil || r.Lost != row.lost {
			t.Errorf("%s: the renewal %+v, %v, want %v", key, r, err, row.lost)
		}
		if seen, err := right.Inspect(ctx, key); err != nil || !seen.Live || seen.Token != a.Grant.Token {
			t.Errorf("%s: at the server %+v, %v, want it live", key, seen, err)
		}
	}
}
