package publicapi_test

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

var errSource = errors.New("the source's own error")

// TestEveryErrorIsToldByItsType reads once for each ending and looks at the error as a caller would.
func TestEveryErrorIsToldByItsType(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		load   cacheaside.Loader[string, value]
		status cacheaside.Status
		check  func(*testing.T, error)
	}{
		"absent": {outcome(cacheaside.AuthoritativeAbsent[value]("deleted", "")), cacheaside.StatusAbsent, func(t *testing.T, err error) {
			e := as[*cacheaside.AbsentError](t, err)
			if e.Region != "region" || e.Reason != "deleted" || e.Cached {
				t.Errorf("%+v", e)
			}
			is(t, err, cacheaside.ErrAbsent, sql.ErrNoRows)
		}},
		"transient": {outcome(cacheaside.TransientFailure[value]("busy", errSource)), cacheaside.StatusFailed, func(t *testing.T, err error) {
			e := as[*cacheaside.SourceError](t, err)
			if e.Region != "region" || !e.Transient || e.Code != "busy" || !errors.Is(e.Cause, errSource) {
				t.Errorf("%+v", e)
			}
			is(t, err, errSource)
		}},
		"permanent": {outcome(cacheaside.PermanentFailure[value]("denied", errSource)), cacheaside.StatusFailed, func(t *testing.T, err error) {
			if e := as[*cacheaside.SourceError](t, err); e.Transient || e.Code != "denied" {
				t.Errorf("%+v", e)
			}
		}},
		"unclassified": {outcome(cacheaside.Unclassified[value](errSource)), cacheaside.StatusFailed, func(t *testing.T, err error) {
			if err != errSource { //nolint:errorlint // the very error is the promise
				t.Errorf("%v is not the very error of the source", err)
			}
		}},
		"exited": {func(context.Context, string) cacheaside.SourceOutcome[value] {
			runtime.Goexit()
			return cacheaside.SourceOutcome[value]{}
		}, cacheaside.StatusFailed, func(t *testing.T, err error) { is(t, err, cacheaside.ErrLoaderExited) }},
		"no outcome": {outcome(cacheaside.SourceOutcome[value]{}), cacheaside.StatusFailed, func(t *testing.T, err error) {
			is(t, err, cacheaside.ErrNoOutcome)
		}},
		"cancelled": {outcome(cacheaside.Cancelled[value](nil)), cacheaside.StatusCancelled, func(t *testing.T, err error) {
			is(t, err, context.Canceled)
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := cacheaside.Get(t.Context(), newRegion(t, newMemory(t)), "key", test.load)
			if result.Status != test.status || result.Value != (value{}) {
				t.Errorf("status %v with value %v, want %v with none", result.Status, result.Value, test.status)
			}
			test.check(t, err)
		})
	}
}

func TestACachedAbsenceIsAnAbsence(t *testing.T) {
	t.Parallel()
	region := newRegion(t, newMemory(t))
	absent := outcome(cacheaside.AuthoritativeAbsent[value]("deleted", ""))
	_, _ = cacheaside.Get(t.Context(), region, "key", absent)
	result, err := cacheaside.Get(t.Context(), region, "key", absent)
	e := as[*cacheaside.AbsentError](t, err)
	if result.Status != cacheaside.StatusNegativeHit || !e.Cached || e.Reason != "" {
		t.Errorf("%v %+v", result.Status, e)
	}
	is(t, err, cacheaside.ErrAbsent, sql.ErrNoRows)
}

