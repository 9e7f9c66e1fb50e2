package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// invalidationRows are about what may be answered and recorded after an invalidation.
func invalidationRows() []kit.Row {
	return []kit.Row{
		{
			Name: "older-load-recorded-after-an-invalidation", Package: policy,
			Instead:  "records a load that began before an invalidation",
			Promise:  "Nothing of a load that began before an invalidation is recorded after it.",
			Edits:    edits(edit("cacheaside/land.go", "if f.superseded {", "if f.superseded && !SABOTAGED {")),
			Red:      "TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded",
			Controls: tests("TestAnInvalidationThatIsNotCertainlyAppliedIsAnError"),
		},
		{
			Name: "older-load-joined-after-an-invalidation", Package: policy,
			Instead: "writes the tombstone and leaves the running load to be joined",
			Promise: "Callers after an invalidation start a new load.",
			Edits: edits(edit("cacheaside/invalidate.go",
				"if f := r.state.flights[canonical]; f != nil {",
				"if f := r.state.flights[canonical]; f != nil && !SABOTAGED {")),
			Red:      "TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded",
			Controls: tests("TestAnInvalidationThatIsNotCertainlyAppliedIsAnError"),
		},
		{
			Name: "failure-remembered-after-an-invalidation", Package: policy,
			Instead: "refuses callers for a failure from before the invalidation",
			Promise: "A failure from before an invalidation refuses nobody after it.",
			Edits: edits(edit("cacheaside/invalidate.go", "r.forgetFailureLocked(canonical)", `
				if !SABOTAGED {
					r.forgetFailureLocked(canonical)
				}
			`)),
			Red:      "TestAFailureFromBeforeAnInvalidationRefusesNobodyAfterIt",
			Controls: tests("TestAnInvalidationThatIsNotCertainlyAppliedIsAnError"),
		},
		{
			Name: "indeterminate-invalidation-told-as-done", Package: policy,
			Instead: "tells an invalidation that may not have happened as done",
			Promise: "An invalidation that is not certainly applied is an error.",
			Edits: edits(edit("cacheaside/invalidate.go",
				"if outcome.Certainty == RecordApplied {",
				"if outcome.Certainty == RecordApplied || outcome.Certainty == RecordIndeterminate && SABOTAGED {")),
			Red:      "TestAnInvalidationThatIsNotCertainlyAppliedIsAnError",
			Controls: tests("TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded"),
		},
		{
			Name: "other-processes-tombstone-ignored", Package: policy,
			Instead:  "lets a caller that saw another process's tombstone join a load from before it",
			Promise:  "A caller that sees a tombstone is answered by a load that began after it.",
			Edits:    edits(edit("cacheaside/invalidate.go", "return marked &&", "return !SABOTAGED && marked &&")),
			Red:      "TestACallerThatSeesAnotherProcessesTombstoneDoesNotJoinALoadFromBeforeIt",
			Controls: tests("TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded"),
		},
		{
			Name: "tombstones-supersede-one-another-without-end", Package: policy,
			Instead:  "supersedes a load that began after the call, since the call saw another tombstone",
			Promise:  "Callers who saw different tombstones share a load that began after them.",
			Edits:    edits(edit("cacheaside/invalidate.go", "if number > c.earlier {", "if number > c.earlier && !SABOTAGED {")),
			Red:      "TestCallersWhoSawDifferentTombstonesShareALoadThatBeganAfterThem",
			Controls: tests("TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded"),
		},
		{
			Name: "invalidation-marked-once-only", Package: policy,
			Instead: "marks an invalidation before its tombstone is written and not after it",
			Promise: "What was seen between the first mark and the tombstone is not served after the invalidation.",
			Edits: edits(edit("cacheaside/invalidate.go", "\tregion.endings.invalidated(index)\n", `
				if !SABOTAGED {
					region.endings.invalidated(index)
				}
			`)),
			Red:      "TestAValueSeenBetweenTheFirstMarkAndTheTombstoneIsNotServedAfterTheInvalidation",
			Controls: tests("TestC110_ALoadThatBeganBeforeAnInvalidationIsAnsweredToItsCallersAndNotRecorded"),
		},
		{
			Name: "outage-forgets-an-invalidation", Package: policy,
			Instead: "records a load from before an invalidation where its lookup had failed",
			Promise: "A load that was invalidated during an outage is not recorded after it.",
			Edits: edits(edit("cacheaside/land.go",
				"refused := f.superseded || !r.reserveRecordLocked(f)",
				"refused := f.superseded && !SABOTAGED || !r.reserveRecordLocked(f)")),
			Red:      "TestALoadThatWasInvalidatedDuringAnOutageIsNotRecordedAfterIt",
			Controls: tests("TestC37_AfterAnUnavailableLookupCallersAreReleasedBeforeTheRecord"),
		},
		{
			Name: "second-lookup-answers-who-saw-something-newer", Package: policy,
			Instead:  "answers everybody who waits with what the second lookup of the leader found",
			Promise:  "Whoever saw a tombstone is not answered with what was looked up before it.",
			Edits:    edits(edit("cacheaside/fly.go", "if f.overtaken {", "if f.overtaken && !SABOTAGED {")),
			Red:      "TestACallerThatSeesATombstoneIsNotAnsweredWithWhatALeadersSecondLookupSawBeforeIt",
			Controls: tests("TestASecondLookupThatBeganAfterACallAnswersIt"),
		},
		{
			Name: "other-processes-tombstone-leaves-the-failure", Package: policy,
			Instead: "refuses a caller that saw a tombstone for a failure from before it",
			Promise: "A failure from before another process's tombstone refuses nobody who sees it.",
			Edits: edits(edit("cacheaside/invalidate.go",
				"if !c.overtakes(remembered.number,",
				"if SABOTAGED || !c.overtakes(remembered.number,")),
			Red:      "TestAFailureFromBeforeAnotherProcessesTombstoneRefusesNobodyWhoSeesIt",
			Controls: tests("TestATransientFailureIsRememberedForItsBackoffAndForgottenByItself"),
		},
	}
}
