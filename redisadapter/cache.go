package redisadapter

import (
	"errors"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/envelope"
	"github.com/cacheaside/resilience/jitter"
)

// Cache is one region on a Redis server: a [cacheaside.Cache], [cacheaside.Fencer] and [cacheaside.LifetimeReporter]. Make it with [New]. It
// is safe for concurrent use.
type Cache[K comparable, V any] struct {
	store       *store
	keys        *keyspace
	canonical   canonicalizer[K]
	keyString   func(K) string
	codec       Codec[V]
	digester    envelope.Digester
	schedule    jitter.Schedule
	clock       clock.Clock
	lifetimes   cacheaside.Lifetimes
	owner       string
	ordered     bool
	schema      uint32
	limits      sizeLimits
	generations *generations // nil where the region has none
	payloads    sync.Pool    // of *[]byte
	owned       *Breaker     // nil when it is shared
}

// New makes the cache of one region on client, which stays the caller's: the cache never closes it. Nothing is dialled and no goroutine is started.
//
// Every fault of the configuration is returned at once, joined: each a *[cacheaside.FieldError], or what the codec's Check says. A client that
// cannot keep the time limits or reads from replicas is one of them; [OpenClient] makes one with recommended settings. A *redis.Client without
// ContextTimeoutEnabled is accepted, but used through a clone that shares its pool and not its hooks.
func New[K comparable, V any](client redis.UniversalClient, cfg Config[K, V]) (*Cache[K, V], error) {
	cfg = cfg.withDefaults()
	p, warned, clientFault := admit(client, clientTerms{
		lookup: cfg.LookupTimeout, record: cfg.RecordTimeout,
		staleReads: cfg.StaleReadsAccepted, ringAllowed: cfg.LostInvalidationsAccepted,
	})
	if err := errors.Join(append(cfg.faults(), clientFault)...); err != nil {
		return nil, err
	}
	derived, err := deriveSecrets(cfg.Secret)
	if err != nil {
		return nil, err
	}
	schedule, err := jitter.NewSchedule(derived.jitter, jitter.Policy(cfg.TTL))
	if err != nil {
		return nil, err
	}
	c := &Cache[K, V]{
		keys:        newKeyspace(cfg.Namespace, cfg.Region, cfg.Scope, cfg.kind(), derived.key),
		canonical:   newCanonicalizer(cfg.KeyString),
		keyString:   cfg.KeyString,
		codec:       cfg.Codec,
		digester:    envelope.HMAC(derived.digest),
		schedule:    schedule,
		clock:       cfg.Clock,
		owner:       cfg.Owner,
		ordered:     cfg.OrderedRevisions,
		generations: newGenerations(regionPrefix(cfg.Namespace, cfg.Region, cfg.Scope), derived.digest, cfg.GenerationAge, cfg.Clock),
		schema:      schemaWord(cfg.PayloadSchema, cfg.Codec.Shape()),
		limits:      newSizeLimits(cfg.MaxValueBytes, cfg.MaxClockSkew),
		lifetimes: cacheaside.Lifetimes{
			MinHard: shortestLife(cfg.TTL), Tombstone: cfg.TTL.TombstoneTTL, Lookup: cfg.LookupTimeout, Record: cfg.RecordTimeout,
		},
	}
	breaker := cfg.Breaker
	if breaker == nil {
		breaker = new(Breaker)
		c.owned = breaker
	}
	c.store = newStore(p, breaker, cfg.Clock, storeLimits{cfg.LookupTimeout, cfg.RecordTimeout, c.limits.read})
	if cfg.Warn != nil {
		for _, w := range warned {
			cfg.Warn(w)
		}
	}
	return c, nil
}

// Close ends what the cache started: the probe of its own breaker, and waits for it, at most LookupTimeout. It is idempotent. A shared breaker and
// the client stay the caller's. A closed cache still answers, without a breaker.
func (c *Cache[K, V]) Close() error {
	if c.owned == nil {
		return nil
	}
	return c.owned.Close()
}

// KeyString gives a key's canonical text, by which a region tells keys apart: what Config.KeyString gives, or the key itself in text.
func (c *Cache[K, V]) KeyString(key K) string {
	if c.keyString != nil {
		return c.keyString(key)
	}
	return string(c.canonical(nil, key)[1:])
}

// Lifetimes tells the durations that [cacheaside.NewRegion] compares with those of its policy.
func (c *Cache[K, V]) Lifetimes() cacheaside.Lifetimes { return c.lifetimes }

// physical derives the key under which key's entry is stored.
func (c *Cache[K, V]) physical(key K) (string, error) {
	state := c.keys.acquire()
	defer c.keys.release(state)
	state.scratch = c.canonical(state.scratch, key)
	if err := checkKeyText(state.scratch); err != nil {
		return "", err
	}
	return c.keys.physical(state), nil
}
