package memory

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// OrderedRevisions implements [cacheaside.Putter].
func (c *Cache[K, V]) OrderedRevisions() bool { return c.fenced && c.orders }

// Put implements [cacheaside.Putter]. Its refusals beside [cacheaside.RecordOlderRevision] are those of [Cache.Record]; a cache without ordered revisions
// refuses as [cacheaside.RecordUnfenced].
func (c *Cache[K, V]) Put(ctx context.Context, key K, given cacheaside.Entry[V]) cacheaside.RecordOutcome {
	if outcome := c.refuses(ctx, key); outcome != nil {
		return *outcome
	}
	if !c.OrderedRevisions() {
		return *refused(cacheaside.RecordUnfenced, nil)
	}
	now := c.clock.Now()
	made, outcome := c.draft(key, given, now)
	if outcome != nil {
		return *outcome
	}
	kept := duration(c.lives.tombstone)
	return c.place(&made, key, func(s *shard[K, V]) verdict { return s.replace(key, &made, now, kept) })
}

// replace stores what is not older than what is known, and issues a token, as a tombstone does.
func (s *shard[K, V]) replace(key K, fresh *entry[V], now time.Time, kept time.Duration) verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nodes[key]
	if n.knows(now) > fresh.revision {
		return verdict{refused: cacheaside.RecordOlderRevision}
	}
	if n = s.put(key, n, fresh); n == nil {
		return verdict{full: true}
	}
	n.fence.issue(cacheaside.RequestID{}, now, 0, kept)
	n.fence.revision = fresh.revision
	return verdict{}
}

// knows gives the greatest revision that is known of the key: of what is stored, or of what was before a tombstone.
func (n *node[K, V]) knows(now time.Time) (known cacheaside.Revision) {
	if n == nil {
		return ""
	}
	if n.entry.kind == kindValue && now.UnixMilli() < n.entry.hard {
		known = n.entry.revision
	}
	if n.fence.present(now) {
		known = max(known, n.fence.revision)
	}
	return known
}
