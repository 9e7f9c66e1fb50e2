package redisadapter

import (
	"errors"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/envelope"
)

// judge tells what the bytes under a key are: authentic or not, of which version, fresh, stale or expired, and decodes the value.
func (c *Cache[K, V]) judge(physicalKey string, raw []byte, known *generation) (found cacheaside.Lookup[V], other bool) {
	now := c.clock.Now()
	e, err := envelope.Parse(raw, physicalKey, c.digester, envelope.Limits{Now: now, MaxAhead: c.limits.maxAhead})
	if err != nil {
		return unusable[V](err), false
	}
	freshness := e.FreshnessAt(now)
	switch {
	case freshness == envelope.Expired:
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissExpired, Observation: observation(e.Digest, true)}, false
	case e.Kind == envelope.KindTombstone:
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissInvalidated, Observation: observation(e.Digest, true)}, false
	case known != nil && !known.wrote(&e):
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissExpired, Observation: observation(e.Digest, true)}, true
	case e.Kind == envelope.KindNegative:
		return cacheaside.Lookup[V]{
			Kind: cacheaside.LookupNegative, HardExpiresAt: e.HardExpiresAt, Observation: observation(e.Digest, false),
		}, false
	case len(e.Payload) > c.limits.payload:
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnusable, Entry: cacheaside.EntryOversize}, false
	}
	found = cacheaside.Lookup[V]{
		Kind: cacheaside.LookupFresh, Revision: cacheaside.Revision(e.Revision),
		SoftExpiresAt: e.SoftExpiresAt, HardExpiresAt: e.HardExpiresAt,
	}
	if e.Schema != c.schema || !c.decode(e.Payload, &found.Value) {
		return cacheaside.Lookup[V]{
			Kind: cacheaside.LookupUnusable, Entry: cacheaside.EntryPayload, Observation: observation(e.Digest, false),
		}, false
	}
	if freshness == envelope.Stale {
		found.Kind, found.Observation = cacheaside.LookupStale, observation(e.Digest, false)
	}
	return found, false
}

// unusable tells what an entry is that Parse refused. Authentic bytes of another version carry an observation; of corrupt ones nothing can be
// trusted, not even to compare with.
func unusable[V any](err error) cacheaside.Lookup[V] {
	var version *envelope.VersionError
	if !errors.As(err, &version) {
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnusable, Entry: cacheaside.EntryCorrupt}
	}
	kind := cacheaside.EntryFuture
	if version.Retired() {
		kind = cacheaside.EntryRetired
	}
	return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnusable, Entry: kind, Observation: observation(version.Digest, false)}
}

// decode reports whether the codec read the payload. The bytes are authentic but may be those of another shape; a codec that panics over them has
// not read them.
func (c *Cache[K, V]) decode(payload []byte, value *V) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return c.codec.Decode(payload, value) == nil
}
