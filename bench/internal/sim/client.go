package sim

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// readTimeout is what a Redis client waits for a reply by default.
const readTimeout = 3 * time.Second

// client is a node's store for the plain contenders: the server behind a link, with the time limit that clients have by default and without a
// breaker. It ends with the caller's context, which not every client does.
type client struct {
	link   link
	server *server
}

var _ contender.Store = client{}

func (c client) Get(ctx context.Context, key uint64) (contender.Entry, bool, error) {
	if _, err := c.link.trip(ctx, readTimeout, tripNumber(key, 'g')); err != nil {
		return contender.Entry{}, false, err
	}
	entry, found := c.server.get(key, time.Now())
	return entry, found, nil
}

func (c client) Set(ctx context.Context, key uint64, entry contender.Entry, _ time.Duration) error {
	_, err := c.link.trip(ctx, readTimeout, tripNumber(key, 's'))
	if err == nil {
		c.server.set(key, entry)
	}
	return err
}

func (c client) Delete(ctx context.Context, key uint64) error {
	_, err := c.link.trip(ctx, readTimeout, tripNumber(key, 'd'))
	if err == nil {
		c.server.remove(key)
	}
	return err
}

func (c client) Lock(ctx context.Context, key uint64, ttl time.Duration) (bool, error) {
	if _, err := c.link.trip(ctx, readTimeout, tripNumber(key, 'x')); err != nil {
		return false, err
	}
	now := time.Now()
	return c.server.lock(key, now, now.Add(ttl)), nil
}

func (c client) Unlock(ctx context.Context, key uint64) error {
	_, err := c.link.trip(ctx, readTimeout, tripNumber(key, 'u'))
	if err == nil {
		c.server.unlock(key)
	}
	return err
}
