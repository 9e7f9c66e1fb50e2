package memory_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

func TestAKeyThatDoesNotEqualItselfIsNeverStored(t *testing.T) {
	t.Parallel()
	cache, err := memory.New(memory.Config[float64, string]{TTL: ttl, MaxEntries: 4096})
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		outcome := cache.Record(t.Context(), math.NaN(), cacheaside.Entry[string]{Value: "v"}, cacheaside.Condition{})
		if outcome.Certainty != cacheaside.RecordNotApplied || outcome.Reason != cacheaside.RecordEncodeFailed {
			t.Errorf("the record is %s (%s)", outcome.Certainty, outcome.Reason)
		}
		wantFieldError(t, outcome.Err, "key")
		if outcome = cache.Invalidate(t.Context(), math.NaN()); outcome.Certainty != cacheaside.RecordNotApplied {
			t.Errorf("the invalidation is %s", outcome.Certainty)
		}
		if found := cache.Lookup(t.Context(), math.NaN()); found.Miss != cacheaside.MissAbsent {
			t.Errorf("the lookup is %s (%s)", found.Kind, found.Miss)
		}
	}
	if cache.Len() != 0 || cache.Bytes() != 0 {
		t.Errorf("%d entries are held", cache.Len())
	}
}

func TestKeysOfEveryComparableKindFindTheirEntry(t *testing.T) {
	t.Parallel()
	type composite struct {
		tenant string
		id     int
		ref    *int
	}
	ref := new(int)
	keyed(t, composite{"a", 1, ref}, composite{"a", 1, new(int)})
	keyed[any](t, 1, "1")
	keyed(t, [2]string{"a", "b"}, [2]string{"ab", ""})
	keyed(t, 0.0, math.SmallestNonzeroFloat64)
}

func keyed[K comparable](t *testing.T, key, other K) {
	t.Helper()
	cache, err := memory.New(memory.Config[K, string]{TTL: ttl, MaxEntries: 4096})
	if err != nil {
		t.Fatal(err)
	}
	cache.Record(t.Context(), key, cacheaside.Entry[string]{Value: "v"}, cacheaside.Condition{})
	if found := cache.Lookup(t.Context(), key); found.Value != "v" {
		t.Errorf("a key of type %T is %s (%s)", key, found.Kind, found.Miss)
	}
	if found := cache.Lookup(t.Context(), other); found.Miss != cacheaside.MissAbsent {
		t.Errorf("another key of type %T is %s (%s)", other, found.Kind, found.Miss)
	}
}

func TestAnObservationOfOneCacheMeansNothingToAnother(t *testing.T) {
	t.Parallel()
	one, other := newFixture(t, nil), newFixture(t, nil)
	one.seed("k")
	other.seed("k")
	seen := one.look("k").Observation
	other.refused(other.record("k", "v", seen), cacheaside.RecordConditionFailed)
	other.refused(other.record("absent", "v", seen), cacheaside.RecordObservationGone)
}

func TestValuesAreKeptAndHandedOutAsTheyAre(t *testing.T) {
	t.Parallel()
	cache, err := memory.New(memory.Config[string, *int]{TTL: ttl, MaxEntries: 1})
	if err != nil {
		t.Fatal(err)
	}
	value := new(int)
	cache.Record(t.Context(), "k", cacheaside.Entry[*int]{Value: value}, cacheaside.Condition{})
	if found := cache.Lookup(t.Context(), "k"); found.Value != value {
		t.Error("the value is a copy")
	}
}

func TestAContextPastItsDeadlineIsToldAsThat(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	ctx, cancel := context.WithDeadline(t.Context(), f.clock.Now().AddDate(-100, 0, 0))
	defer cancel()
	if found := f.Lookup(ctx, "k"); found.Kind != cacheaside.LookupUnavailable || !errors.Is(found.Err, context.DeadlineExceeded) {
		t.Errorf("the lookup is %s: %v", found.Kind, found.Err)
	}
	for _, outcome := range []cacheaside.RecordOutcome{
		f.Record(ctx, "k", cacheaside.Entry[string]{}, cacheaside.Condition{}), f.Invalidate(ctx, "k"),
	} {
		f.refused(outcome, cacheaside.RecordNeverSent)
		if !errors.Is(outcome.Err, context.DeadlineExceeded) {
			t.Errorf("the error is %v", outcome.Err)
		}
	}
}
