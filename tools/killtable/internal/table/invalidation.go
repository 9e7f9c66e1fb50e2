package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// invalidationRows are about what may be answered and recorded after an invalidation.
func invalidationRows() []kit.Row {
	return []kit.Row{
		{
			Name: "older-load-recorded-after-an-invalidation", Package: policy,
			Instead:  "records a load that began before an invalidation",
			Promise:  "Nothing of a load that began before an invalidation is recorded after it.",
			Edits:    edits(edit("cacheaside/land.go", "	if f.superseded {\n\t\treturn RecordSuperseded", "	if f.superseded && !SABOTAGED {\n\t\treturn RecordSuperseded")),
			Red:      "TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded",
			Controls: tests("TestAnInvalidationThatIsNotCertainlyAppliedIsAnError"),
		},
		{
			Name: "older-load-joined-after-an-invalidation", Package: policy,
			Instead:  "writes the tombstone and leaves the running load to be joined",
			Promise:  "Callers after an invalidation start a new load.",
			Edits:    edits(edit("cacheaside/invalidate.go", "	if f := r.state.flights[canonical]; f != nil {\n\t\tr.detachLocked(f)\n", "	if f := r.state.flights[canonical]; f != nil && !SABOTAGED {\n\t\tr.detachLocked(f)\n")),
			Red:      "TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded",
			Controls: tests("TestAnInvalidationThatIsNotCertainlyAppliedIsAnError"),
		},
		{
			Name: "failure-remembered-after-an-invalidation", Package: policy,
			Instead:  "refuses callers for a failure from before the invalidation",
			Promise:  "A failure from before an invalidation refuses nobody after it.",
			Edits:    edits(edit("cacheaside/invalidate.go", "	r.forgetFailureLocked(canonical) //", "	if !SABOTAGED {\n\t\tr.forgetFailureLocked(canonical)\n\t}\n\t//")),
			Red:      "TestAFailureFromBeforeAnInvalidationRefusesNobodyAfterIt",
			Controls: tests("TestAnInvalidationThatIsNotCertainlyAppliedIsAnError"),
		},
		{
			Name: "indeterminate-invalidation-told-as-done", Package: policy,
			Instead:  "tells an invalidation that may not have happened as done",
			Promise:  "An invalidation that is not certainly applied is an error.",
			Edits:    edits(edit("cacheaside/invalidate.go", "	if outcome.Certainty == RecordApplied {\n\t\treturn nil", "	if outcome.Certainty == RecordApplied || outcome.Certainty == RecordIndeterminate && SABOTAGED {\n\t\treturn nil")),
			Red:      "TestAnInvalidationThatIsNotCertainlyAppliedIsAnError",
			Controls: tests("TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded"),
		},
		{
			Name: "other-processes-tombstone-ignored", Package: policy,
			Instead:  "lets a caller that saw another process's tombstone join a load from before it",
			Promise:  "A caller that sees a tombstone is answered by a load that began after it.",
			Edits:    edits(edit("cacheaside/invalidate.go", "	return marked &&", "	return !SABOTAGED && marked &&")),
			Red:      "TestACallerThatSeesAnotherProcessesTombstoneDoesNotJoinALoadFromBeforeIt",
			Controls: tests("TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded"),
		},
		{
			Name: "tombstones-supersede-one-another-without-end", Package: policy,
			Instead:  "supersedes a load that began after the call, since the call saw another tombstone",
			Promise:  "Callers who saw different tombstones share a load that began after them.",
			Edits:    edits(edit("cacheaside/invalidate.go", "number <= c.earlier &&", "(number <= c.earlier || SABOTAGED) &&")),
			Red:      "TestCallersWhoSawDifferentTombstonesShareALoadThatBeganAfterThem",
			Controls: tests("TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded"),
		},
		{
			Name: "invalidation-marked-once-only", Package: policy,
			Instead:  "marks an invalidation before its tombstone is written and not after it",
			Promise:  "What was seen between the first mark and the tombstone is not served after the invalidation.",
			Edits:    edits(edit("cacheaside/invalidate.go", "	region.endings.invalidated(index)\n", "	if !SABOTAGED {\n\t\tregion.endings.invalidated(index)\n\t}\n")),
			Red:      "TestAValueSeenBetweenTheFirstMarkAndTheTombstoneIsNotServedAfterTheInvalidation",
			Controls: tests("TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded"),
		},
		{
			Name: "outage-forgets-an-invalidation", Package: policy,
			Instead:  "records a load from before an invalidation where its lookup had failed",
			Promise:  "A load that was invalidated during an outage is not recorded after it.",
			Edits:    edits(edit("cacheaside/land.go", "	refused := f.superseded || !r.reserveRecordLocked(f)", "	refused := f.superseded && !SABOTAGED || !r.reserveRecordLocked(f)")),
			Red:      "TestALoadThatWasInvalidatedDuringAnOutageIsNotRecordedAfterIt",
			Controls: tests("TestC37_AfterAnUnavailableLookupCallersAreReleasedBeforeTheRecord"),
		},
	}
}
