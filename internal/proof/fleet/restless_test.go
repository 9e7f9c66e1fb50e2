package fleet_test

import (
	"context"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// restless is a cache whose entry another process invalidates before each of the first requests for a grant, and later before each that comes long after
// its lookup.
type restless struct {
	port
	looked   time.Time
	requests int
}

const longAfter = 5 * time.Millisecond

func (c *restless) Lookup(ctx context.Context, key string) cacheaside.Lookup[string] {
	c.looked = time.Now()
	return c.port.Lookup(ctx, key)
}

func (c *restless) Acquire(
	ctx context.Context, key string, request cacheaside.RequestID, seen cacheaside.Observation, lease time.Duration,
) cacheaside.Grant {
	c.requests++
	if c.requests <= 3 || time.Since(c.looked) >= longAfter {
		c.Invalidate(ctx, key)
	}
	return c.port.Acquire(ctx, key, request, seen, lease)
}

// TestAKeyThatIsInvalidatedAllTheTimeIsLoadedAllTheSame has no reader beside the one flight, so that nothing is shared without a lock.
func TestAKeyThatIsInvalidatedAllTheTimeIsLoadedAllTheSame(t *testing.T) {
	t.Parallel()
	cache, err := memory.New(memory.Config[string, string]{
		TTL: memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute}, MaxEntries: 100, Fenced: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	policy := fleetPolicy()
	policy.HeldWait = 2 * time.Second
	region := onCaches(t, policy, &restless{port: cache}).regions[0]
	result, err := cacheaside.Get(context.Background(), region, "key", of("value"))
	if err != nil || result.Value != "value" || result.Record.Certainty != cacheaside.RecordApplied {
		t.Fatalf("got %v %q, recorded as %v, %v", result.Status, result.Value, result.Record, err)
	}
}
