package redisadapter

import (
	"strconv"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/envelope"
)

// observed is what a lookup saw: the digest of the entry, and whether its absence by now is as good. As an [cacheaside.Observation] it is one flag
// byte and the 32 bytes.
type observed struct {
	digest   string // envelope.DigestSize bytes; "" = nothing observed
	goneIsOK bool   // expired entries and tombstones: they were about to go anyway
}

// goneFlag is what the scripts are told.
func (o observed) goneFlag() string { return flag(o.goneIsOK) }

// flag is a truth as the scripts take it.
func flag(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

const (
	flagEqual       = 'e'
	flagEqualOrGone = 'g'
)

// observation is the encoding of an entry that was seen.
func observation(digest [envelope.DigestSize]byte, goneIsOK bool) cacheaside.Observation {
	var b [1 + envelope.DigestSize]byte
	b[0] = flagEqual
	if goneIsOK {
		b[0] = flagEqualOrGone
	}
	copy(b[1:], digest[:])
	return cacheaside.Observation(b[:])
}

// parseObservation is the inverse. An observation that no lookup here can have given is refused: a digest of another length compared as text could
// hold by accident.
func parseObservation(o cacheaside.Observation) (observed, error) {
	switch {
	case o == "":
		return observed{}, nil
	case len(o) == 1+envelope.DigestSize && (o[0] == flagEqual || o[0] == flagEqualOrGone):
		return observed{digest: string(o[1:]), goneIsOK: o[0] == flagEqualOrGone}, nil
	}
	return observed{}, &cacheaside.FieldError{
		Field: "Condition.Observation", Value: strconv.Itoa(len(o)) + " bytes", Rule: "must be one that a lookup of this kind of cache gave",
	}
}
