package cachetest_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/cacheaside/resilience/cacheaside/cachetest"
)

// caught names, for each fault, the assertion that must find it. Others may too.
var caught = map[fault]string{
	softInclusive:          "a value turns stale at its soft expiry and not a millisecond earlier",
	hardInclusive:          "a value is over at its hard expiry and not a millisecond earlier",
	softEarly:              "a value turns stale at its soft expiry and not a millisecond earlier",
	hardEarly:              "a value is over at its hard expiry and not a millisecond earlier",
	tombstoneForEver:       "a tombstone is over at its expiry and not a millisecond earlier",
	freshWithoutExpiries:   "a recorded value is fresh, with its revision and expiries",
	staleUnobserved:        "a stale value comes with value, revision, expiries and observation",
	absenceUnobserved:      "a recorded absence comes with its expiry and an observation, and without a value",
	tooLateStored:          "a result whose life is over when it is recorded is never sent",
	storeExpiryAtSoft:      "a value is over at its hard expiry and not a millisecond earlier",
	staleWithoutValue:      "a stale value comes with value, revision, expiries and observation",
	staleWithoutExpiry:     "a stale value comes with value, revision, expiries and observation",
	absenceForEver:         "a recorded absence is over at its expiry and not a millisecond earlier",
	absenceTakesHard:       "a recorded absence is over at its expiry and not a millisecond earlier",
	absenceWithValue:       "a recorded absence comes with its expiry and an observation, and without a value",
	lateCountsFromNow:      "expiries of a late result count from the moment it was loaded",
	outcomeWithoutExpiries: "an applied record tells the expiries that lookups tell",
	lookupDeletesExpired:   "lookups delete nothing and prolong nothing",
	lookupProlongs:         "lookups delete nothing and prolong nothing",
	lifetimesOverstated:    "reported lifetimes are those the cache was built with",
	tombstoneLifeForgotten: "reported lifetimes are those the cache was built with",
	expiredUnobserved:      "an expired value is replaced by what its lookup gave",
	appliedWithReason:      "an applied record tells the expiries that lookups tell",
	absentObserved:         "an absent key is a miss without an observation",

	revisionDropped:    "a recorded value is fresh, with its revision and expiries",
	longRevisionStored: "a revision above the limit is refused",
	emptySliceDropped:  "values come back as they were recorded, empty ones included",
	numberThroughFloat: "values come back as they were recorded, empty ones included",
	keysFolded:         "different keys hold different entries",
	keysCut:            "different keys hold different entries",
	oversizeStored:     "a value above the size limit is refused and the old one stays",
	oversizeDropsOld:   "a value above the size limit is refused and the old one stays",

	unconditional:          "an observation is refused when the entry has changed",
	absentMatchesAll:       "only-if-absent refuses a fresh value and leaves it as it was",
	absenceOverwrites:      "only-if-absent refuses a recorded absence and leaves it as it was",
	refusalStored:          "only-if-absent refuses a fresh value and leaves it as it was",
	absenceUnconditional:   "an absence does not replace a value that came meanwhile",
	refusalAsApplied:       "only-if-absent refuses a stale value and leaves it as it was",
	versionOfValue:         "an observation is good for one write, even of equal values",
	lifeOfReplaced:         "a replaced entry has the expiries of the new one",
	goneAsChanged:          "an observation is refused when the entry is gone",
	staleObservationOrGone: "an observation is refused when the entry is gone",
	expiredNeedsEqual:      "an expired entry's observation is satisfied by one that is gone",
	expiredMatchesAll:      "an expired entry's observation does not replace a newer entry",
	checkThenAct:           "of twenty observed replaces of one stale value exactly one is applied",

	invalidateDeletes:     "an invalidated value is a miss of that reason, with an observation",
	invalidateSkipsAbsent: "a tombstone refuses a fill that began with a miss",
	tombstoneUnobserved:   "an invalidated value is a miss of that reason, with an observation",
	tombstoneKeepsVersion: "a tombstone refuses a fill that observed the older entry",

	localCopies:          "an observation holds at every instance",
	instancesApart:       "a second instance reads what the first recorded",
	corruptAsMiss:        "an unusable entry is told as Corrupt",
	corruptObserved:      "an unusable entry is told as Corrupt",
	oversizeAsCorrupt:    "an unusable entry is told as Oversize",
	foreignAsOutage:      "an unusable entry is told as Foreign",
	futureAsRetired:      "an unusable entry is told as Future",
	quarantineUnobserved: "what is Payload is replaced by its observation",
	foreignOverwritten:   "what is Foreign is not overwritten by only-if-absent",
	unusableReplaceable:  "what has become Foreign refuses an older observation",
	failureAsMiss:        "a store that cannot be asked is unavailable and never a miss",
	failureAsApplied:     "a record to a store that cannot be asked is not told as applied",
	failureUnexplained:   "a store that cannot be asked is unavailable and never a miss",
	contextErrorReplaced: "a done context is told as that and reaches nothing",
	contextOfRecord:      "a done context is told as that and reaches nothing",
	contextOfTombstone:   "a done context is told as that and reaches nothing",
	contextIgnored:       "a done context is told as that and reaches nothing",
	errorNamesKey:        "errors hold neither keys nor values",
}

