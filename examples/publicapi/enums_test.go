package publicapi_test

import (
	"fmt"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestEveryConstantTellsItsName(t *testing.T) {
	t.Parallel()
	names := map[fmt.Stringer]string{
		cacheaside.StatusFresh: "Fresh", cacheaside.StatusLoaded: "Loaded", cacheaside.StatusStale: "Stale", cacheaside.StatusAbsent: "Absent",
		cacheaside.StatusNegativeHit: "NegativeHit", cacheaside.StatusFailed: "Failed", cacheaside.StatusRejected: "Rejected",
		cacheaside.StatusCancelled: "Cancelled",

		cacheaside.ReasonKeysFull: "KeysFull", cacheaside.ReasonWaitersFull: "WaitersFull", cacheaside.ReasonAdmissionTimeout: "AdmissionTimeout",
		cacheaside.ReasonLoadDeadline: "LoadDeadline", cacheaside.ReasonOverdue: "Overdue", cacheaside.ReasonSourceBackoff: "SourceBackoff",
		cacheaside.ReasonReentrant: "Reentrant", cacheaside.ReasonRefreshPending: "RefreshPending", cacheaside.ReasonClosed: "Closed",
		cacheaside.ReasonSuperseded: "Superseded",

		cacheaside.LookupFresh: "Fresh", cacheaside.LookupStale: "Stale", cacheaside.LookupNegative: "Negative", cacheaside.LookupMiss: "Miss",
		cacheaside.LookupUnusable: "Unusable", cacheaside.LookupUnavailable: "Unavailable",

		cacheaside.MissAbsent: "Absent", cacheaside.MissExpired: "Expired", cacheaside.MissInvalidated: "Invalidated",

		cacheaside.EntryRetired: "Retired", cacheaside.EntryPayload: "Payload", cacheaside.EntryFuture: "Future",
		cacheaside.EntryCorrupt: "Corrupt", cacheaside.EntryOversize: "Oversize", cacheaside.EntryForeign: "Foreign",

		cacheaside.RecordNone: "None", cacheaside.RecordApplied: "Applied", cacheaside.RecordNotApplied: "NotApplied",
		cacheaside.RecordIndeterminate: "Indeterminate",

		cacheaside.RecordConditionFailed: "ConditionFailed", cacheaside.RecordObservationGone: "ObservationGone",
		cacheaside.RecordTooLarge: "TooLarge", cacheaside.RecordEncodeFailed: "EncodeFailed", cacheaside.RecordStoreRefused: "StoreRefused",
		cacheaside.RecordNeverSent: "NeverSent", cacheaside.RecordUnfenced: "Unfenced", cacheaside.RecordPending: "Pending",

		cacheaside.FailFast: "FailFast", cacheaside.QuarantineAndReload: "QuarantineAndReload", cacheaside.LoadOnly: "LoadOnly",
	}
	for constant, want := range names {
		if constant.String() != want {
			t.Errorf("%T: %q, want %q", constant, constant, want)
		}
	}
}
