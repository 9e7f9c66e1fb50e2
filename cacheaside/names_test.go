package cacheaside_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestEveryEnumTellsItsConstantsNameWithoutThePrefix(t *testing.T) {
	t.Parallel()
	for want, value := range map[string][]fmt.Stringer{
		"Fresh": {cacheaside.StatusFresh, cacheaside.LookupFresh}, "Loaded": {cacheaside.StatusLoaded, cacheaside.SourceLoaded},
		"Stale": {cacheaside.StatusStale, cacheaside.LookupStale}, "Absent": {cacheaside.StatusAbsent, cacheaside.MissAbsent, cacheaside.SourceAbsent},
		"NegativeHit": {cacheaside.StatusNegativeHit}, "Failed": {cacheaside.StatusFailed}, "Rejected": {cacheaside.StatusRejected},
		"Cancelled": {cacheaside.StatusCancelled, cacheaside.SourceCancelled}, "Negative": {cacheaside.LookupNegative},
		"Miss": {cacheaside.LookupMiss}, "Unusable": {cacheaside.LookupUnusable}, "Unavailable": {cacheaside.LookupUnavailable},
		"Expired": {cacheaside.MissExpired}, "Invalidated": {cacheaside.MissInvalidated}, "Retired": {cacheaside.EntryRetired},
		"Payload": {cacheaside.EntryPayload}, "Future": {cacheaside.EntryFuture}, "Corrupt": {cacheaside.EntryCorrupt},
		"Oversize": {cacheaside.EntryOversize}, "Foreign": {cacheaside.EntryForeign},
		"None":    {cacheaside.RecordNone, cacheaside.RecordReason(0)},
		"Applied": {cacheaside.RecordApplied}, "NotApplied": {cacheaside.RecordNotApplied}, "Indeterminate": {cacheaside.RecordIndeterminate},
		"ConditionFailed": {cacheaside.RecordConditionFailed}, "ObservationGone": {cacheaside.RecordObservationGone},
		"TooLarge": {cacheaside.RecordTooLarge}, "EncodeFailed": {cacheaside.RecordEncodeFailed}, "StoreRefused": {cacheaside.RecordStoreRefused},
		"NeverSent": {cacheaside.RecordNeverSent}, "Unfenced": {cacheaside.RecordUnfenced}, "Pending": {cacheaside.RecordPending},
		"Superseded": {cacheaside.RecordSuperseded, cacheaside.ReasonSuperseded},
		"KeysFull":   {cacheaside.ReasonKeysFull}, "WaitersFull": {cacheaside.ReasonWaitersFull},
		"AdmissionTimeout": {cacheaside.ReasonAdmissionTimeout}, "LoadDeadline": {cacheaside.ReasonLoadDeadline},
		"Overdue": {cacheaside.ReasonOverdue, cacheaside.EventOverdue}, "SourceBackoff": {cacheaside.ReasonSourceBackoff},
		"Reentrant": {cacheaside.ReasonReentrant}, "RefreshPending": {cacheaside.ReasonRefreshPending}, "Closed": {cacheaside.ReasonClosed},
		"FailFast": {cacheaside.FailFast}, "QuarantineAndReload": {cacheaside.QuarantineAndReload}, "LoadOnly": {cacheaside.LoadOnly},
		"Get": {cacheaside.EventGet}, "Load": {cacheaside.EventLoad}, "Record": {cacheaside.EventRecord},
		"Invalidate": {cacheaside.EventInvalidate}, "Warning": {cacheaside.EventWarning}, "Transient": {cacheaside.SourceTransient},
		"Permanent": {cacheaside.SourcePermanent}, "Unclassified": {cacheaside.SourceUnclassified}, "Panicked": {cacheaside.SourcePanicked},
		"Exited": {cacheaside.SourceExited}, "NoOutcome": {cacheaside.SourceNoOutcome},
		"Unknown": {
			cacheaside.Status(0), cacheaside.Status(99), cacheaside.LookupKind(0), cacheaside.MissReason(0), cacheaside.EntryKind(99),
			cacheaside.Certainty(99), cacheaside.RecordReason(99), cacheaside.Reason(0), cacheaside.EntryAction(0), cacheaside.EventKind(0),
			cacheaside.SourceKind(0),
		},
	} {
		for _, v := range value {
			if v.String() != want {
				t.Errorf("%T %d tells %q, want %q", v, v, v, want)
			}
		}
	}
}