func TestEveryUnusableEntryIsToldByItsKind(t *testing.T) {
	t.Parallel()
	kinds := map[cacheaside.EntryKind]error{
		cacheaside.EntryRetired: cacheaside.ErrIncompatibleSchema, cacheaside.EntryPayload: cacheaside.ErrIncompatibleSchema,
		cacheaside.EntryFuture: cacheaside.ErrIncompatibleSchema, cacheaside.EntryCorrupt: cacheaside.ErrCorruptEntry,
		cacheaside.EntryOversize: cacheaside.ErrCorruptEntry, cacheaside.EntryForeign: cacheaside.ErrCorruptEntry,
	}
	for kind, want := range kinds {
		region := newRegion(t, holding{cacheaside.Lookup[value]{Kind: cacheaside.LookupUnusable, Entry: kind}})
		result, err := cacheaside.Get(t.Context(), region, "key", func(context.Context, string) cacheaside.SourceOutcome[value] {
			t.Errorf("%v: the source was called", kind)
			return cacheaside.Loaded(value{}, "")
		})
		if e := as[*cacheaside.EntryError](t, err); e.Kind != kind || e.Region != "region" || result.Status != cacheaside.StatusFailed {
			t.Errorf("%v: %v %+v", kind, result.Status, e)
		}
		is(t, err, want)
	}
}

func TestARefusalNamesItsBound(t *testing.T) {
	t.Parallel()
	region := newRegion(t, newMemory(t))
	if err := region.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	result, err := cacheaside.Get(t.Context(), region, "key", outcome(cacheaside.Loaded(value{1}, "")))
	e := as[*cacheaside.RejectedError](t, err)
	if result.Status != cacheaside.StatusRejected || e.Region != "region" || e.Reason != cacheaside.ReasonClosed || e.Cause != nil {
		t.Errorf("%v %+v", result.Status, e)
	}
	is(t, err, cacheaside.ErrRejected)
}

func TestTheCallersOwnCauseIsVisible(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errSource)
	result, err := cacheaside.Get(ctx, newRegion(t, newMemory(t)), "key", outcome(cacheaside.Loaded(value{1}, "")))
	if result.Status != cacheaside.StatusCancelled {
		t.Errorf("status %v", result.Status)
	}
	is(t, err, context.Canceled, errSource)
}

func TestAPanicOfTheLoaderIsTheCallersOwn(t *testing.T) {
	t.Parallel()
	defer func() {
		e, ok := recover().(*cacheaside.LoaderPanic)
		if !ok || e.Value != any(errSource) || len(e.Stack) == 0 {
			t.Fatalf("recovered %+v", e)
		}
		is(t, e, errSource)
	}()
	_, err := cacheaside.Get(t.Context(), newRegion(t, newMemory(t)), "key", func(context.Context, string) cacheaside.SourceOutcome[value] {
		panic(errSource)
	})
	t.Errorf("no panic, %v", err)
}

func outcome(o cacheaside.SourceOutcome[value]) cacheaside.Loader[string, value] {
	return func(context.Context, string) cacheaside.SourceOutcome[value] { return o }
}

// holding is a cache in which one thing is found under every key.
type holding struct{ found cacheaside.Lookup[value] }

func (h holding) Lookup(context.Context, string) cacheaside.Lookup[value] { return h.found }

func (holding) Record(context.Context, string, cacheaside.Entry[value], cacheaside.Condition) cacheaside.RecordOutcome {
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordStoreRefused}
}

func newMemory(t *testing.T) cacheaside.Cache[string, value] {
	t.Helper()
	cache, err := memory.New(memory.Config[string, value]{
		TTL: memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute}, MaxEntries: 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	return cache
}

func newRegion(t *testing.T, cache cacheaside.Cache[string, value]) *cacheaside.Region[string, value] {
	t.Helper()
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, value]{
		Name: "region", Cache: cache, Policy: cacheaside.StrictPolicy(), AbsentErr: sql.ErrNoRows,
	})
	if err != nil {
		t.Fatal(err)
	}
	return region
}

func as[E error](t *testing.T, err error) E {
	t.Helper()
	var e E
	if !errors.As(err, &e) {
		t.Fatalf("%v is no %T", err, e)
	}
	return e
}

func is(t *testing.T, err error, targets ...error) {
	t.Helper()
	for _, target := range targets {
		if !errors.Is(err, target) {
			t.Errorf("%v is not %v", err, target)
		}
	}
}
