package jitter

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"strconv"
	"sync"
)

// MaxRatio is the greatest jitter ratio: lifetimes from half to one and a half
// of what the policy says.
const MaxRatio = 0.5

// Class is the kind of entry a factor is for, so that the two kinds of one key
// are spread independently. The zero value is no class.
type Class uint8

// The classes, with the bytes that stand for them.
const (
	// Positive is for the soft and the hard lifetime of an entry with a value.
	Positive Class = iota + 1
	// Negative is for the lifetime of an authoritative absence.
	Negative
)

// String returns the constant's name.
func (c Class) String() string {
	switch c {
	case Positive:
		return "Positive"
	case Negative:
		return "Negative"
	}
	return "Class(" + strconv.Itoa(int(c)) + ")"
}

// Jitter deals every physical key a factor to stretch its lifetimes by. The
// zero value deals 1 to all. It is safe for concurrent use.
type Jitter struct {
	ratio    float64
	revision uint64
	macs     *sync.Pool // of *macState; a reused HMAC skips its key schedule
}

type macState struct {
	mac hash.Hash
	// scratch takes the message and then the sum, so that neither has to escape
	// to the heap on its way through the hash.Hash interface.
	scratch []byte
}

// New returns the jitter under a secret key, which is copied and should be 32
// uniformly random bytes. Another revision deals unrelated factors. Factors lie
// within ratio of 1.
//
// An empty key and a ratio that is NaN or outside 0 to [MaxRatio] are refused at
// once, each by a *[FieldError], joined by [errors.Join].
func New(key []byte, revision uint64, ratio float64) (Jitter, error) {
	if err := errors.Join(checkKey(key), checkRatio("ratio", ratio)); err != nil {
		return Jitter{}, err
	}
	return newJitter(key, revision, ratio), nil
}

func newJitter(key []byte, revision uint64, ratio float64) Jitter {
	key = bytes.Clone(key)
	return Jitter{ratio: ratio, revision: revision, macs: &sync.Pool{New: func() any {
		return &macState{mac: hmac.New(sha256.New, key)}
	}}}
}

// Factor returns the factor of a physical key, from 1-ratio inclusive to
// 1+ratio. It is a pure function, and allocates nothing once warm. Of a key over
// 65535 bytes the length counts modulo 65536.
func (j Jitter) Factor(physicalKey string, class Class) float64 {
	if j.ratio == 0 {
		return 1
	}
	u := float64(j.draw(physicalKey, class)>>11) / (1 << 53)
	// The conversion keeps the compiler from fusing the multiplication with the
	// addition, which on some processors would round differently. 2u - 1 is
	// exact either way.
	return 1 + float64(j.ratio*(2*u-1))
}

// draw returns the first 64 bits of the MAC.
func (j Jitter) draw(physicalKey string, class Class) uint64 {
	s := j.macs.Get().(*macState) //nolint:errcheck // the pool holds nothing else
	s.mac.Reset()
	s.scratch = binary.BigEndian.AppendUint16(s.scratch[:0], uint16(len(physicalKey)))
	s.scratch = append(s.scratch, physicalKey...)
	s.scratch = append(s.scratch, byte(class))
	s.scratch = binary.BigEndian.AppendUint64(s.scratch, j.revision)
	s.mac.Write(s.scratch)
	s.scratch = s.mac.Sum(s.scratch[:0])
	first := binary.BigEndian.Uint64(s.scratch)
	j.macs.Put(s)
	return first
}

func checkKey(key []byte) error {
	if len(key) == 0 {
		return &FieldError{"key", "0 bytes", "must not be empty"}
	}
	return nil
}

func checkRatio(field string, ratio float64) error {
	if !(ratio >= 0 && ratio <= MaxRatio) { // written so that NaN fails
		return &FieldError{field, strconv.FormatFloat(ratio, 'g', -1, 64), "must be from 0 to 0.5"}
	}
	return nil
}