func TestErrorsTellRegionAndKindInOneLine(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"cacheaside: region r: absent at the source (gone)":        &cacheaside.AbsentError{Region: "r", Reason: "gone"},
		"cacheaside: region r: absent by a cached answer":          &cacheaside.AbsentError{Region: "r", Cached: true},
		"cacheaside: region r: transient source failure (busy)":    &cacheaside.SourceError{Region: "r", Transient: true, Code: "busy", Cause: errDown},
		"cacheaside: region r: permanent source failure (no)":      &cacheaside.SourceError{Region: "r", Code: "no"},
		"cacheaside: region r: stored entry is unusable (corrupt)": &cacheaside.EntryError{Region: "r", Kind: cacheaside.EntryCorrupt},
		"cacheaside: region r: rejected (KeysFull)":                &cacheaside.RejectedError{Region: "r", Reason: cacheaside.ReasonKeysFull, Cause: errDown},
		"cacheaside: region r: invalidation Indeterminate (None)":  &cacheaside.InvalidateError{Region: "r", Certainty: cacheaside.RecordIndeterminate},
		"cacheaside: loader panicked with a string":                &cacheaside.LoaderPanic{Value: "text"},
		"cacheaside: F is 1, must be 2":                            &cacheaside.FieldError{Field: "F", Value: "1", Rule: "must be 2"},
		"cacheaside: F must be 2":                                  &cacheaside.FieldError{Field: "F", Rule: "must be 2"},
	} {
		if err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
	}
	if err := (&cacheaside.EntryError{Kind: 99}); errors.Is(err, cacheaside.ErrCorruptEntry) || errors.Is(err, cacheaside.ErrIncompatibleSchema) {
		t.Error("an entry of no kind matches one")
	}
	if err := (&cacheaside.LoaderPanic{Value: errDown}); !errors.Is(err, errDown) {
		t.Error("a panic with an error does not unwrap to it")
	}
}

type number int32

type label string

func TestIntegerAndStringKeysNeedNoKeyString(t *testing.T) {
	t.Parallel()
	readOnce(t, int8(-7))
	readOnce(t, number(42))
	readOnce(t, uint64(1<<63))
	readOnce(t, uintptr(9))
	readOnce(t, "text")
	readOnce(t, label("named text"))
	_, err := cacheaside.NewRegion(cacheaside.RegionConfig[float64, string]{Name: "floats", Cache: anyKey[float64]{}, Policy: cacheaside.StrictPolicy()})
	var fault *cacheaside.FieldError
	if !errors.As(err, &fault) || fault.Field != "KeyString" {
		t.Errorf("floats: %v", err)
	}
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[label, string]{Name: "labels", Cache: anyKey[label]{}, Policy: cacheaside.StrictPolicy()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cacheaside.Get(context.Background(), region, "", func(context.Context, label) cacheaside.SourceOutcome[string] {
		return cacheaside.Loaded("", "")
	}); !errors.As(err, &fault) || fault.Field != "key" {
		t.Errorf("an empty named string: %v", err)
	}
}

// anyKey is an always empty cache for any key.
type anyKey[K comparable] struct{}

func (anyKey[K]) Lookup(context.Context, K) cacheaside.Lookup[string] { return missing() }

func (anyKey[K]) Record(context.Context, K, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}

func readOnce[K comparable](t *testing.T, key K) {
	t.Helper()
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[K, string]{Name: "keys", Cache: anyKey[K]{}, Policy: cacheaside.StrictPolicy()})
	if err != nil {
		t.Fatal(err)
	}
	result, err := cacheaside.Read(context.Background(), region, key, func(_ context.Context, got K) (string, error) {
		if got != key {
			t.Errorf("loaded %v instead of %v", got, key)
		}
		return "value", nil
	})
	if err != nil || result.Value != "value" {
		t.Fatalf("%T: %+v, %v", key, result, err)
	}
}

// selfNaming is a cache that brings its keys' canonical text along.
type selfNaming struct{ anyKey[[2]string] }

func (selfNaming) KeyString(key [2]string) string { return strings.Join(key[:], "\x00") }

func TestTheCachesOwnKeyStringIsTakenWhereTheUserGivesNone(t *testing.T) {
	t.Parallel()
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[[2]string, string]{Name: "pairs", Cache: selfNaming{}, Policy: cacheaside.StrictPolicy()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cacheaside.Read(context.Background(), region, [2]string{"a", "b"}, func(context.Context, [2]string) (string, error) {
		return "value", nil
	}); err != nil {
		t.Fatal(err)
	}
}
