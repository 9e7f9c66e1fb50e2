package cacheaside_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
)

var (
	errNoRow   = errors.New("no row")
	errTimeout = errors.New("timeout")
	errDenied  = errors.New("denied")
)

func rules() cacheaside.Rules[string] {
	return cacheaside.Rules[string]{
		Absent:      func(err error) bool { return errors.Is(err, errNoRow) },
		Transient:   func(err error) (string, bool) { return "timeout", errors.Is(err, errTimeout) },
		Permanent:   func(err error) (string, bool) { return "denied", errors.Is(err, errDenied) },
		AbsentValue: func(value string) bool { return value == "none" },
		Revision:    func(value string) cacheaside.Revision { return cacheaside.Revision("rev of " + value) },
	}
}

func TestARepositoryReadIsClassifiedByMarksThenByRules(t *testing.T) {
	t.Parallel()
	plain := errors.New("plain")
	for _, row := range []struct {
		name   string
		value  string
		err    error
		status cacheaside.Status
		check  func(error) bool
	}{
		{"a value", "v", nil, cacheaside.StatusLoaded, nil},
		{"an absent value", "none", nil, cacheaside.StatusAbsent, func(err error) bool { return errors.Is(err, cacheaside.ErrAbsent) }},
		{"absent by rule", "", fmt.Errorf("query: %w", errNoRow), cacheaside.StatusAbsent, isAbsentFor("absent")},
		{"transient by rule", "", errTimeout, cacheaside.StatusFailed, isSource(true, "timeout", errTimeout)},
		{"permanent by rule", "", errDenied, cacheaside.StatusFailed, isSource(false, "denied", errDenied)},
		{"no rule", "", plain, cacheaside.StatusFailed, func(err error) bool { return err == plain }}, //nolint:errorlint // the very error
		{"two rules", "", errors.Join(errTimeout, errDenied), cacheaside.StatusFailed, isUnclassified},
		{"absent mark", "", cacheaside.MarkAbsent(plain, "deleted"), cacheaside.StatusAbsent, isAbsentFor("deleted")},
		{"transient mark", "", fmt.Errorf("w: %w", cacheaside.MarkTransient(plain, "busy")), cacheaside.StatusFailed, isSource(true, "busy", plain)},
		{"permanent mark", "", cacheaside.MarkPermanent(plain, "gone"), cacheaside.StatusFailed, isSource(false, "gone", plain)},
		{"a mark against a rule", "", cacheaside.MarkTransient(errNoRow, "replica"), cacheaside.StatusFailed, isSource(true, "replica", errNoRow)},
		{
			"two marks that contradict", "", errors.Join(cacheaside.MarkTransient(plain, "a"), cacheaside.MarkPermanent(plain, "b")),
			cacheaside.StatusFailed, isUnclassified,
		},
		{"a mark on a mark of another kind", "", cacheaside.MarkAbsent(cacheaside.MarkTransient(plain, "a"), "b"), cacheaside.StatusFailed, isUnclassified},
		{"two marks that agree", "", cacheaside.MarkTransient(cacheaside.MarkTransient(plain, "in"), "out"), cacheaside.StatusFailed, isSource(true, "out", plain)},
		{"a code unfit for a label", "", cacheaside.MarkTransient(plain, "User 7\n"), cacheaside.StatusFailed, isSource(true, "invalid", plain)},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			cache := &scripted{}
			region := newRegion(t, cache)
			read := func(context.Context, string) (string, error) { return row.value, row.err }
			o := get(context.Background(), region, "key", cacheaside.Classify(read, rules()))
			if o.result.Status != row.status || row.check != nil && !row.check(o.err) {
				t.Fatalf("got %v, %v", o.result.Status, o.err)
			}
			if row.status == cacheaside.StatusLoaded && o.result.Revision != "rev of v" {
				t.Fatalf("revision %q", o.result.Revision)
			}
			wantRecords := 0
			if row.status == cacheaside.StatusLoaded || row.status == cacheaside.StatusAbsent {
				wantRecords = 1
			}
			if records := cache.records(); len(records) != wantRecords {
				t.Fatalf("%d records", len(records))
			}
		})
	}
}

func isAbsentFor(reason string) func(error) bool {
	return func(err error) bool {
		var absent *cacheaside.AbsentError
		return errors.As(err, &absent) && absent.Reason == reason && !absent.Cached
	}
}

func isSource(transient bool, code string, cause error) func(error) bool {
	return func(err error) bool {
		var failure *cacheaside.SourceError
		return errors.As(err, &failure) && failure.Transient == transient && failure.Code == code && errors.Is(err, cause)
	}
}

func isUnclassified(err error) bool {
	var failure *cacheaside.SourceError
	return err != nil && !errors.As(err, &failure) && !errors.Is(err, cacheaside.ErrAbsent)
}

func TestANilValueWithoutARuleIsUnclassified(t *testing.T) {
	t.Parallel()
	for name, load := range map[string]func() error{
		"pointer": func() error { return classifyNil[*int](t) },
		"map":     func() error { return classifyNil[map[string]int](t) },
		"slice":   func() error { return classifyNil[[]byte](t) },
		"any":     func() error { return classifyNil[any](t) },
	} {
		if err := load(); !errors.Is(err, cacheaside.ErrNilValue) {
			t.Errorf("a nil %s: %v", name, err)
		}
	}
}

// holder is an always empty cache of any type.
type holder[V any] struct{ applied int }

func (h *holder[V]) Lookup(context.Context, string) cacheaside.Lookup[V] {
	return cacheaside.Lookup[V]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent}
}

func (h *holder[V]) Record(context.Context, string, cacheaside.Entry[V], cacheaside.Condition) cacheaside.RecordOutcome {
	h.applied++
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}

func classifyNil[V any](t *testing.T) error {
	t.Helper()
	cache := &holder[V]{}
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, V]{Name: "nil", Cache: cache, Policy: cacheaside.StrictPolicy()})
	if err != nil {
		t.Fatal(err)
	}
	_, err = cacheaside.Read(context.Background(), region, "key", func(context.Context, string) (value V, err error) { return value, nil })
	if cache.applied != 0 {
		t.Errorf("a nil value was recorded")
	}
	return err
}

func TestANilPointerHandedToLoadedIsALegalValue(t *testing.T) {
	t.Parallel()
	cache := &holder[*int]{}
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, *int]{Name: "nil", Cache: cache, Policy: cacheaside.StrictPolicy()})
	if err != nil {
		t.Fatal(err)
	}
	result, err := cacheaside.Get(context.Background(), region, "key", func(context.Context, string) cacheaside.SourceOutcome[*int] {
		return cacheaside.Loaded[*int](nil, "")
	})
	if err != nil || result.Status != cacheaside.StatusLoaded || result.Value != nil || cache.applied != 1 {
		t.Fatalf("got %+v, %v, %d records", result, err, cache.applied)
	}
}

func TestMarkingNilStaysNil(t *testing.T) {
	t.Parallel()
	if cacheaside.MarkAbsent(nil, "a") != nil || cacheaside.MarkTransient(nil, "a") != nil || cacheaside.MarkPermanent(nil, "a") != nil {
		t.Fatal("a mark made an error out of nil")
	}
}
