package memory

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// draft makes the entry that a record would store, or the outcome that refuses it. The user's hooks run here, before any lock.
func (c *Cache[K, V]) draft(key K, given cacheaside.Entry[V], now time.Time) (entry[V], *cacheaside.RecordOutcome) {
	if len(given.Revision) > cacheaside.MaxRevisionBytes {
		return entry[V]{}, refused(cacheaside.RecordEncodeFailed, &cacheaside.FieldError{
			Field: "Revision", Value: strconv.Itoa(len(given.Revision)) + " bytes long",
			Rule: "must be at most " + strconv.Itoa(cacheaside.MaxRevisionBytes),
		})
	}
	made, err := c.compose(key, given, now)
	switch {
	case err != nil:
		return entry[V]{}, refused(cacheaside.RecordEncodeFailed, err)
	case made.size > c.budget.maxBytes:
		return entry[V]{}, refused(cacheaside.RecordTooLarge, &cacheaside.FieldError{
			Field: "entry", Value: strconv.FormatInt(made.size, 10) + " bytes large",
			Rule: "must be at most MaxBytes (" + strconv.FormatInt(c.budget.maxBytes, 10) + ")",
		})
	case made.generation != c.generation.Load():
		return entry[V]{}, refused(cacheaside.RecordSuperseded, nil)
	case now.UnixMilli() >= made.hard:
		return entry[V]{}, refused(cacheaside.RecordNeverSent, nil)
	}
	return made, nil
}

func refused(reason cacheaside.RecordReason, err error) *cacheaside.RecordOutcome {
	return &cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: reason, Err: err}
}

func (c *Cache[K, V]) compose(key K, given cacheaside.Entry[V], now time.Time) (made entry[V], err error) {
	hook := ""
	// A record runs for its region, not for one caller: a hook's panic there would take the process.
	defer func() {
		if value := recover(); value != nil {
			err = &cacheaside.FieldError{Field: hook, Rule: fmt.Sprintf("must not panic, as it did with a %T", value)}
		}
	}()
	factor := 1.0
	if c.jitter != nil {
		hook = "Jitter"
		factor = c.jitter(key, given.Negative)
	}
	base := now.UnixMilli()
	if !given.LoadedAt.IsZero() && given.LoadedAt.Before(now) {
		base = given.LoadedAt.UnixMilli()
	}
	generation := uint64(given.Generation)
	if generation == 0 {
		generation = c.generation.Load()
	}
	if given.Negative {
		return entry[V]{kind: kindAbsence, revision: given.Revision, hard: base + c.lives.absence(factor), generation: generation, size: EntryCost}, nil
	}
	soft, hard := c.lives.positive(factor)
	made = entry[V]{
		kind: kindValue, value: given.Value, revision: given.Revision,
		soft: base + soft, hard: base + hard, generation: generation, size: EntryCost,
	}
	if c.sizeOf != nil {
		hook = "SizeOf"
		made.size = saturated(c.sizeOf(key, given.Value))
	}
	return made, nil
}

// saturated adds the cost of an entry to the size of its value.
func saturated(size int) int64 {
	return min(int64(max(size, 0)), math.MaxInt64-EntryCost) + EntryCost
}
