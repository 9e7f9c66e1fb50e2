package memory

import (
	"errors"
	"strconv"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
)

// EntryCost is what every entry counts in [Config.MaxBytes], in bytes, whatever it holds: about what the cache itself needs for it.
const EntryCost = 256

// DefaultTombstone is the life of a tombstone where [TTL.Tombstone] is zero.
const DefaultTombstone = 60 * time.Second

const (
	minTTL = time.Millisecond
	maxTTL = 30 * 24 * time.Hour
)

// TTL holds the durations of one cache, each counted from the record. Each is 1 ms to 30 days; a fraction of a millisecond is dropped.
type TTL struct {
	Soft      time.Duration // how long a value is fresh; at most Hard
	Hard      time.Duration // how long a value is there; with Soft equal to it, no value is ever stale
	Negative  time.Duration // how long a recorded absence is there
	MinHard   time.Duration // what Jitter leaves of Hard and Negative at least, and at most either; 0 = no such floor
	Tombstone time.Duration // how long an invalidation refuses older fills; 0 = [DefaultTombstone]
}

// Config configures a [Cache]. It is copied.
type Config[K comparable, V any] struct {
	TTL TTL

	// MaxEntries bounds the entries held, tombstones and expired ones included; at least 1.
	MaxEntries int

	// MaxBytes bounds the sum of their costs: [EntryCost] for each, and for a value what SizeOf says. 0 is no such bound; else it is at least
	// EntryCost, so that a tombstone fits. A value that costs more by itself is refused as [cacheaside.RecordTooLarge] and evicts nothing.
	MaxBytes int64

	// SizeOf tells the bytes of a value with its key. It must give the same for the same value and not block; below 0 counts as 0. A panic
	// refuses the record as [cacheaside.RecordEncodeFailed]. Nil: entries count EntryCost only. It is not called for an absence or a tombstone.
	SizeOf func(key K, value V) int

	// Jitter gives the factor by which the durations of a key are stretched, one for Soft and Hard together and one for Negative, so that keys
	// recorded together do not expire together. It must not block. It is held to 0.5 to 1.5, and NaN is 1; after it Hard and Negative are at
	// least MinHard and at most 30 days, and Soft at most Hard. A panic refuses the record as [cacheaside.RecordEncodeFailed]. Nil: durations
	// are exact.
	Jitter func(key K, negative bool) float64

	// Fenced makes a cache for fenced fills ([cacheaside.Fleet]): regions that share it load each key once between them. A key's fence record is
	// held with its entry, or by itself at the cost of one.
	Fenced bool

	// OrderedRevisions says that revisions are ordered by their bytes: what is older than anything known of its key is refused
	// ([cacheaside.Putter]). It needs Fenced.
	OrderedRevisions bool

	// Clock tells the time; nil is the real one.
	Clock clock.Clock
}

// validate returns every fault at once, each a *cacheaside.FieldError, joined.
func (c Config[K, V]) validate() error {
	var faults faults
	faults.ttl("TTL.Soft", c.TTL.Soft)
	faults.ttl("TTL.Hard", c.TTL.Hard)
	faults.ttl("TTL.Negative", c.TTL.Negative)
	if c.TTL.Tombstone != 0 {
		faults.ttl("TTL.Tombstone", c.TTL.Tombstone)
	}
	faults.atMost("TTL.Soft", c.TTL.Soft, "TTL.Hard", c.TTL.Hard)
	if c.TTL.MinHard < 0 {
		faults.add("TTL.MinHard", c.TTL.MinHard.String(), "must not be negative")
	}
	faults.atMost("TTL.MinHard", c.TTL.MinHard, "TTL.Hard", c.TTL.Hard)
	faults.atMost("TTL.MinHard", c.TTL.MinHard, "TTL.Negative", c.TTL.Negative)
	if c.MaxEntries < 1 {
		faults.add("MaxEntries", strconv.Itoa(c.MaxEntries), "must be at least 1")
	}
	if c.MaxBytes != 0 && c.MaxBytes < EntryCost {
		faults.add("MaxBytes", strconv.FormatInt(c.MaxBytes, 10), "must be 0 or at least "+strconv.Itoa(EntryCost))
	}
	if c.OrderedRevisions && !c.Fenced {
		faults.add("OrderedRevisions", "true", "needs Fenced")
	}
	return errors.Join(faults...)
}

type faults []error

func (f *faults) add(field, value, rule string) {
	*f = append(*f, &cacheaside.FieldError{Field: field, Value: value, Rule: rule})
}

func (f *faults) ttl(field string, ttl time.Duration) {
	switch {
	case ttl < minTTL:
		f.add(field, ttl.String(), "must be at least "+minTTL.String())
	case ttl.Truncate(minTTL) > maxTTL:
		f.add(field, ttl.String(), "must be at most "+maxTTL.String())
	}
}

// atMost compares what is left of both without fractions of a millisecond, for that is what is used.
func (f *faults) atMost(field string, value time.Duration, boundField string, bound time.Duration) {
	if value.Truncate(minTTL) > bound.Truncate(minTTL) {
		f.add(field, value.String(), "must be at most "+boundField+" ("+bound.String()+")")
	}
}
