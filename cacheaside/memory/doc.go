// Package memory is a [cacheaside.Cache] inside the process: the reference implementation of the port, and a default for a program that embeds
// its cache.
//
// # Model
//
// A [Cache] holds one entry per key: a value, a recorded absence, or a tombstone, each with the moments at which it turns stale and is over. The
// injected clock alone tells fresh from stale from expired:
//
//	now < soft           fresh
//	soft <= now < hard   stale
//	hard <= now          a miss
//
// Times are floored to milliseconds, stored and told alike. An entry past its hard expiry stays until it is overwritten or evicted, and reads as
// [cacheaside.MissExpired] with its observation; a store that expires keys by itself would tell [cacheaside.MissAbsent] there. It counts as gone
// all the same: a record that is only for an absent key goes over it, and an observation of another entry finds nothing to compare with.
//
// An observation names one write of one cache and is never given twice, however equal the values. The observation of a stale, fresh or negative
// entry is satisfied by that very entry; that of a tombstone or an expired entry also by one that is gone. An observation that this cache never
// gave is satisfied by nothing.
//
// # Guarantees
//
// Neither the number of entries nor their bytes ever exceed [Config.MaxEntries] and [Config.MaxBytes], tombstones and expired entries included.
// Each call is one step: no other call sees a part of it. A lookup deletes nothing and allocates nothing. No goroutine, no timer, nothing to
// close.
//
// # Not guaranteed
//
// The bounds come first: a tombstone may be evicted before its life is over, and then no longer refuses the fill of a load that began before the
// invalidation. Give the cache room for every key that is written within one load deadline. A clock that steps back lengthens the life of what is
// stored by that step.
//
// # Ownership
//
// Values are kept and handed out as they are, not copied: what a value points to is shared by everybody who looked it up, and read-only.
//
// # Concurrency
//
// A [Cache] is safe for concurrent use. Keys are spread over up to 64 shards, at least 256 entries each, one lock a shard, held for a map access
// and a few pointers: never while the clock, [Config.SizeOf] or [Config.Jitter] is called. Eviction takes the least recently used entry of the
// shard that needs the room, and of another one only when that has none to give; below 512 entries there is one shard and the order is exact.
package memory
