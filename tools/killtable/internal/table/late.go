package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// lateRows are about results that come after their callers were let go.
func lateRows() []kit.Row {
	return []kit.Row{
		{
			Name: "late-result-recorded-after-an-invalidation", Package: policy,
			Instead:  "records a late result though the key was invalidated meanwhile",
			Promise:  "An overdue load is not recorded after an invalidation.",
			Edits:    edits(edit("cacheaside/load.go", "refused := f.superseded ||", "refused := f.superseded && !SABOTAGED ||")),
			Red:      "TestAnOverdueLoadIsNotRecordedAfterAnInvalidation",
			Controls: tests("TestALateResultIsRecordedAfterWhatDoesNotConcernItsKey"),
		},
		{
			Name: "late-result-recorded-over-a-newer-one", Package: policy,
			Instead:  "records a late result though a newer load of its key has recorded meanwhile",
			Promise:  "A late result undoes nothing that happened since.",
			Edits:    edits(edit("cacheaside/load.go", " f.outdated ||", " f.outdated && !SABOTAGED ||")),
			Red:      "TestALateResultIsDroppedAfterWhatHappenedSince",
			Controls: tests("TestALateResultIsRecordedAfterWhatDoesNotConcernItsKey"),
		},
		{
			Name: "late-result-recorded-after-a-close", Package: policy,
			Instead:  "records a late result into a region that was closed",
			Promise:  "A late result is dropped after a close.",
			Edits:    edits(edit("cacheaside/load.go", " r.state.closed ||", " r.state.closed && !SABOTAGED ||")),
			Red:      "TestALateResultIsDroppedAfterClose",
			Controls: tests("TestALateResultIsRecordedAfterWhatDoesNotConcernItsKey"),
		},
		{
			Name: "late-result-recorded-whenever-it-comes", Package: policy,
			Instead: "records a result however late it is",
			Promise: "A late result is recorded if it is at most one load deadline late.",
			Edits: edits(edit("cacheaside/load.go",
				"now.Sub(f.endedAt) > r.policy.LoadDeadline {",
				"now.Sub(f.endedAt) > r.policy.LoadDeadline && !SABOTAGED {")),
			Red:      "TestALateResultIsRecordedIfItIsAtMostOneDeadlineLateAndCountsFromTheEndOfItsDeadline",
			Controls: tests("TestAResultInTimeCountsFromItsRecord"),
		},
		{
			Name: "late-result-lives-from-its-record", Package: policy,
			Instead: "gives a late result a full life from the moment it is recorded",
			Promise: "The life of a late result counts from the end of its deadline.",
			Edits: edits(edit("cacheaside/load.go", "\tentry.LoadedAt = f.endedAt\n", `
				if !SABOTAGED {
					entry.LoadedAt = f.endedAt
				}
			`)),
			Red:      "TestALateResultIsRecordedIfItIsAtMostOneDeadlineLateAndCountsFromTheEndOfItsDeadline",
			Controls: tests("TestAResultInTimeCountsFromItsRecord"),
		},
	}
}
