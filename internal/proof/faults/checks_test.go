package faults_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
)

// checkTime holds the call to its limit, and to less where nothing has to be waited for.
func (c cell) checkTime(t *testing.T, took time.Duration) {
	t.Helper()
	if most := c.limit() + slack; c.ends == atLimit && took > most {
		t.Errorf("took %v, at most %v", took, most)
	}
	if c.ends == atOnce && took >= c.limit() {
		t.Errorf("took %v: a broken connection was waited for", took)
	}
}

// checkHeld tells what the server has, by a look past the proxy.
func (c cell) checkHeld(t *testing.T, p *place) {
	t.Helper()
	if got := heldOf(t, p.direct, c.operation.value()); got != c.holds {
		t.Errorf("the server holds %s, want %s", got, c.holds)
	}
	left := p.staged(t)
	if want := map[leftover]int{leftStaged: 1}[c.leaves]; len(left) != want {
		t.Errorf("%d staged values are left, want %d", len(left), want)
	}
	for _, staged := range left {
		life, err := p.admin.PTTL(context.Background(), staged).Result()
		if most := c.limit() + 5*time.Second; err != nil || life <= 0 || life > most {
			t.Errorf("what is left of the staged value lives %v (%v), at most %v", life, err, most)
		}
	}
}

// heldOf names what a cache finds under the key; renewed is the value that was to be recorded.
func heldOf(t *testing.T, on *cache, recorded string) held {
	t.Helper()
	found := on.Lookup(context.Background(), key)
	switch {
	case found.Kind == cacheaside.LookupMiss && found.Miss == cacheaside.MissAbsent:
		return nothing
	case found.Kind == cacheaside.LookupMiss && found.Miss == cacheaside.MissInvalidated:
		return tombstone
	case found.Kind != cacheaside.LookupFresh && found.Kind != cacheaside.LookupStale:
		return held(found.Kind.String())
	case found.Value == string(old):
		return old
	case found.Value == recorded:
		return renewed
	}
	return "another value"
}

// checkRecovery goes on over the healed proxy: what it finds is what the server holds, no reply that was meant for another
// command reaches it, and the operation can be done.
func (c cell) checkRecovery(t *testing.T, p *place, on *cache) {
	t.Helper()
	ctx := context.Background()
	if got := heldOf(t, on, c.operation.value()); got != c.holds {
		t.Errorf("the next lookup finds %s, want %s", got, c.holds)
	}
	for range 2 {
		for _, other := range others {
			if found := on.Lookup(ctx, other); found.Value != "value of "+other {
				t.Errorf("the lookup of %s found %v %q (%v)", other, found.Kind, found.Value, found.Err)
			}
		}
	}
	var out cacheaside.RecordOutcome
	switch c.operation {
	case lookup:
		return
	case invalidate:
		out = on.Invalidate(ctx, key)
	default:
		var condition cacheaside.Condition
		if c.holds != nothing {
			condition = p.observe(t, key)
		}
		out = on.Record(ctx, key, cacheaside.Entry[string]{Value: c.operation.value()}, condition)
	}
	if out.Certainty != cacheaside.RecordApplied {
		t.Errorf("the next %s: %v %v %v", c.operation, out.Certainty, out.Reason, out.Err)
	}
	want := renewed
	if c.operation == invalidate {
		want = tombstone
	}
	if got := heldOf(t, on, c.operation.value()); got != want {
		t.Errorf("after the next %s: %s", c.operation, got)
	}
}

// checkPool waits until no connection is lent to anybody, which it never comes to if one was not given back.
func (c cell) checkPool(t *testing.T, client redis.UniversalClient) {
	t.Helper()
	eventually(t, "all connections are idle", func() bool {
		stats := client.PoolStats()
		return stats.TotalConns == stats.IdleConns && stats.TotalConns > 0
	})
	// All of this was one call after the other.
	if stats := client.PoolStats(); stats.TotalConns > 2 {
		t.Errorf("%d connections", stats.TotalConns)
	}
}
