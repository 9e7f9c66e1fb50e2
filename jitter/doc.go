// Package jitter spreads the lifetimes of cache entries, so that what was
// written together does not expire together, and holds the arithmetic of
// lifetimes: which are allowed, how they are rounded, and what jitter makes of
// them. Pure functions over a keyed hash, without clock or random source.
//
// # Model
//
// A [Policy] states the lifetimes of a region. A [Schedule] is a valid policy
// bound to a key: it gives the lifetimes of one physical key. A [Jitter] is
// the factor alone.
//
// The factor of a physical key is
//
//	mac    = HMAC-SHA-256(jitter key,
//	             uint16be(len(physical key)) || physical key ||
//	             class byte || uint64be(revision))
//	u      = the first 53 bits of mac / 2^53          (0 <= u < 1)
//	factor = 1 + ratio * (2u - 1)
//
// in IEEE 754 double precision, each operation rounded on its own. The class
// byte is 1 for a positive entry, whose soft and hard lifetime share the
// factor, and 2 for a negative one.
//
// The revision is [Policy.Fingerprint], the first 8 bytes, big-endian, of
// SHA-256 over these 52:
//
//	offset  size  field
//	     0     8  Soft, milliseconds, big-endian
//	     8     8  Hard, likewise
//	    16     8  Negative, likewise
//	    24     8  MinHard, likewise
//	    32     8  TombstoneTTL, likewise
//	    40     8  JitterRatio, the bits of an IEEE 754 double, big-endian; +0 for -0
//	    48     4  Revision, big-endian
//
// so that a changed policy deals every key a new, unrelated factor.
//
// # Rounding
//
// One rule: fractions of a millisecond are floored. A policy's lifetimes are
// floored before they are compared with each other or with a bound: 1.5 ms is
// 1 ms, 30 days and a fraction are 30 days. What is negative, or less than a
// millisecond, is refused as it is. Jittered lifetimes are floored again:
//
//	hard     = max(floor(Hard * factor), MinHard, 1 ms)
//	soft     = min(max(floor(Soft * factor), 1 ms), hard)
//	negative = max(floor(Negative * factor), MinHard, 1 ms)
//
// A tombstone's lifetime is not jittered: nothing is loaded when it ends.
//
// # Guarantees
//
//   - The same key, policy and physical key give the same lifetimes, in every
//     process, on every machine and in every language.
//   - Without the key, factors cannot be told or steered by choosing keys.
//   - 1 ms <= soft <= hard <= 30 days, and 1 ms <= negative <= 30 days, all in
//     whole milliseconds, whatever the factor.
//   - No error holds a byte of a key.
//
// # Not guaranteed
//
//   - That the entries of one key differ from write to write: a key keeps its
//     factor for as long as the policy stays.
//
// # Concurrency
//
// Everything here is safe for concurrent use. [Jitter] and [Schedule] are
// small values that share their working memory when copied.
//
// # Compatibility
//
// Factors, lifetimes and fingerprints are part of the promise: a release that
// changed them would re-deal every lifetime of a running cache, though no
// stored entry would be lost, since entries carry their own expiry. Test
// vectors are in testdata/vectors.json. scripts/vectors.py makes them with
// nothing but Python's hmac and hashlib.
package jitter
