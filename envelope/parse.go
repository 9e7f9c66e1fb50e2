package envelope

import (
	"crypto/subtle"
	"encoding/binary"
	"time"
)

// Limits are what [Parse] judges an entry's expiry by. The zero value accepts
// nothing.
type Limits struct {
	// Now is the reader's time.
	Now time.Time
	// MaxAhead is how far after Now a hard expiry may lie: the longest life an
	// entry is ever given, plus the clock skew that is tolerated between writer
	// and reader. What lies beyond was written under a clock that ran ahead and
	// would live for too long. Negative counts as 0.
	MaxAhead time.Duration
}

// Parse decodes raw, which was read under physicalKey, and returns what
// [Append] was given, with times in whole milliseconds and with the digest.
// The payload aliases raw.
//
// The errors are [ErrCorrupt] and *[VersionError]; with one, the envelope is
// the zero value. The package documentation says which is returned when. An
// entry that has expired is no error: ask [Envelope.FreshnessAt].
//
// Apart from the text of a revision, or a *VersionError, Parse allocates only
// what d does.
func Parse(raw []byte, physicalKey string, d Digester, limits Limits) (Envelope, error) {
	if len(raw) < fixedPart+DigestSize || len(physicalKey) > MaxKeyBytes {
		return Envelope{}, ErrCorrupt
	}
	body := raw[:len(raw)-DigestSize]
	digest := d.Sum(physicalKey, body)
	// In constant time, so that a forger with access to the store and a stopwatch
	// learns nothing about the digest that would have been right.
	if subtle.ConstantTimeCompare(digest[:], raw[len(body):]) != 1 {
		return Envelope{}, ErrCorrupt
	}
	if string(body[:offVersion]) != magic {
		return Envelope{}, ErrCorrupt
	}
	if v := body[offVersion]; v != Version {
		return Envelope{}, &VersionError{Version: v, Digest: digest}
	}
	e, ok := parseBody(body, limits)
	if !ok {
		return Envelope{}, ErrCorrupt
	}
	e.Digest = digest
	return e, nil
}

// parseBody decodes the body of version 2; ok is false when its structure is
// wrong, and e is then of no meaning.
func parseBody(body []byte, limits Limits) (e Envelope, ok bool) {
	if len(body) < bareBody {
		return e, false
	}
	hard := binary.BigEndian.Uint64(body[offHard:])
	latest, ok := limits.latest()
	if !ok || hard > latest {
		return e, false
	}
	e.Kind = Kind(body[offKind])
	e.WriteID = [8]byte(body[offWriteID:])
	e.HardExpiresAt = fromWire(hard)
	switch e.Kind {
	case KindNegative, KindTombstone:
		return e, len(body) == bareBody
	case KindPositive:
		ok = parsePositive(body, hard, &e)
		return e, ok
	}
	return e, false
}

func parsePositive(body []byte, hard uint64, e *Envelope) bool {
	if len(body) < offRevision {
		return false
	}
	soft := binary.BigEndian.Uint64(body[offSoft:])
	n := int(body[offRevLen])
	payload := offRevision + n
	if soft > hard || n > MaxRevisionBytes || payload > len(body) {
		return false
	}
	e.SoftExpiresAt = fromWire(soft)
	e.Schema = binary.BigEndian.Uint32(body[offSchema:])
	e.Revision = string(body[offRevision:payload])
	// The capacity ends with the payload, so that appending to it cannot reach
	// the digest.
	e.Payload = body[payload:len(body):len(body)]
	return true
}
