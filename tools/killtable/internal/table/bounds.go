package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// boundRows are about what a region may hold, and about its permits.
func boundRows() []kit.Row {
	return []kit.Row{
		{
			Name: "waiter-bound-off-by-one", Package: policy,
			Instead: "lets one caller more wait than the policy says",
			Promise: "Exactly MaxWaitersPerKey callers wait beside the leader.",
			Edits: edits(edit("cacheaside/flight.go",
				"case f.waiters >= r.policy.MaxWaitersPerKey:",
				"case f.waiters >= r.policy.MaxWaitersPerKey && !(f.waiters == r.policy.MaxWaitersPerKey && SABOTAGED):")),
			Red:      "TestExactlyMaxWaitersPerKeyCallersWaitBesideTheLeader",
			Controls: tests("TestExactlyMaxInFlightKeysAreLoadedAtOnce"),
		},
		{
			Name: "key-bound-off-by-one", Package: policy,
			Instead: "lets one key more be loaded at once than the policy says",
			Promise: "Exactly MaxInFlightKeys keys are loaded at once.",
			Edits: edits(edit("cacheaside/flight.go",
				"if r.state.alive >= r.policy.MaxInFlightKeys {",
				"if r.state.alive >= r.policy.MaxInFlightKeys && !(r.state.alive == r.policy.MaxInFlightKeys && SABOTAGED) {")),
			Red:      "TestExactlyMaxInFlightKeysAreLoadedAtOnce",
			Controls: tests("TestExactlyMaxWaitersPerKeyCallersWaitBesideTheLeader"),
		},
		{
			Name: "waiters-place-never-free-again", Package: policy,
			Instead: "keeps the place of a waiter whose own deadline took it away",
			Promise: "The place of a waiter that left is free again.",
			Edits: edits(before("cacheaside/flight.go", "\t\tf.waiters--\n\t\tr.state.waiters--\n", `
				if SABOTAGED {
					return !f.known
				}
			`)),
			Red:      "TestC13_AWaiterWaitsNoLongerThanItsOwnDeadlineAndItsPlaceIsFreeAgain",
			Controls: tests("TestExactlyMaxWaitersPerKeyCallersWaitBesideTheLeader"),
		},
		{
			Name: "permit-taken-by-every-waiter", Package: policy,
			Instead: "takes a permit for every caller of a load and not for the load",
			Promise: "One load takes one permit, however many wait for it.",
			Edits: edits(before("cacheaside/await.go", "\trefresh, stop := r.refreshTimer(c)\n", `
				if as == roleWaiter && SABOTAGED {
					permit, err := r.bulkhead.Acquire(r.policy.AdmissionWait, nil)
					if err != nil {
						r.leave(f, as, false)
						return r.answer(ctx, c, f, r.refusal(r.rejected(ReasonAdmissionTimeout, nil)), true)
					}
					defer permit.Release()
				}
			`)),
			Red:      "TestWhoeverWaitsForALoadTakesNoPermit",
			Controls: tests("TestExactlyMaxInFlightKeysAreLoadedAtOnce"),
		},
		{
			Name: "permit-lost-between-grant-and-start", Package: policy,
			Instead: "forgets the permit of a load that everybody left between its grant and its start",
			Promise: "A permit is given back exactly once on every path, cancellation between grant and start included.",
			Edits: edits(edit("cacheaside/fly.go", "\tif !r.start(f) {\n\t\tpermit.Release()\n", `
				if !r.start(f) {
				if !SABOTAGED {
					permit.Release()
				}
			`)),
			Red:      "TestALoadThatEverybodyLeftFinishesAndFillsTheCacheAndOneThatHadNotStartedNeverDoes",
			Controls: tests("TestC23_AnAdmissionTimeoutNeverDestroysAPermit"),
		},
		{
			Name: "overdue-load-frees-its-permit", Package: policy,
			Instead: "gives the permit of a load back at its deadline, though its loader runs on",
			Promise: "A loader keeps its permit until it returns, so that no more run at once than there are permits.",
			Edits: edits(after("cacheaside/fly.go", "\t\tif r.release(f) {\n", `
				if SABOTAGED {
					permit.Release()
				}
			`)),
			Red:      "TestALoaderThatOutlivesItsDeadlineKeepsItsPermit",
			Controls: tests("TestALoaderThatNeverReturnsReleasesItsCallersAtTheDeadline"),
		},
		{
			Name: "overdue-loads-unbounded", Package: policy,
			Instead:  "starts a new load of a key however many of its older ones hang",
			Promise:  "A key whose loads hang holds MaxOverduePerKey permits and no more.",
			Edits:    edits(edit("cacheaside/state.go", "case running == nil:", "case running == nil, SABOTAGED:")),
			Red:      "TestAHungKeyThatIsAbandonedOverAndOverHoldsNoMoreThanItsPermits",
			Controls: tests("TestALoaderThatNeverReturnsReleasesItsCallersAtTheDeadline"),
			Says:     "want a rejection for Overdue",
		},
		{
			Name: "no-bound-while-the-cache-is-down", Package: policy,
			Instead: "goes straight to the source when the cache cannot be asked",
			Promise: "An outage of the cache never takes the bound off the source.",
			Edits: edits(edit("cacheaside/fly.go", "\tpermit, err := r.bulkhead.Acquire(r.policy.AdmissionWait, f.abandoned)\n", `
				permit, err := new(bulkhead.Permit), error(nil)
				if !(f.step.unavailable && SABOTAGED) {
					permit, err = r.bulkhead.Acquire(r.policy.AdmissionWait, f.abandoned)
				}
			`)),
			Red:      "TestAnOutageOfTheCacheRunsNoMoreLoadsThanThereArePermits",
			Controls: tests("TestTwoThousandColdKeysAtOnceLoadOnlyAsManyAsThePermitsAllow"),
		},
		{
			Name: "hanging-records-unbounded", Package: policy,
			Instead: "makes one record more for every load, however many hang in the store",
			Promise: "Records that hang in the store are bounded like everything else.",
			Edits: edits(edit("cacheaside/land.go",
				"if r.state.records >= 2*r.policy.MaxInFlightKeys {",
				"if r.state.records >= 2*r.policy.MaxInFlightKeys && !SABOTAGED {")),
			Red:      "TestRecordsThatHangAreBoundedLikeEverythingElse",
			Controls: tests("TestARecordThatOutlivesTheRecordWaitIsPendingAndGoesOn"),
			Says:     "100 records run",
		},
		{
			Name: "failures-remembered-without-end", Package: policy,
			Instead: "remembers a failure until its key is invalidated",
			Promise: "A transient failure is remembered for its backoff and forgotten by itself.",
			Edits: edits(edit("cacheaside/failure.go",
				"if r.state.failures[canonical] == remembered {",
				"if r.state.failures[canonical] == remembered && !SABOTAGED {")),
			Red:      "TestATransientFailureIsRememberedForItsBackoffAndForgottenByItself",
			Controls: tests("TestOnlyATransientFailureIsRemembered"),
		},
		{
			Name: "failures-of-any-number-of-keys-remembered", Package: policy,
			Instead: "remembers the failures of as many keys as there are",
			Promise: "At most MaxInFlightKeys failures are remembered.",
			Edits: edits(edit("cacheaside/failure.go",
				"if len(r.state.failures) >= r.policy.MaxInFlightKeys {",
				"if len(r.state.failures) >= r.policy.MaxInFlightKeys && !SABOTAGED {")),
			Red:      "TestNoMoreFailuresAreRememberedThanKeysMayBeLoadedAtOnce",
			Controls: tests("TestOnlyATransientFailureIsRemembered"),
		},
		{
			Name: "abandoned-second-lookup-not-counted", Package: policy,
			Instead: "frees the place of a flight that everybody left while its second lookup is still on",
			Promise: "Callers who leave at once make no more lookups than there may be flights.",
			Edits: edits(edit("cacheaside/flight.go",
				"if !f.looking {",
				"if !f.looking || SABOTAGED {"), edit("cacheaside/flight.go",
				"if f.looking && f.over && !f.published {",
				"if f.looking && f.over && !f.published && !SABOTAGED {")),
			Red:      "TestCallersWhoLeaveDuringTheSecondLookupDoNotMakeMoreOfThemThanTheBound",
			Controls: tests("TestExactlyMaxInFlightKeysAreLoadedAtOnce"),
		},
	}
}
