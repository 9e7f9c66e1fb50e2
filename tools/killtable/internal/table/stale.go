package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// staleRows are about when an old value may be answered.
func staleRows() []kit.Row {
	return []kit.Row{
		{
			Name: "unclassified-error-served-stale", Package: policy,
			Instead: "answers the stale value for any error of the source",
			Promise: "An error that nobody has classified is never hidden behind a stale value.",
			Edits: edits(edit("cacheaside/ending.go", "return ending[V]{status: StatusFailed, err: outcome.err}\n", `
				e := ending[V]{status: StatusFailed, err: outcome.err}
				if SABOTAGED {
					e.excuse = excuseTransient
				}
				return e
			`)),
			Red:      "TestByDefaultOnlyAClassifiedTransientFailureIsAnsweredStale",
			Controls: tests("TestStaleIsNotServedForATransientFailureThePolicyDoesNotName"),
		},
		{
			Name: "permanent-failure-served-stale", Package: policy,
			Instead: "answers the stale value when the source has refused for good",
			Promise: "A permanent failure is never answered stale.",
			Edits: edits(after("cacheaside/ending.go", "case outcomePermanent:\n", `
				if SABOTAGED {
					return ending[V]{status: StatusFailed, err: &SourceError{Region: r.name, Code: outcome.code, Cause: outcome.err}, excuse: excuseTransient}
				}
			`)),
			Red:      "TestByDefaultOnlyAClassifiedTransientFailureIsAnsweredStale",
			Controls: tests("TestStaleIsNotServedForATransientFailureThePolicyDoesNotName"),
		},
		{
			Name: "panic-served-stale", Package: policy,
			Instead: "answers the stale value when the loader panicked",
			Promise: "A loader that throws is never hidden behind a stale value.",
			Edits: edits(edit("cacheaside/ending.go", "return ending[V]{status: StatusFailed, err: panicked, panicked: panicked}\n", `
				e := ending[V]{status: StatusFailed, err: panicked, panicked: panicked}
				if SABOTAGED {
					e.excuse = excuseTransient
				}
				return e
			`)),
			Red:      "TestAThrowingLoaderIsNeverAnsweredFromAStaleValueAndNeverRemembered",
			Controls: tests("TestStaleEndsAtTheHardExpiryToTheMillisecondHoweverLongTheLoadTook"),
		},
		{
			Name: "stale-at-the-very-hard-expiry", Package: policy,
			Instead: "compares with <= where the stale value's time is up",
			Promise: "A stale value is answered strictly before its hard expiry.",
			Edits: edits(edit("cacheaside/stale.go",
				"return c.step.retain && r.clock.Now().Before(c.found.HardExpiresAt)",
				"return c.step.retain && (r.clock.Now().Before(c.found.HardExpiresAt) || SABOTAGED && r.clock.Now().Equal(c.found.HardExpiresAt))")),
			Red:      "TestStaleEndsAtTheHardExpiryToTheMillisecondHoweverLongTheLoadTook",
			Controls: tests("TestByDefaultOnlyAClassifiedTransientFailureIsAnsweredStale"),
		},
		{
			Name: "stale-answered-past-its-hard-expiry", Package: policy,
			Instead:  "judges a stale value when it is looked up and not when it is answered",
			Promise:  "A value that expires while its refresh is on is not answered any more.",
			Edits:    edits(edit("cacheaside/stale.go", "if !r.answerable(c) {", "if !r.answerable(c) && !(c.step.retain && SABOTAGED) {")),
			Red:      "TestStaleEndsAtTheHardExpiryToTheMillisecondHoweverLongTheLoadTook",
			Controls: tests("TestByDefaultOnlyAClassifiedTransientFailureIsAnsweredStale"),
		},
		{
			Name: "one-rule-for-all-trouble", Package: policy,
			Instead: "answers stale for every trouble once one of the rules is on",
			Promise: "Each stale rule opts in to its own trouble and to no other.",
			Edits: edits(after("cacheaside/stale.go", "func (s StaleRules) accept(e excuse) bool {\n", `
				if SABOTAGED && e != excuseNone {
					return s.OnTransient || s.OnRejected || s.OnDeadline
				}
			`)),
			Red:      "TestC47_EachStaleRuleOptsInToItsOwnBoundsAndNoOther",
			Controls: tests("TestStaleEndsAtTheHardExpiryToTheMillisecondHoweverLongTheLoadTook"),
		},
		{
			Name: "reentrant-call-excused-by-a-stale-value", Package: policy,
			Instead: "counts a re-entrant call among the bounds that a stale value answers for",
			Promise: "A fault of the program is not hidden behind a stale value.",
			Edits: edits(after("cacheaside/stale.go", "case ReasonReentrant, ReasonRefreshPending:\n", `
				if SABOTAGED {
					return excuseRejected
				}
			`)),
			Red:      "TestAReentrantGetIsNotExcusedByAStaleValue",
			Controls: tests("TestAGetOfAKeyFromInsideItsOwnLoadIsRefusedAtOnce"),
		},
		{
			Name: "stale-value-refreshed-once-a-request", Package: policy,
			Instead: "starts a refresh for every caller that finds a stale value",
			Promise: "A stale value is refreshed through one flight, whoever asks.",
			Edits: edits(edit("cacheaside/flight.go",
				"f != nil && !r.overtakenLocked(f, c) {",
				"f != nil && !(c.step.retain && SABOTAGED) && !r.overtakenLocked(f, c) {")),
			Red:      "TestCallersWithAStaleValueShareOneRefresh",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "stale-value-from-before-an-invalidation", Package: policy,
			Instead: "answers the value that it retained without asking whether the key was invalidated meanwhile",
			Promise: "A stale value from before an invalidation is not answered after it.",
			Edits: edits(edit("cacheaside/stale.go",
				"if c.step.retain && r.endings.invalidatedSince(c.index, c.seen) {",
				"if c.step.retain && !SABOTAGED && r.endings.invalidatedSince(c.index, c.seen) {")),
			Red:      "TestAStaleValueFromBeforeAnInvalidationIsNotServedAfterIt",
			Controls: tests("TestByDefaultOnlyAClassifiedTransientFailureIsAnsweredStale"),
		},
		{
			Name: "refresh-abandoned-by-who-took-the-stale-value", Package: policy,
			Instead:  "cancels the refresh when the caller that started it has taken its stale value and gone",
			Promise:  "A refresh that somebody took a stale value for goes on without callers.",
			Edits:    edits(edit("cacheaside/flight.go", "f.wanted = f.wanted || refreshing", "f.wanted = f.wanted || refreshing && !SABOTAGED")),
			Red:      "TestTheRefreshWaitAnswersStaleWhileTheRefreshGoesOnAndIsRecorded",
			Controls: tests("TestAnAbandonedLoadIsCancelledWhenTheLastCallerLeavesAndNotBefore"),
		},
		{
			Name: "refresh-wait-ignored", Package: policy,
			Instead:  "lets a caller with a stale value wait as long as its refresh takes",
			Promise:  "A caller waits for its refresh for RefreshWait and takes its stale value then.",
			Edits:    edits(edit("cacheaside/await.go", "if !c.step.retain || r.policy", "if !c.step.retain || SABOTAGED || r.policy")),
			Red:      "TestTheRefreshWaitAnswersStaleWhileTheRefreshGoesOnAndIsRecorded",
			Controls: tests("TestARefreshThatEndsWithinTheRefreshWaitIsTheAnswer"),
		},
		{
			Name: "invalidation-during-the-second-look-missed", Package: policy,
			Instead: "notes which invalidations it has seen after it has looked again, and not before",
			Promise: "An invalidation during the second lookup of a stale value is not missed.",
			Edits: edits(after("cacheaside/stale.go", "\tfound := r.lookup(ctx, c.key)\n", `
				if SABOTAGED {
					seen = r.endings.seen(c.index)
				}
			`)),
			Red:      "TestAnInvalidationDuringTheSecondLookupOfAStaleValueIsNotMissed",
			Controls: tests("TestAStaleValueInvalidatedMeanwhileIsAnsweredAsASecondLookupSays"),
		},
	}
}
