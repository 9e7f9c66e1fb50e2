package envelope

import (
	"strconv"
	"time"
)

// Version is the version byte that [Append] writes and [Parse] accepts.
const Version = 2

// Bounds of the format, in bytes.
const (
	// DigestSize is the length of the digest at the end of every version.
	DigestSize = 32
	// MaxRevisionBytes is the longest revision.
	MaxRevisionBytes = 128
	// MaxKeyBytes is the longest physical key that a digest can cover.
	MaxKeyBytes = 1<<16 - 1
	// MaxOverhead is the most that an entry takes beside its payload. A reader
	// that accepts payloads of n bytes needs to read n + MaxOverhead.
	MaxOverhead = offRevision + MaxRevisionBytes + DigestSize
)

// The offset table of the package documentation.
const (
	magic = "CA"

	offVersion  = 2
	offKind     = 3
	offWriteID  = 4
	offHard     = 12
	offSoft     = 20
	offSchema   = 28
	offRevLen   = 32
	offRevision = 33

	bareBody  = offSoft        // the whole body of a negative entry or a tombstone
	fixedPart = offVersion + 1 // what every version has before its digest
)

// Kind says what an entry stands for. The zero value is no kind.
type Kind uint8

// The kinds of entries, with the bytes that stand for them.
const (
	// KindPositive holds a payload.
	KindPositive Kind = iota + 1
	// KindNegative says that the source has authoritatively nothing.
	KindNegative
	// KindTombstone says that what was here has been invalidated.
	KindTombstone
)

// String returns the constant's name without its prefix.
func (k Kind) String() string {
	switch k {
	case KindPositive:
		return "Positive"
	case KindNegative:
		return "Negative"
	case KindTombstone:
		return "Tombstone"
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Envelope is one entry in its decoded form.
//
// The zero value is not a valid entry. A negative entry and a tombstone have
// neither SoftExpiresAt nor Schema, Revision or Payload: [Parse] leaves them
// zero and [Append] refuses anything else.
type Envelope struct {
	Kind Kind
	// WriteID is random and fresh for every write.
	WriteID [8]byte
	// HardExpiresAt is the first moment at which the entry counts as gone.
	// Parse returns whole milliseconds in UTC.
	HardExpiresAt time.Time
	// SoftExpiresAt is the first moment at which a positive entry is stale; it
	// is not after HardExpiresAt.
	SoftExpiresAt time.Time
	// Schema is the word by which readers know whether the payload is for them.
	Schema uint32
	// Revision is the source's own, opaque, at most MaxRevisionBytes; "" if the
	// source has none.
	Revision string
	// Payload is the encoded value. After Parse it aliases the bytes that were
	// parsed: it holds as long as they do, and must not be written to.
	Payload []byte
	// Digest is the trailing 32 bytes of what was parsed: what an observer of
	// this entry keeps, to compare it later with what is stored. Append
	// computes it anew and does not look at this field.
	Digest [DigestSize]byte
}
