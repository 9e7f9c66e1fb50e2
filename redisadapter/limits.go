package redisadapter

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/cacheaside/resilience/envelope"
	"github.com/cacheaside/resilience/jitter"
)

// sizeLimits bound what is read and believed.
type sizeLimits struct {
	payload  int           // bytes of a payload
	read     int           // bytes of an entry; a reply of one byte more is oversize
	maxAhead time.Duration // how far ahead an expiry may lie
}

func newSizeLimits(maxValueBytes int, skew time.Duration) sizeLimits {
	return sizeLimits{payload: maxValueBytes, read: maxValueBytes + envelope.MaxOverhead, maxAhead: jitter.MaxTTL + skew}
}

// schemaWord mixes the user's number and the shape of the codec into one word: the first 4 bytes of SHA-256 over both, each big-endian. A sum or
// an exclusive or would let a change of one cancel a change of the other.
func schemaWord(payloadSchema, shape uint32) uint32 {
	var both [8]byte
	binary.BigEndian.PutUint32(both[:], payloadSchema)
	binary.BigEndian.PutUint32(both[4:], shape)
	sum := sha256.Sum256(both[:])
	return binary.BigEndian.Uint32(sum[:])
}

// shortestLife is the life that no entry of a region falls below, jitter included.
func shortestLife(p TTLPolicy) time.Duration {
	least := time.Duration(float64(min(p.Hard, p.Negative)) * (1 - p.JitterRatio))
	return max(least, p.MinHard)
}
