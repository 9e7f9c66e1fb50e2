// Package envelope encodes and decodes version 2 of the bytes under which a
// cache keeps one entry: pure functions over byte slices, without I/O, clock
// or randomness of their own.
//
// Most programs never call it: the Redis adapter does. It is public for tools
// that look at stored bytes, and for other languages that share a cache.
//
// # Model
//
// An entry is positive (it holds a payload), negative (it says that the source
// has authoritatively nothing) or a tombstone (it says that what was here has
// been invalidated). Three layouts share a prefix and a trailer. Integers are
// unsigned and big-endian; nothing is padded.
//
//	offset  size  field                        positive  negative  tombstone
//	     0     2  magic, "CA" (0x43 0x41)         x         x          x
//	     2     1  version, 2                      x         x          x
//	     3     1  kind                            1         2          3
//	     4     8  write id                        x         x          x
//	    12     8  hardExpiresAt                   x         x          x
//	    20     8  softExpiresAt                   x
//	    28     4  payload schema word             x
//	    32     1  revision length n, 0..128       x
//	    33     n  revision                        x
//	  33+n     p  payload                         x
//	 -32      32  digest                          x         x          x
//
// A negative entry and a tombstone are therefore exactly 52 bytes, a positive
// one is 65+n+p. The payload has no length of its own: it is what lies between
// the revision and the digest, and may be empty. The size of an entry is
// bounded by whoever reads it, before it is parsed.
//
// The write id is eight random bytes, fresh for every write. It makes every
// digest unique, so that a digest read back proves which write is stored.
//
// Times are milliseconds since 1970-01-01T00:00:00Z, 0 to 253402300799999
// (the last millisecond of the year 9999). That is below 2^53, hence exact in
// languages whose only number is a double. Fractions are floored. 0 is a time
// like any other and never means "unset".
//
// The schema word and the revision are opaque here. The revision need not be
// text.
//
// # Digest
//
// The last 32 bytes are a function of the physical key and of every byte
// before them, over the input
//
//	uint16be(len(physical key)) || physical key || every byte before the digest
//
// The function is a parameter, [Digester]: [SHA256] detects damage, [HMAC]
// also refuses bytes that somebody without the key has made. With both, an
// entry moved under another key is refused.
//
// # What Parse decides, in this order
//
//  1. Shorter than 35 bytes, or the digest is not that of these bytes under
//     this key: [ErrCorrupt]. No other byte is believed before this.
//  2. The magic is not "CA": [ErrCorrupt].
//  3. The version is not 2: a [*VersionError], which tells retired (1) from
//     future (0, or above 2) and hands out the digest.
//  4. The structure is not one of the three above, that is an unknown kind, a
//     length that does not fit, a revision length over 128, softExpiresAt
//     after hardExpiresAt, a time after the year 9999, or a hardExpiresAt
//     further ahead than [Limits] allows: [ErrCorrupt].
//  5. Otherwise the entry is sound, whether or not it has expired. Freshness
//     is asked for separately, with [Envelope.FreshnessAt]: fresh while
//     now < soft, stale while soft <= now < hard, expired from hard on.
//
// # Guarantees
//
//   - On an error every other result is the zero value.
//   - Exactly one encoding exists for an [Envelope]: whatever [Parse] accepts,
//     [Append] gives back byte for byte.
//   - No input makes [Parse] panic or allocate more than the revision's text.
//   - No error holds a byte of a key, revision or payload.
//
// # Not guaranteed
//
//   - Secrecy: payloads are stored as they are.
//   - Protection against replay: older bytes of the same key are authentic.
//   - That a writer's clock was right. [Limits].MaxAhead bounds how far ahead
//     it can have been.
//
// # Concurrency
//
// Everything here is safe for concurrent use. [Parse] reads and [Append]
// writes only the slices they are given.
//
// # Compatibility
//
// Three things are fixed for all versions, past and future: the magic, the
// place of the version byte, and the trailing 32 bytes with their input. So any
// reader can authenticate any version, tell a retired entry from a future one,
// and compare a stored entry with one it has observed. Everything else may
// change, and each change takes a new version byte. Version 1 is retired and
// version 0 was never given out.
//
// Test vectors are in testdata/vectors.json. scripts/vectors.py makes them with
// nothing but Python's hmac and hashlib.
package envelope
