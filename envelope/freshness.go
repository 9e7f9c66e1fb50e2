package envelope

import (
	"strconv"
	"time"
)

// Freshness is how an entry stands to a moment. The zero value is none of them.
type Freshness uint8

// The stages of an entry's life, in order.
const (
	// Fresh is before the soft expiry, or, of an entry without one, before the
	// hard expiry.
	Fresh Freshness = iota + 1
	// Stale is from the soft expiry on, before the hard expiry. Entries without
	// a soft expiry are never stale.
	Stale
	// Expired is from the hard expiry on: the entry counts as gone.
	Expired
)

// String returns the constant's name.
func (f Freshness) String() string {
	switch f {
	case Fresh:
		return "Fresh"
	case Stale:
		return "Stale"
	case Expired:
		return "Expired"
	}
	return "Freshness(" + strconv.Itoa(int(f)) + ")"
}

// FreshnessAt tells how the entry stands at now:
//
//	now < soft           Fresh
//	soft <= now < hard   Stale
//	hard <= now          Expired
//
// With soft equal to hard there is no stale stage. A negative entry and a
// tombstone are Fresh, that is in force, until their hard expiry.
func (e Envelope) FreshnessAt(now time.Time) Freshness {
	switch {
	case !now.Before(e.HardExpiresAt):
		return Expired
	case e.Kind == KindPositive && !now.Before(e.SoftExpiresAt):
		return Stale
	}
	return Fresh
}
