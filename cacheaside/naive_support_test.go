package cacheaside_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/cacheaside/resilience/cacheaside"
)

// coalescer is what every way of sharing one load of a key offers, the region's among them. A load is over at loadLimit after its begin; get waits
// no longer than its own context.
type coalescer interface {
	get(ctx context.Context, key string, load func() string) (string, error)
	inFlight() int // keys that a caller would join a load of
}

const loadLimit = time.Second

var errLimit = errors.New("the load took too long")

// fixture makes a coalescer whose results go to record before they are published.
type fixture struct {
	name  string
	build func(t testing.TB, record func(value string)) coalescer
}

func theRegion() fixture {
	return fixture{"the region", func(t testing.TB, record func(string)) coalescer {
		t.Helper()
		cache := &scripted{record: func(_ context.Context, _ string, entry cacheaside.Entry[string], _ cacheaside.Condition) cacheaside.RecordOutcome {
			record(entry.Value)
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}}
		return regionCoalescer{newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.MaxWaitersPerKey = 1 << 10 }))}
	}}
}

type regionCoalescer struct{ region *stringRegion }

func (c regionCoalescer) get(ctx context.Context, key string, load func() string) (string, error) {
	result, err := cacheaside.Get(ctx, c.region, key, func(context.Context, string) cacheaside.SourceOutcome[string] {
		return cacheaside.Loaded(load(), "")
	})
	return result.Value, err
}

func (c regionCoalescer) inFlight() int { return c.region.Stats().InFlightKeys }

// removedInside keeps a map of its own beside a singleflight group, for its bounds, and removes the entry inside the function that the group runs:
// the group still has the call when the entry is gone. A caller in between becomes a leader whose function never runs, so that nobody removes its
// entry and nobody wakes those who wait for it.
type removedInside struct {
	group  singleflight.Group
	record func(string)

	mu      sync.Mutex
	flights map[string]chan struct{}
	last    map[string]string
}

func removedInsideFixture() fixture {
	return fixture{"a map entry removed inside the function", func(_ testing.TB, record func(string)) coalescer {
		return &removedInside{record: record, flights: map[string]chan struct{}{}, last: map[string]string{}}
	}}
}

func (c *removedInside) get(ctx context.Context, key string, load func() string) (string, error) {
	c.mu.Lock()
	if done, ok := c.flights[key]; ok {
		c.mu.Unlock()
		select {
		case <-done:
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.last[key], nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	done := make(chan struct{})
	c.flights[key] = done
	c.mu.Unlock()
	ended := c.group.DoChan(key, func() (any, error) {
		value := load()
		c.mu.Lock()
		delete(c.flights, key)
		c.last[key] = value
		close(done)
		c.mu.Unlock()
		c.record(value)
		return value, nil
	})
	return valueOf(ctx, ended)
}

func (c *removedInside) inFlight() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.flights)
}

// forgetsByKey lets every caller forget the key when its time is up, so that the next one starts afresh. The key may stand for a newer load by then.
type forgetsByKey struct {
	group  singleflight.Group
	record func(string)
}

func forgetsByKeyFixture() fixture {
	return fixture{"Forget by bare key", func(_ testing.TB, record func(string)) coalescer { return &forgetsByKey{record: record} }}
}

func (c *forgetsByKey) get(ctx context.Context, key string, load func() string) (string, error) {
	ended := c.group.DoChan(key, func() (any, error) {
		value := load()
		c.record(value)
		return value, nil
	})
	limit := time.NewTimer(loadLimit)
	defer limit.Stop()
	select {
	case result := <-ended:
		return result.Val.(string), result.Err //nolint:errcheck,forcetypeassert // made above
	case <-limit.C:
		c.group.Forget(key)
		return "", errLimit
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (c *forgetsByKey) inFlight() int { return 0 }

// everybodyInDoChan lets every caller ask the group for a channel. The group keeps one for each until the call ends, those of callers that left
// included.
type everybodyInDoChan struct {
	group  singleflight.Group
	record func(string)
}

func everybodyInDoChanFixture() fixture {
	return fixture{"every caller in DoChan", func(_ testing.TB, record func(string)) coalescer { return &everybodyInDoChan{record: record} }}
}

func (c *everybodyInDoChan) get(ctx context.Context, key string, load func() string) (string, error) {
	return valueOf(ctx, c.group.DoChan(key, func() (any, error) {
		value := load()
		c.record(value)
		return value, nil
	}))
}

func (c *everybodyInDoChan) inFlight() int { return 0 }

func valueOf(ctx context.Context, ended <-chan singleflight.Result) (string, error) {
	select {
	case result := <-ended:
		return result.Val.(string), result.Err //nolint:errcheck,forcetypeassert // a load gives a string
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
