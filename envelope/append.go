package envelope

import (
	"encoding/binary"
	"slices"
	"strconv"
	"time"
)

// Append appends the encoding of e, sealed by d for physicalKey, to dst and
// returns the extended slice. Its last [DigestSize] bytes are the entry's
// digest. e.Payload must not overlap the spare capacity of dst.
//
// Times are floored to whole milliseconds and then judged. A *[FieldError]
// names the first field that the format cannot hold: an unknown kind, a time
// before 1970 or after the year 9999, softExpiresAt after hardExpiresAt, a
// revision over [MaxRevisionBytes], a physical key over [MaxKeyBytes], or
// anything but the hard expiry set on a negative entry or a tombstone. Then
// the slice is nil and dst is as it was.
//
// Apart from growing dst, at most once, Append allocates only what d does.
func Append(dst []byte, physicalKey string, e Envelope, d Digester) ([]byte, error) {
	if len(physicalKey) > MaxKeyBytes {
		return nil, lengthError("physicalKey", len(physicalKey), MaxKeyBytes)
	}
	hard, err := wireTime("HardExpiresAt", e.HardExpiresAt)
	if err != nil {
		return nil, err
	}
	start := len(dst)
	switch e.Kind {
	case KindNegative, KindTombstone:
		if err := checkBare(&e); err != nil {
			return nil, err
		}
		dst = slices.Grow(dst, bareBody+DigestSize)
		dst = appendPrefix(dst, &e, hard)
	case KindPositive:
		soft, err := checkPositive(&e, hard)
		if err != nil {
			return nil, err
		}
		dst = slices.Grow(dst, offRevision+len(e.Revision)+len(e.Payload)+DigestSize)
		dst = appendPrefix(dst, &e, hard)
		dst = binary.BigEndian.AppendUint64(dst, soft)
		dst = binary.BigEndian.AppendUint32(dst, e.Schema)
		dst = append(dst, byte(len(e.Revision)))
		dst = append(dst, e.Revision...)
		dst = append(dst, e.Payload...)
	default:
		return nil, &FieldError{"Kind", strconv.Itoa(int(e.Kind)), "must be KindPositive, KindNegative or KindTombstone"}
	}
	sum := d.Sum(physicalKey, dst[start:])
	return append(dst, sum[:]...), nil
}

// appendPrefix appends what all kinds have in common.
func appendPrefix(dst []byte, e *Envelope, hard uint64) []byte {
	dst = append(dst, magic...)
	dst = append(dst, Version, byte(e.Kind))
	dst = append(dst, e.WriteID[:]...)
	return binary.BigEndian.AppendUint64(dst, hard)
}

// checkPositive returns the soft expiry as it goes on the wire.
func checkPositive(e *Envelope, hard uint64) (soft uint64, err error) {
	soft, err = wireTime("SoftExpiresAt", e.SoftExpiresAt)
	if err != nil {
		return 0, err
	}
	if soft > hard {
		return 0, &FieldError{"SoftExpiresAt", formatTime(e.SoftExpiresAt), "must not be after HardExpiresAt, " + formatTime(e.HardExpiresAt)}
	}
	if len(e.Revision) > MaxRevisionBytes {
		return 0, lengthError("Revision", len(e.Revision), MaxRevisionBytes)
	}
	return soft, nil
}

// checkBare refuses, on a kind that cannot carry them, the fields of a positive
// entry: to drop them silently would lose what the caller meant to store.
func checkBare(e *Envelope) error {
	var field, value string
	switch {
	case !e.SoftExpiresAt.IsZero():
		field, value = "SoftExpiresAt", formatTime(e.SoftExpiresAt)
	case e.Schema != 0:
		field, value = "Schema", strconv.FormatUint(uint64(e.Schema), 10)
	case e.Revision != "":
		field, value = "Revision", strconv.Itoa(len(e.Revision))+" bytes"
	case len(e.Payload) != 0:
		field, value = "Payload", strconv.Itoa(len(e.Payload))+" bytes"
	default:
		return nil
	}
	return &FieldError{field, value, "must be unset on an entry of kind " + e.Kind.String()}
}

func lengthError(field string, got, most int) error {
	return &FieldError{field, strconv.Itoa(got) + " bytes", "must be at most " + strconv.Itoa(most) + " bytes"}
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
