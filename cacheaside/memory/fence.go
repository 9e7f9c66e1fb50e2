package memory

import (
	"context"
	"errors"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// fenceLives is how many leases a fence record is kept: long enough for every fill that could still come under it, and no longer, since a record that
// is gone refuses a fill and lets none in.
const fenceLives = 4

var errNotFenced = errors.New("memory: the cache is not built for fenced fills")

// fence is a key's fence record. The zero value is none.
type fence struct {
	token   uint64
	request cacheaside.RequestID // of whoever holds or held the token; zero after an invalidation
	expires time.Time            // the grant is live before
	until   time.Time            // the record is there before

	revision cacheaside.Revision // the greatest that was stored, where revisions are ordered
}

func (f *fence) present(now time.Time) bool { return f.token != 0 && now.Before(f.until) }

// issue gives the next token: above every one that the record knows, and above every one that a lost record may have known, unless the clock went
// back meanwhile.
func (f *fence) issue(request cacheaside.RequestID, now time.Time, lease, kept time.Duration) {
	if !f.present(now) {
		*f = fence{}
	}
	f.token, f.request = max(f.token+1, uint64(max(now.UnixMicro(), 1))), request
	f.expires = now.Add(lease)
	if until := now.Add(kept); until.After(f.until) {
		f.until = until
	}
}

// Fenced implements [cacheaside.Fencer].
func (c *Cache[K, V]) Fenced() bool { return c.fenced }

// Acquire implements [cacheaside.Fencer]. A done context, and a key that does not equal itself, are [cacheaside.GrantUnavailable]. A cache that was
// not built for fenced fills grants nothing.
func (c *Cache[K, V]) Acquire(
	ctx context.Context, key K, request cacheaside.RequestID, seen cacheaside.Observation, lease time.Duration,
) cacheaside.Grant {
	if outcome := c.refuses(ctx, key); outcome != nil {
		return cacheaside.Grant{Kind: cacheaside.GrantUnavailable, Err: outcome.Err}
	}
	if !c.fenced {
		return cacheaside.Grant{Kind: cacheaside.GrantUnavailable, Err: errNotFenced}
	}
	required := requirementOf(cacheaside.Condition{Observation: seen})
	now := c.clock.Now()
	home := c.home(key)
	for {
		grant, full := c.shards[home].acquire(key, request, &required, now, lease)
		if !full {
			return grant
		}
		c.evictBeside(home)
	}
}

// Fill implements [cacheaside.Fencer]. Its refusals beside [cacheaside.RecordSuperseded] are those of [Cache.Record].
func (c *Cache[K, V]) Fill(
	ctx context.Context, key K, held cacheaside.Fence, given cacheaside.Entry[V], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	if outcome := c.refuses(ctx, key); outcome != nil {
		return *outcome
	}
	now := c.clock.Now()
	made, outcome := c.draft(key, given, now)
	if outcome != nil {
		return *outcome
	}
	var required *requirement
	if condition.Observation != "" {
		asked := requirementOf(condition)
		required = &asked
	}
	return c.place(&made, key, func(s *shard[K, V]) verdict { return s.fill(key, held, &made, required, now, c.orders) })
}

// Release implements [cacheaside.Fencer].
func (c *Cache[K, V]) Release(ctx context.Context, key K, held cacheaside.Fence) {
	if c.refuses(ctx, key) == nil {
		c.shards[c.home(key)].release(key, held, c.clock.Now())
	}
}

// acquire decides about a grant in one step. full says that there is no room for a record of its own.
func (s *shard[K, V]) acquire(
	key K, request cacheaside.RequestID, required *requirement, now time.Time, lease time.Duration,
) (grant cacheaside.Grant, full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nodes[key]
	if refusal(required, n, now.UnixMilli()) != 0 {
		return cacheaside.Grant{Kind: cacheaside.GrantAlreadyFilled}, false
	}
	if n == nil {
		if n = s.put(key, nil, &entry[V]{size: EntryCost}); n == nil {
			return cacheaside.Grant{}, true
		}
	}
	if live := n.fence.present(now) && now.Before(n.fence.expires); !live || n.fence.request != request {
		if live {
			return cacheaside.Grant{Kind: cacheaside.GrantHeld, Remaining: n.fence.expires.Sub(now)}, false
		}
		n.fence.issue(request, now, lease, fenceLives*lease)
	}
	return cacheaside.Grant{Kind: cacheaside.GrantGranted, Fence: cacheaside.Fence{Token: n.fence.token, Request: request}}, false
}

func (s *shard[K, V]) fill(key K, held cacheaside.Fence, fresh *entry[V], required *requirement, now time.Time, ordered bool) verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nodes[key]
	if n == nil || !n.fence.present(now) || n.fence.token != held.Token || n.fence.request != held.Request {
		return verdict{refused: cacheaside.RecordSuperseded}
	}
	if required != nil {
		if reason := refusal(required, n, now.UnixMilli()); reason != 0 {
			return verdict{refused: reason}
		}
	}
	if ordered && n.knows(now) > fresh.revision {
		return verdict{refused: cacheaside.RecordOlderRevision}
	}
	if s.put(key, n, fresh) == nil {
		return verdict{full: true}
	}
	n.fence.expires = now
	n.fence.revision = max(n.fence.revision, fresh.revision)
	return verdict{}
}

// bury puts a tombstone over whatever is there, and in a fenced cache issues a token, so that no fill of an earlier one is accepted.
func (s *shard[K, V]) bury(key K, tombstone *entry[V], now time.Time, fenced bool) verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nodes[key]
	known := n.knows(now) // the entry goes, and what it tells of the order must not
	if n = s.put(key, n, tombstone); n == nil {
		return verdict{full: true}
	}
	if fenced {
		n.fence.issue(cacheaside.RequestID{}, now, 0, time.Duration(tombstone.hard-now.UnixMilli())*time.Millisecond)
		n.fence.revision = known
	}
	return verdict{}
}

func (s *shard[K, V]) release(key K, held cacheaside.Fence, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nodes[key]
	if n == nil || !n.fence.present(now) || n.fence.request != held.Request || held.Token != 0 && n.fence.token != held.Token {
		return
	}
	if now.Before(n.fence.expires) {
		n.fence.expires = now
	}
}
