package lease

import (
	"strconv"
	"time"
)

// The bounds of what a caller and a configuration may ask for.
const (
	MaxKeyBytes   = 1 << 20
	MaxOwnerBytes = 64
	MinTTL        = time.Millisecond

	// DefaultMaxHold is how long a lease may be held in all where a store's configuration does not say.
	DefaultMaxHold = time.Hour
	// MaxMaxHold is the longest that a configuration may say.
	MaxMaxHold = 30 * 24 * time.Hour
)

// CheckAcquire is for stores: it tells, as an *[Error], which argument of an Acquire cannot be.
func CheckAcquire(key, owner string, request RequestID, ttl, maxHold time.Duration) error {
	fault := firstOf(keyFault(key), ownerFault(owner), ttlFault(ttl, maxHold))
	if fault == nil && request == (RequestID{}) {
		fault = &ArgumentError{Field: "request", Value: "zero", Rule: "must be random: see NewRequestID"}
	}
	return refused(OpAcquire, fault)
}

// CheckRenew is for stores, as [CheckAcquire] is.
func CheckRenew(key string, ttl, maxHold time.Duration) error {
	return refused(OpRenew, firstOf(keyFault(key), ttlFault(ttl, maxHold)))
}

// CheckKey is for stores, as [CheckAcquire] is, for the operations that have nothing else to check.
func CheckKey(op Op, key string) error { return refused(op, keyFault(key)) }

// CheckMaxHold is for configurations: it tells, as an *[ArgumentError], what is wrong with a MaxHold.
func CheckMaxHold(maxHold time.Duration) error {
	if maxHold < MinTTL || maxHold > MaxMaxHold {
		return &ArgumentError{Field: "MaxHold", Value: maxHold.String(), Rule: "must be " + MinTTL.String() + " to " + MaxMaxHold.String()}
	}
	return nil
}

func refused(op Op, fault *ArgumentError) error {
	if fault == nil {
		return nil
	}
	return NoDecision(op, fault)
}

func firstOf(faults ...*ArgumentError) *ArgumentError {
	for _, fault := range faults {
		if fault != nil {
			return fault
		}
	}
	return nil
}

func keyFault(key string) *ArgumentError {
	if len(key) >= 1 && len(key) <= MaxKeyBytes {
		return nil
	}
	return &ArgumentError{Field: "key", Value: strconv.Itoa(len(key)) + " bytes", Rule: "must be 1 to " + strconv.Itoa(MaxKeyBytes) + " bytes"}
}

func ttlFault(ttl, maxHold time.Duration) *ArgumentError {
	if ttl >= MinTTL && ttl <= maxHold {
		return nil
	}
	return &ArgumentError{Field: "ttl", Value: ttl.String(), Rule: "must be " + MinTTL.String() + " to MaxHold, " + maxHold.String()}
}

// ownerFault never repeats an odd owner in full: it might be a secret that slipped into the wrong place.
func ownerFault(owner string) *ArgumentError {
	if len(owner) < 1 || len(owner) > MaxOwnerBytes {
		return &ArgumentError{
			Field: "owner", Value: strconv.Itoa(len(owner)) + " bytes", Rule: "must be 1 to " + strconv.Itoa(MaxOwnerBytes) + " bytes",
		}
	}
	for i := range len(owner) {
		c := owner[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '.' && c != '-' {
			return &ArgumentError{
				Field: "owner", Value: "a name with " + strconv.QuoteRune(rune(c)), Rule: "must be of the characters A-Z a-z 0-9 _ . -",
			}
		}
	}
	return nil
}
