package memory

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
)

const (
	maxShards         = 64
	minEntriesInShard = 256
)

// Cache is an in-process [cacheaside.Cache], [cacheaside.Fencer] and [cacheaside.LifetimeReporter]. Make one with [New]; the zero value is
// not usable. It is safe for concurrent use. Whoever holds the pointer shares the entries.
type Cache[K comparable, V any] struct {
	clock  clock.Clock
	lives  lives
	sizeOf func(K, V) int
	jitter func(K, bool) float64

	fenced bool
	orders bool
	budget budget
	seed   maphash.Seed
	shards []*shard[K, V] // a power of two of them
	writes atomic.Uint64

	generation atomic.Uint64 // counts from 1
}

// New makes an empty cache. The error joins every fault of the configuration, each a [*cacheaside.FieldError].
func New[K comparable, V any](cfg Config[K, V]) (*Cache[K, V], error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	c := &Cache[K, V]{
		clock: cfg.Clock, lives: livesOf(cfg.TTL), sizeOf: cfg.SizeOf, jitter: cfg.Jitter,
		fenced: cfg.Fenced, orders: cfg.OrderedRevisions,
		budget: budget{maxEntries: int64(cfg.MaxEntries), maxBytes: cfg.MaxBytes},
		seed:   maphash.MakeSeed(),
	}
	if c.clock == nil {
		c.clock = clock.New()
	}
	if cfg.MaxBytes == 0 {
		c.budget.maxBytes = math.MaxInt64
	}
	for range shardsFor(cfg.MaxEntries) {
		c.shards = append(c.shards, newShard[K, V](&c.budget))
	}
	c.writes.Store(firstWrite())
	c.generation.Store(1)
	return c, nil
}

// shardsFor is the largest power of two that leaves every shard entries enough for its order of use to mean something.
func shardsFor(maxEntries int) int {
	share := min(max(maxEntries/minEntriesInShard, 1), maxShards)
	return 1 << (bits.Len(uint(share)) - 1)
}

// firstWrite is where a cache begins to count its writes, so that an observation of one cache means nothing to another.
func firstWrite() uint64 {
	var start [8]byte
	// It never fails: the program ends where the system has no randomness.
	_, _ = rand.Read(start[:])
	return binary.BigEndian.Uint64(start[:])
}

// Lookup implements [cacheaside.Cache]. A done context is [cacheaside.LookupUnavailable] with the context's error.
func (c *Cache[K, V]) Lookup(ctx context.Context, key K) cacheaside.Lookup[V] {
	if err := ctx.Err(); err != nil {
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnavailable, Err: err}
	}
	now, generation := c.clock.Now().UnixMilli(), c.generation.Load()
	found, present := c.shards[c.home(key)].lookup(key, now)
	if !present {
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent, Generation: cacheaside.Generation(generation)}
	}
	return found.view(now, generation)
}

// Record implements [cacheaside.Cache]. It is always certain: [cacheaside.RecordApplied], or [cacheaside.RecordNotApplied] with one of
//
//   - [cacheaside.RecordConditionFailed], [cacheaside.RecordObservationGone]: the condition does not hold;
//   - [cacheaside.RecordTooLarge]: the entry costs more than [Config.MaxBytes] by itself, Err is a [*cacheaside.FieldError];
//   - [cacheaside.RecordEncodeFailed]: the revision is longer than [cacheaside.MaxRevisionBytes], a hook panicked, or the key does not equal
//     itself, as NaN; Err is a [*cacheaside.FieldError];
//   - [cacheaside.RecordNeverSent]: the context is done, and Err its error; or the hard expiry, counted from [cacheaside.Entry.LoadedAt], has
//     passed already. A LoadedAt that is still to come counts as now;
//   - [cacheaside.RecordUnfenced]: the cache was built for fenced fills;
//   - [cacheaside.RecordSuperseded]: the entry is of an older generation. One of generation 0 is of the present one.
func (c *Cache[K, V]) Record(
	ctx context.Context, key K, given cacheaside.Entry[V], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	if outcome := c.refuses(ctx, key); outcome != nil {
		return *outcome
	}
	if c.fenced {
		return *refused(cacheaside.RecordUnfenced, nil)
	}
	now := c.clock.Now()
	made, outcome := c.draft(key, given, now)
	if outcome != nil {
		return *outcome
	}
	required := requirementOf(condition)
	return c.place(&made, key, func(s *shard[K, V]) verdict { return s.store(key, &made, &required, now.UnixMilli()) })
}

// Invalidate implements [cacheaside.Invalidator]: it puts a tombstone over whatever is stored, or over nothing. It is not applied only where the
// context is done or the key does not equal itself, as in [Cache.Record].
func (c *Cache[K, V]) Invalidate(ctx context.Context, key K) cacheaside.RecordOutcome {
	if outcome := c.refuses(ctx, key); outcome != nil {
		return *outcome
	}
	now := c.clock.Now()
	made := entry[V]{kind: kindTombstone, hard: now.UnixMilli() + c.lives.tombstone, size: EntryCost}
	return c.place(&made, key, func(s *shard[K, V]) verdict { return s.bury(key, &made, now, c.fenced) })
}

// refuses holds back what could not be stored whatever it is. A key that does not equal itself would stay in a map for ever: nothing finds it,
// nor deletes it.
func (c *Cache[K, V]) refuses(ctx context.Context, key K) *cacheaside.RecordOutcome {
	if err := ctx.Err(); err != nil {
		return refused(cacheaside.RecordNeverSent, err)
	}
	if same := key; same != key {
		return refused(cacheaside.RecordEncodeFailed, &cacheaside.FieldError{Field: "key", Rule: "must equal itself"})
	}
	return nil
}

// place runs a store that needs room until it has it.
func (c *Cache[K, V]) place(made *entry[V], key K, store func(*shard[K, V]) verdict) cacheaside.RecordOutcome {
	made.version = newVersion(c.writes.Add(1))
	home := c.home(key)
	for {
		switch result := store(c.shards[home]); {
		case result.refused != 0:
			return *refused(result.refused, nil)
		case !result.full:
			return made.applied()
		}
		c.evictBeside(home)
	}
}

// evictBeside removes one entry of another shard. It finds none only where others have filled the cache meanwhile, and then they got on.
func (c *Cache[K, V]) evictBeside(home int) {
	for i := 1; i < len(c.shards); i++ {
		if c.shards[(home+i)&(len(c.shards)-1)].evict() {
			return
		}
	}
}

func (c *Cache[K, V]) home(key K) int {
	if len(c.shards) == 1 {
		return 0
	}
	return int(maphash.Comparable(c.seed, key) & uint64(len(c.shards)-1))
}

// Lifetimes implements [cacheaside.LifetimeReporter]. The time limits of calls are zero: no call waits for anything.
func (c *Cache[K, V]) Lifetimes() cacheaside.Lifetimes {
	return cacheaside.Lifetimes{MinHard: c.lives.shortest(c.jitter != nil), Tombstone: duration(c.lives.tombstone)}
}

// Len tells how many entries are held, tombstones and expired ones included.
func (c *Cache[K, V]) Len() int {
	entries, _ := c.budget.held()
	return int(entries)
}

// Bytes tells what they cost together; see [Config.MaxBytes].
func (c *Cache[K, V]) Bytes() int64 {
	_, bytes := c.budget.held()
	return bytes
}
