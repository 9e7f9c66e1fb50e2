package redisadapter

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"strings"
	"sync"
)

const (
	derivedKeyBytes = 32
	slotBytes       = 16 // of the HMAC; 128 bits, so that two of 2^32 keys share one with a chance of 2^-64
	maxKeptScratch  = 4 << 10

	kindValue   = "v"
	kindFenced  = "f" // an entry of a region with fenced fills, which a process without them must not write
	kindGrant   = "g" // its fence record
	kindStaging = "t"
	rootScope   = "-"
)

// secrets are the three keys that one secret is stretched into, so that no two uses share one.
type secrets struct{ key, digest, jitter []byte }

func deriveSecrets(secret []byte) (secrets, error) {
	var s secrets
	for info, out := range map[string]*[]byte{"cacheaside/2/key": &s.key, "cacheaside/2/digest": &s.digest, "cacheaside/2/jitter": &s.jitter} {
		derived, err := hkdf.Key(sha256.New, secret, nil, info, derivedKeyBytes)
		if err != nil {
			return secrets{}, err
		}
		*out = derived
	}
	return s, nil
}

// keyspace turns canonical keys into physical ones:
//
//	<namespace>:<region>:<scope>:{<slot>}:<kind>
//
// where slot is the first 16 bytes of HMAC-SHA-256(key key, canonical key) in unpadded base64url. The braces make all keys of one logical key
// share a cluster slot. An HMAC and not a plain hash, so that nobody without the secret can tell a key from its name at the server, or choose
// keys that pile up on one node.
type keyspace struct {
	prefix string // up to and including the opening brace
	kind   string // of the entries
	macs   sync.Pool
}

func newKeyspace(namespace, region, scope, kind string, keyKey []byte) *keyspace {
	return &keyspace{
		prefix: regionPrefix(namespace, region, scope) + "{",
		kind:   kind,
		macs:   sync.Pool{New: func() any { return &macState{mac: hmac.New(sha256.New, keyKey)} }},
	}
}

// regionPrefix is what the names of all keys of a region begin with.
func regionPrefix(namespace, region, scope string) string {
	if scope == "" {
		scope = rootScope
	}
	return namespace + ":" + region + ":" + scope + ":"
}

// macState is pooled: a fresh HMAC costs two compressions of the key and several allocations. Its scratch takes the canonical key, then the sum,
// so that neither escapes to the heap on its way through the hash.Hash interface.
type macState struct {
	mac     hash.Hash
	scratch []byte
}

func (s *keyspace) acquire() *macState {
	state := s.macs.Get().(*macState) //nolint:errcheck // the pool holds nothing else
	state.scratch = state.scratch[:0]
	return state
}

func (s *keyspace) release(state *macState) {
	if cap(state.scratch) <= maxKeptScratch {
		s.macs.Put(state)
	}
}

// physical derives the entry's key from the canonical key in state's scratch, in one allocation.
func (s *keyspace) physical(state *macState) string {
	state.mac.Reset()
	state.mac.Write(state.scratch)
	state.scratch = state.mac.Sum(state.scratch[:0])
	var slot [(slotBytes*8 + 5) / 6]byte
	base64.RawURLEncoding.Encode(slot[:], state.scratch[:slotBytes])
	var b strings.Builder
	b.Grow(len(s.prefix) + len(slot) + len("}:") + len(s.kind))
	b.WriteString(s.prefix)
	b.Write(slot[:])
	b.WriteString("}:")
	b.WriteString(s.kind)
	return b.String()
}

// sibling names what is stored beside an entry, in its slot.
func sibling(physicalKey, kind string) string {
	return physicalKey[:strings.LastIndexByte(physicalKey, ':')+1] + kind
}

// otherKind is the kind of the entries that a process of the other mode has for the same keys.
func otherKind(kind string) string {
	if kind == kindFenced {
		return kindValue
	}
	return kindFenced
}

// stagingKey is where a large value waits for its swap: beside the entry, in its slot, under a name of its own.
func stagingKey(physicalKey string, nonce [8]byte) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	b.Grow(len(physicalKey) + 1 + 2*len(nonce))
	b.WriteString(sibling(physicalKey, kindStaging))
	b.WriteByte(':')
	for _, c := range nonce {
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&15])
	}
	return b.String()
}