func TestEveryWrongCacheTurnsItsNamedAssertionRed(t *testing.T) {
	t.Parallel()
	wrongIn(t, caught)
}

func TestEveryWrongFenceTurnsItsNamedAssertionRed(t *testing.T) {
	t.Parallel()
	wrongIn(t, caughtFence)
}

func wrongIn(t *testing.T, table map[fault]string) {
	t.Helper()
	for wrong, name := range table {
		t.Run(string(wrong), func(t *testing.T) {
			t.Parallel()
			finding := cachetest.Try(t, named(t, name), newModel(wrong))
			switch {
			case finding.Panicked != nil:
				t.Errorf("it panicked with %v, want a failed assertion", finding.Panicked)
			case finding.Skipped:
				t.Errorf("the assertion was skipped: %q", finding.Messages)
			case !finding.Failed || len(finding.Messages) == 0:
				t.Errorf("the assertion %q passed", name)
			}
		})
	}
}

func TestTheRightCacheFailsAndSkipsNoAssertion(t *testing.T) {
	t.Parallel()
	for _, right := range []fault{none, keysOutliveEntries} {
		for _, assertion := range cachetest.Assertions() {
			finding := cachetest.Try(t, assertion, newModel(right))
			if finding.Failed || finding.Skipped || finding.Panicked != nil {
				t.Errorf("%q %s: %+v", right, assertion.Name, finding)
			}
		}
	}
}

// TestNoAssertionIsIdle keeps out assertions that nothing can turn red. The faults that need twenty callers to show are
// tried in the other test alone.
func TestNoAssertionIsIdle(t *testing.T) {
	t.Parallel()
	for _, assertion := range cachetest.Assertions() {
		for wrong := range both() {
			if wrong != checkThenAct && wrong != grantInTwoSteps && cachetest.Try(t, assertion, newModel(wrong)).Failed {
				assertion.Name = ""
				break
			}
		}
		if assertion.Name != "" {
			t.Errorf("no wrong cache fails %q", assertion.Name)
		}
	}
}

// both tables' faults.
func both() iter.Seq[fault] {
	return func(yield func(fault) bool) {
		for _, table := range []map[fault]string{caught, caughtFence} {
			for wrong := range table {
				if !yield(wrong) {
					return
				}
			}
		}
	}
}

func TestAssertionsHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, assertion := range cachetest.Assertions() {
		if assertion.Name == "" || seen[assertion.Name] {
			t.Errorf("the name %q is empty or used twice", assertion.Name)
		}
		seen[assertion.Name] = true
	}
}

func named(t *testing.T, name string) cachetest.Assertion {
	t.Helper()
	list := cachetest.Assertions()
	at := slices.IndexFunc(list, func(a cachetest.Assertion) bool { return a.Name == name })
	if at < 0 {
		t.Fatalf("there is no assertion %q", name)
	}
	return list[at]
}
