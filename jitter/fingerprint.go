package jitter

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// Fingerprint identifies the policy by a number: every lifetime, the ratio and
// the user's revision go into it, by the layout in the package documentation.
// Policies that differ by fractions of a millisecond alone are the same. It says
// nothing about whether the policy is valid.
func (p Policy) Fingerprint() uint64 {
	layout := make([]byte, 0, 52)
	layout = binary.BigEndian.AppendUint64(layout, uint64(p.Soft.Milliseconds()))
	layout = binary.BigEndian.AppendUint64(layout, uint64(p.Hard.Milliseconds()))
	layout = binary.BigEndian.AppendUint64(layout, uint64(p.Negative.Milliseconds()))
	layout = binary.BigEndian.AppendUint64(layout, uint64(p.MinHard.Milliseconds()))
	layout = binary.BigEndian.AppendUint64(layout, uint64(p.TombstoneTTL.Milliseconds()))
	layout = binary.BigEndian.AppendUint64(layout, ratioBits(p.JitterRatio))
	layout = binary.BigEndian.AppendUint32(layout, p.Revision)
	sum := sha256.Sum256(layout)
	return binary.BigEndian.Uint64(sum[:])
}

// ratioBits gives both zeros, which are the same ratio, the same bits.
func ratioBits(ratio float64) uint64 {
	if ratio == 0 {
		return 0
	}
	return math.Float64bits(ratio)
}
