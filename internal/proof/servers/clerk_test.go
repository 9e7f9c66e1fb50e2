package servers_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// clerk tries single operations as a user, upon what the administrator has prepared.
type clerk struct {
	*permitted
	cache, prepared *redisadapter.Cache[string, string]
}

const trialKey = "key"

func newClerk(p *permitted) *clerk {
	p.t.Helper()
	c := &clerk{permitted: p, cache: p.cache(p.user()), prepared: p.cache(p.admin)}
	if err := p.admin.FlushAll(p.t.Context()).Err(); err != nil {
		p.t.Fatal(err)
	}
	return c
}

func (p *permitted) cache(client *redis.Client) *redisadapter.Cache[string, string] {
	p.t.Helper()
	breaker := new(redisadapter.Breaker)
	p.t.Cleanup(func() { _ = breaker.Close() })
	cfg := cacheConfig(bookRegion, 1e6, 0, breaker)
	cfg.Namespace = documentedNamespace
	return openCache(p.t, client, cfg)
}

// operations are all that the adapter does to a server, each by itself: the administrator prepares what the user then does.
var operations = map[string]func(context.Context, *clerk) error{
	"a lookup": func(ctx context.Context, c *clerk) error {
		if found := c.cache.Lookup(ctx, trialKey); found.Kind != cacheaside.LookupMiss {
			return found.Err
		}
		return nil
	},
	"a record after a miss": func(ctx context.Context, c *clerk) error {
		return told(c.cache.Record(ctx, trialKey, entryOf(trialKey, 1), cacheaside.Condition{}))
	},
	"a record over an observed entry": func(ctx context.Context, c *clerk) error {
		return told(c.cache.Record(ctx, trialKey, entryOf(trialKey, 3), c.stale(ctx)))
	},
	"a large record over an observed entry": func(ctx context.Context, c *clerk) error {
		return told(c.cache.Record(ctx, trialKey, largeEntry(3), c.stale(ctx)))
	},
	"a large record over what is gone": func(ctx context.Context, c *clerk) error {
		where := c.buried(ctx)
		return errors.Join(c.admin.FlushAll(ctx).Err(), told(c.cache.Record(ctx, trialKey, largeEntry(3), where)))
	},
	"the removal of a staged value that is refused": func(ctx context.Context, c *clerk) error {
		where := c.stale(ctx)
		c.tombstone(ctx)
		out := c.cache.Record(ctx, trialKey, largeEntry(3), where)
		keys, err := c.admin.Keys(ctx, "*}:t:*").Result()
		if out.Reason != cacheaside.RecordConditionFailed || len(keys) != 0 {
			return errors.Join(err, fmt.Errorf("%s, %d staged values are left", describeOutcome(out), len(keys)))
		}
		return err
	},
	"an invalidation": func(ctx context.Context, c *clerk) error {
		c.buried(ctx)
		return told(c.cache.Invalidate(ctx, trialKey))
	},
	"an invalidation whose script was forgotten": func(ctx context.Context, c *clerk) error {
		return errors.Join(c.admin.ScriptFlush(ctx).Err(), told(c.cache.Invalidate(ctx, trialKey)))
	},
	"an invalidation at a full server": func(ctx context.Context, c *clerk) error {
		c.buried(ctx)
		full := c.admin.ConfigSet(ctx, "maxmemory", "1").Err()
		out := c.cache.Invalidate(ctx, trialKey)
		return errors.Join(full, c.admin.ConfigSet(ctx, "maxmemory", "0").Err(), told(out))
	},
	"a record whose answer got lost": func(ctx context.Context, c *clerk) error {
		proxy := redistest.StartProxy(c.t, c.server.Addr())
		options := c.server.ClientOptions()
		options.Addr, options.Username, options.Password = proxy.Addr(), c.rule[2], password
		client := redis.NewClient(options)
		c.t.Cleanup(func() { _ = client.Close() })
		proxy.Inject(redistest.Fault{Kind: redistest.ResetBeforeReply, Commands: []string{"SET"}})
		return told(c.permitted.cache(client).Record(ctx, trialKey, entryOf(trialKey, 1), cacheaside.Condition{}))
	},
}

func largeEntry(id int64) cacheaside.Entry[string] {
	return cacheaside.Entry[string]{Value: strings.Repeat("x", leastLarge) + fmt.Sprint(id)}
}

// stale prepares an entry that can be replaced by a script that the server knows.
func (c *clerk) stale(ctx context.Context) cacheaside.Condition {
	c.t.Helper()
	where := cacheaside.Condition{}
	for _, entry := range []cacheaside.Entry[string]{entryOf(trialKey, 1), entryOf(trialKey, 2), largeEntry(2)} {
		if err := told(c.prepared.Record(ctx, trialKey, entry, where)); err != nil {
			c.t.Fatal(err)
		}
		eventually(c.t, "a stale entry", func() bool {
			found := c.prepared.Lookup(ctx, trialKey)
			where.Observation = found.Observation
			return found.Kind == cacheaside.LookupStale
		})
	}
	return where
}

// buried prepares a tombstone.
func (c *clerk) buried(ctx context.Context) cacheaside.Condition {
	c.t.Helper()
	c.stale(ctx)
	return c.tombstone(ctx)
}

func (c *clerk) tombstone(ctx context.Context) cacheaside.Condition {
	c.t.Helper()
	if err := told(c.prepared.Invalidate(ctx, trialKey)); err != nil {
		c.t.Fatal(err)
	}
	return cacheaside.Condition{Observation: c.prepared.Lookup(ctx, trialKey).Observation}
}

// told is nil for what was applied.
func told(out cacheaside.RecordOutcome) error {
	if out.Certainty == cacheaside.RecordApplied {
		return nil
	}
	return fmt.Errorf("%s: %w", describeOutcome(out), out.Err)
}
