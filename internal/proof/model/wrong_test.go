package model_test

import (
	"context"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
)

// wrongStore is a store with one fault.
type wrongStore struct {
	store

	fault fault
	last  map[string]cacheaside.Lookup[string]
}

type fault string

const (
	fillsUnconditionally  fault = "fills whatever is there"
	answersPastHard       fault = "answers stale past the hard expiry"
	forgetsTombstones     fault = "forgets tombstones"
	deniesWhatItDid       fault = "reports NotApplied for what it applied"
	claimsWhatItDidNot    fault = "reports Applied for what it did not"
	recordsAbsenceAsValue fault = "records an absence as an empty value"
	prolongsLateResults   fault = "counts the life of a late result from its record"
	takesStaleForFresh    fault = "takes stale for fresh"
)

func (w *wrongStore) Lookup(ctx context.Context, key string) cacheaside.Lookup[string] {
	found := w.store.Lookup(ctx, key)
	switch {
	case w.fault == takesStaleForFresh && found.Kind == cacheaside.LookupStale:
		found.Kind = cacheaside.LookupFresh
	case w.fault == answersPastHard && found.Kind == cacheaside.LookupStale:
		w.last[key] = found
	case w.fault == answersPastHard && found.Miss == cacheaside.MissExpired:
		if last, there := w.last[key]; there {
			return last
		}
	}
	return found
}

func (w *wrongStore) Record(
	ctx context.Context, key string, entry cacheaside.Entry[string], asked cacheaside.Condition,
) cacheaside.RecordOutcome {
	switch w.fault {
	case fillsUnconditionally:
		asked.Observation = w.store.Lookup(ctx, key).Observation
	case claimsWhatItDidNot:
		before := w.store.Record(ctx, key, entry, asked)
		if before.Certainty == cacheaside.RecordApplied {
			w.store.Invalidate(ctx, key)
		}
		return before
	case recordsAbsenceAsValue:
		entry.Negative = false
	case prolongsLateResults:
		entry.LoadedAt = entry.LoadedAt.AddDate(1, 0, 0)
	case answersPastHard, forgetsTombstones, deniesWhatItDid, takesStaleForFresh:
	}
	outcome := w.store.Record(ctx, key, entry, asked)
	if w.fault == deniesWhatItDid && outcome.Certainty == cacheaside.RecordApplied {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordConditionFailed}
	}
	return outcome
}

func (w *wrongStore) Invalidate(ctx context.Context, key string) cacheaside.RecordOutcome {
	if w.fault == forgetsTombstones {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
	}
	return w.store.Invalidate(ctx, key)
}

// TestAStoreThatIsWrongIsRefused shows that the property can fail: among the first few hundred histories there is one that each fault spoils.
func TestAStoreThatIsWrongIsRefused(t *testing.T) {
	t.Parallel()
	for _, wrong := range []fault{
		fillsUnconditionally, answersPastHard, forgetsTombstones, deniesWhatItDid, claimsWhatItDidNot, recordsAbsenceAsValue, prolongsLateResults,
		takesStaleForFresh,
	} {
		t.Run(string(wrong), func(t *testing.T) {
			open := func(t *testing.T, l lives) (store, func()) {
				inner, end := openMemory(t, l)
				return &wrongStore{store: inner, fault: wrong, last: map[string]cacheaside.Lookup[string]{}}, end
			}
			for seed := range 300 {
				if refused := programs().Example(seed).run(t, open); refused != nil {
					t.Logf("history %d: %v", seed, refused)
					return
				}
			}
			t.Error("no history showed it")
		})
	}
}
