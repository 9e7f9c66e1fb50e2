package envelope

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"sync"
)

// Digester computes the 32 bytes at the end of an entry.
//
// Sum is a pure function of both arguments and of nothing else but a key the
// implementation may hold; it must be safe for concurrent use and must not keep
// or change body. Its input is
//
//	uint16be(len(physicalKey)) || physicalKey || body
//
// [Append] and [Parse] call it with at most [MaxKeyBytes] of key. The
// digesters of this package panic when called with more, because the length
// would wrap and two keys could share a digest.
type Digester interface {
	Sum(physicalKey string, body []byte) [DigestSize]byte
}

// SHA256 returns a digester that detects damage and misplacement, but not
// forgery: anybody can compute it. Create it once and share it; it is safe for
// concurrent use and keeps its working memory between calls.
func SHA256() Digester { return newPooled(sha256.New) }

// HMAC returns a digester by HMAC-SHA-256 (RFC 2104): only holders of key can
// make entries that it accepts. The key should be 32 uniformly random bytes,
// such as HKDF yields; the length is not checked. The key is copied.
//
// Create it once and share it; it is safe for concurrent use and keeps its
// working memory, with the key schedule, between calls.
func HMAC(key []byte) Digester {
	key = bytes.Clone(key)
	return newPooled(func() hash.Hash { return hmac.New(sha256.New, key) })
}

// pooled reuses hash states: a fresh HMAC allocates its two states and
// compresses the key twice, a reused one does neither.
type pooled struct{ states sync.Pool }

func newPooled(newHash func() hash.Hash) *pooled {
	return &pooled{states: sync.Pool{New: func() any {
		return &digestState{hash: newHash()}
	}}}
}

type digestState struct {
	hash hash.Hash
	// scratch takes the framed key and then the sum, so that neither has to
	// escape to the heap on its way through the hash.Hash interface.
	scratch []byte
}

func (p *pooled) Sum(physicalKey string, body []byte) (sum [DigestSize]byte) {
	if len(physicalKey) > MaxKeyBytes {
		panic("envelope: Sum of a physical key over 65535 bytes")
	}
	s := p.states.Get().(*digestState) //nolint:errcheck // the pool holds nothing else
	s.hash.Reset()
	s.scratch = binary.BigEndian.AppendUint16(s.scratch[:0], uint16(len(physicalKey)))
	s.scratch = append(s.scratch, physicalKey...)
	s.hash.Write(s.scratch)
	s.hash.Write(body)
	s.scratch = s.hash.Sum(s.scratch[:0])
	copy(sum[:], s.scratch)
	p.states.Put(s)
	return sum
}
