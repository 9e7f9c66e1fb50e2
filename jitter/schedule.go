package jitter

import (
	"errors"
	"time"
)

// Schedule gives the lifetimes of physical keys under one policy, in whole
// milliseconds. Make it with [NewSchedule]: the zero value gives 1 ms to all.
// It is safe for concurrent use.
type Schedule struct {
	jitter Jitter
	// All in milliseconds, floored.
	soft, hard, negative, minHard, tombstone int64
}

// NewSchedule binds a policy to a secret key, which is copied and should be 32
// uniformly random bytes. The policy's fingerprint is the jitter's revision.
//
// Every fault of the policy, as [Policy.Validate] names it, and an empty key
// are returned at once, each as a *[FieldError].
func NewSchedule(key []byte, p Policy) (Schedule, error) {
	if err := errors.Join(append(p.faults(), checkKey(key))...); err != nil {
		return Schedule{}, err
	}
	return Schedule{
		jitter:    newJitter(key, p.Fingerprint(), p.JitterRatio),
		soft:      p.Soft.Milliseconds(),
		hard:      p.Hard.Milliseconds(),
		negative:  p.Negative.Milliseconds(),
		minHard:   p.MinHard.Milliseconds(),
		tombstone: p.TombstoneTTL.Milliseconds(),
	}, nil
}

// Positive returns how long an entry of the key is fresh and how long it is
// there at all, counted from the moment it is recorded. Both share one factor,
// so that their ratio stays the policy's, but for rounding and MinHard.
func (s Schedule) Positive(physicalKey string) (soft, hard time.Duration) {
	factor := s.jitter.Factor(physicalKey, Positive)
	hardMillis := atLeast(scale(s.hard, factor), s.minHard)
	softMillis := min(atLeast(scale(s.soft, factor), 0), hardMillis)
	return millis(softMillis), millis(hardMillis)
}

// Negative returns how long an authoritative absence of the key is remembered.
func (s Schedule) Negative(physicalKey string) time.Duration {
	factor := s.jitter.Factor(physicalKey, Negative)
	return millis(atLeast(scale(s.negative, factor), s.minHard))
}

// Tombstone returns how long an invalidation is remembered, of any key.
func (s Schedule) Tombstone() time.Duration { return millis(atLeast(s.tombstone, 0)) }

// atLeast applies a lower bound, and MinTTL below it: a lifetime of 0 would be
// no expiry to one store and an error to another.
func atLeast(ttl, bound int64) int64 { return max(ttl, bound, MinTTL.Milliseconds()) }

func millis(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
