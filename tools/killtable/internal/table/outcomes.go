package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// outcomeRows are about what an outcome of the source means.
func outcomeRows() []kit.Row {
	return []kit.Row{
		{
			Name: "transient-failure-recorded-as-absence", Package: policy,
			Instead: "records a negative entry when the source fails, to spare it the next calls",
			Promise: "Only the source's authoritative word that there is no value is recorded as negative.",
			Edits: edits(
				after("cacheaside/ending.go", "return e.status == StatusLoaded || e.status == StatusAbsent", " || e.remember && SABOTAGED"),
				edit("cacheaside/land.go",
					"Negative: result.status == StatusAbsent,",
					"Negative: result.status == StatusAbsent || result.remember && SABOTAGED,")),
			Red:      "TestC53_OnlyAuthoritativeAbsenceIsRecordedAsNegative",
			Controls: tests("TestAGoodLoadIsRecordedUnderTheConditionThatItsLookupJustified"),
		},
		{
			Name: "cancellation-recorded-as-absence", Package: policy,
			Instead: "takes a load that was given up for a value that is not there",
			Promise: "A cancelled load says nothing about the value and is never recorded.",
			Edits: edits(after("cacheaside/ending.go", "case outcomeCancelled:\n", `
				if SABOTAGED {
					return ending[V]{status: StatusAbsent, err: r.absent("cancelled", false)}
				}
			`)),
			Red:      "TestC53_OnlyAuthoritativeAbsenceIsRecordedAsNegative",
			Controls: tests("TestAGoodLoadIsRecordedUnderTheConditionThatItsLookupJustified"),
		},
		{
			Name: "every-failure-remembered", Package: policy,
			Instead: "remembers every failure for the backoff, permanent and unclassified ones too",
			Promise: "Only a classified transient failure is remembered.",
			Edits: edits(edit("cacheaside/land.go",
				"if result.remember && !f.superseded {",
				"if (result.remember || result.status == StatusFailed && SABOTAGED) && !f.superseded {")),
			Red:      "TestOnlyATransientFailureIsRemembered",
			Controls: tests("TestATransientFailureIsRememberedForItsBackoffAndForgottenByItself"),
		},
		{
			Name: "value-lost-with-its-record", Package: policy,
			Instead: "answers with the record's error when a good load could not be recorded",
			Promise: "A value in hand is answered whatever became of its record.",
			Edits: edits(after("cacheaside/land.go", "result.record = recorded\n", `
				if recorded.Certainty != RecordApplied && SABOTAGED {
					result = ending[V]{status: StatusFailed, err: recorded.Err}
				}
			`)),
			Red:      "TestAValueInHandIsReturnedWhateverBecameOfItsRecord",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "echo-of-the-deadline-told-as-the-sources-own", Package: policy,
			Instead:  "hands on the error that a driver gives when the library ends its load",
			Promise:  "From the load deadline on an outcome that means nothing is the deadline, whichever came first by a hair.",
			Edits:    edits(edit("cacheaside/ending.go", "if late && (outcome.kind", "if late && !SABOTAGED && (outcome.kind")),
			Red:      "TestAnOutcomeThatMeansNothingIsTheDeadlineFromTheDeadlineOn",
			Controls: tests("TestALoaderThatNeverReturnsReleasesItsCallersAtTheDeadline"),
		},
		{
			Name: "contradicting-rules-take-the-first", Package: policy,
			Instead:  "takes the first rule that matches an error, though another says something else",
			Promise:  "An error that matches more than one kind is unclassified.",
			Edits:    edits(edit("cacheaside/classify.go", "if len(found) != 1 {", "if len(found) == 0 || len(found) > 1 && !SABOTAGED {")),
			Red:      "TestARepositoryReadIsClassifiedByMarksThenByRules",
			Controls: tests("TestANilValueWithoutARuleIsUnclassified"),
		},
		{
			Name: "nil-taken-for-a-value", Package: policy,
			Instead:  "caches the nil that a repository returns beside a nil error",
			Promise:  "A nil value that no rule explains is unclassified.",
			Edits:    edits(edit("cacheaside/classify.go", "} else if isNil(value) {", "} else if isNil(value) && !SABOTAGED {")),
			Red:      "TestANilValueWithoutARuleIsUnclassified",
			Controls: tests("TestANilPointerHandedToLoadedIsALegalValue"),
		},
		{
			Name: "panic-swallowed-as-success", Package: policy,
			Instead: "recovers a loader's panic and goes on with the zero value",
			Promise: "A panic of the loader comes out in every waiting caller's own goroutine.",
			Edits: edits(after("cacheaside/load.go", "outcome = panicOutcome[V](newLoaderPanic(thrown))\n", `
				if SABOTAGED {
					outcome = SourceOutcome[V]{kind: outcomeLoaded}
				}
			`)),
			Red:      "TestFiftyCallersOfALoaderThatThrowsAllEndInTheirOwnGoroutines",
			Controls: tests("TestC03_AnExitOfTheLoaderLeavesNobodyWaiting"),
		},
		{
			Name: "cleanup-after-the-loader-and-not-deferred", Package: policy,
			Instead: "cleans up on the line after the loader's call, which a Goexit never reaches",
			Promise: "A loader that exits its goroutine leaves nobody waiting and no permit out.",
			Edits: edits(before("cacheaside/load.go", "\tdefer func() { r.loaderEnded(f, permit, outcome) }()\n", `
				if SABOTAGED {
					outcome = r.callLoader(f)
					r.loaderEnded(f, permit, outcome)
					return
				}
			`)),
			Red:      "TestC03_AnExitOfTheLoaderLeavesNobodyWaiting",
			Controls: tests("TestC01_APanicPoisonsNoKeyAndLosesNoPermit"),
		},
		{
			Name: "negative-hit-asks-the-source-again", Package: policy,
			Instead: "treats a recorded absence as a miss",
			Promise: "A recorded absence is an answer: the source is not called.",
			Edits: edits(after("cacheaside/decide.go", "case LookupNegative:\n", `
				if SABOTAGED {
					return step{action: actionLoad, write: true}
				}
			`)),
			Red:      "TestFreshAndNegativeHitsCallNeitherSourceNorRecordNorStartAGoroutine",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "observed-entry-filled-only-if-absent", Package: policy,
			Instead: "forgets what the lookup observed and fills every key only if it is absent",
			Promise: "What was observed is replaced on the condition that it is still there.",
			Edits: edits(before("cacheaside/flight.go", "\treturn Condition{Observation: seen}\n", `
				if SABOTAGED {
					return Condition{}
				}
			`)),
			Red:      "TestAGoodLoadIsRecordedUnderTheConditionThatItsLookupJustified",
			Controls: tests("TestAValueInHandIsReturnedWhateverBecameOfItsRecord"),
		},
	}
}
