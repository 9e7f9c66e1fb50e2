package jitter

import (
	"errors"
	"strconv"
	"time"
)

// The lifetimes that are allowed, jitter included.
const (
	MinTTL = time.Millisecond
	MaxTTL = 30 * 24 * time.Hour
)

// Policy states the lifetimes of a region's entries. There are no defaults:
// the zero value is refused. Fractions of a millisecond are floored.
type Policy struct {
	// Soft is how long an entry is fresh, at most Hard. With Soft equal to Hard
	// an entry is never stale.
	Soft time.Duration
	// Hard is how long an entry is there at all. It is the whole lifetime, not
	// what comes after Soft.
	Hard time.Duration
	// Negative is the lifetime of an authoritative absence.
	Negative time.Duration
	// MinHard is what jitter shortens neither Hard nor Negative below, so at
	// most the lesser of the two; 0 sets no such bound.
	MinHard time.Duration
	// TombstoneTTL is how long an invalidation is remembered. It is not
	// jittered.
	TombstoneTTL time.Duration
	// JitterRatio is by which part of themselves lifetimes are stretched or
	// shrunk at most, 0 to MaxRatio; 0 is no jitter.
	JitterRatio float64
	// Revision is the user's own number. A new one deals new factors.
	Revision uint32
}

// Validate returns every fault at once, each a *[FieldError], joined by
// [errors.Join], or nil. The rules:
//
//   - Soft, Hard, Negative and TombstoneTTL are what [CheckTTL] accepts.
//   - Soft is not above Hard.
//   - MinHard is not negative, not above Hard and not above Negative.
//   - JitterRatio is a number from 0 to [MaxRatio].
//   - Hard and Negative, stretched by the largest factor, are at most [MaxTTL].
func (p Policy) Validate() error { return errors.Join(p.faults()...) }

// faults holds nil for each rule that is kept.
func (p Policy) faults() []error {
	return []error{
		CheckTTL("Soft", p.Soft),
		CheckTTL("Hard", p.Hard),
		CheckTTL("Negative", p.Negative),
		CheckTTL("TombstoneTTL", p.TombstoneTTL),
		checkRatio("JitterRatio", p.JitterRatio),
		checkNotAbove("Soft", p.Soft, "Hard", p.Hard),
		checkNotNegative("MinHard", p.MinHard),
		checkNotAbove("MinHard", p.MinHard, "Hard", p.Hard),
		checkNotAbove("MinHard", p.MinHard, "Negative", p.Negative),
		p.checkLargest("Hard", p.Hard),
		p.checkLargest("Negative", p.Negative),
	}
}

// CheckTTL refuses, by a *[FieldError] for the named field, a lifetime that is
// not positive, below [MinTTL], or, once floored to milliseconds, over [MaxTTL].
func CheckTTL(field string, ttl time.Duration) error {
	rule := ""
	switch {
	case ttl <= 0:
		rule = "must be positive"
	case ttl < MinTTL:
		rule = "must be at least " + MinTTL.String()
	case ttl.Milliseconds() > MaxTTL.Milliseconds():
		rule = "must be at most " + MaxTTL.String()
	default:
		return nil
	}
	return &FieldError{field, ttl.String(), rule}
}

func checkNotNegative(field string, d time.Duration) error {
	if d < 0 {
		return &FieldError{field, d.String(), "must not be negative"}
	}
	return nil
}

func checkNotAbove(field string, d time.Duration, boundField string, bound time.Duration) error {
	if d.Milliseconds() > bound.Milliseconds() {
		return &FieldError{field, d.String(), "must not be above " + boundField + ", " + bound.String()}
	}
	return nil
}

// checkLargest judges what the largest factor would make of a lifetime that has
// no fault of its own. No factor exceeds 1+JitterRatio in floating point either,
// since every rounding on the way is monotone.
func (p Policy) checkLargest(field string, ttl time.Duration) error {
	if CheckTTL(field, ttl) != nil || checkRatio("JitterRatio", p.JitterRatio) != nil {
		return nil
	}
	if scale(ttl.Milliseconds(), 1+p.JitterRatio) <= MaxTTL.Milliseconds() {
		return nil
	}
	ratio := strconv.FormatFloat(p.JitterRatio, 'g', -1, 64)
	return &FieldError{field, ttl.String(), "must be at most " + MaxTTL.String() + " when stretched by JitterRatio, " + ratio}
}

// scale stretches a lifetime; the conversion floors, as both are positive.
func scale(millis int64, factor float64) int64 { return int64(float64(millis) * factor) }
