package redisadapter

import (
	"errors"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/jitter"
)

// DefaultTombstoneTTL is what [TTLPolicy.TombstoneTTL] means when it is zero.
const DefaultTombstoneTTL = 60 * time.Second

// TTLPolicy states how long entries live. But for TombstoneTTL there are no defaults: a lifetime of zero, below 1 ms or over 30 days is refused,
// so that a forgotten field can mean neither "for ever" nor "not at all". Fractions of a millisecond are floored. The package jitter documents
// the rules and the arithmetic.
type TTLPolicy struct {
	// Soft is how long an entry is fresh, at most Hard. With Soft equal to Hard it is never stale.
	Soft time.Duration
	// Hard is the whole life of an entry, and its expiry at the server.
	Hard time.Duration
	// Negative is how long an authoritative absence is remembered.
	Negative time.Duration
	// MinHard is what jitter shortens neither Hard nor Negative below; 0 sets no such bound. It should exceed the time that a load may take from
	// its lookup to its record, or an entry can be gone before a load that began earlier has ended.
	MinHard time.Duration
	// TombstoneTTL is how long an invalidation is remembered; 0 means [DefaultTombstoneTTL]. What is said of MinHard holds here too.
	TombstoneTTL time.Duration
	// JitterRatio is by which part of themselves Soft, Hard and Negative are stretched or shrunk at most, 0 to 0.5; 0 is no jitter.
	JitterRatio float64
	// Revision deals new jitter factors when it changes.
	Revision uint32
}

func (p TTLPolicy) withDefaults() TTLPolicy {
	if p.TombstoneTTL == 0 {
		p.TombstoneTTL = DefaultTombstoneTTL
	}
	return p
}

// faults gives every fault of the policy, each as a *cacheaside.FieldError for a field of Config.
func (p TTLPolicy) faults() []error {
	var list []error
	joined, _ := jitter.Policy(p).Validate().(interface{ Unwrap() []error }) //nolint:errorlint // what Validate documents, taken apart
	if joined == nil {
		return nil
	}
	for _, err := range joined.Unwrap() {
		var fault *jitter.FieldError
		if errors.As(err, &fault) {
			list = append(list, &cacheaside.FieldError{Field: "TTL." + fault.Field, Value: fault.Value, Rule: fault.Rule})
		}
	}
	return list
}
