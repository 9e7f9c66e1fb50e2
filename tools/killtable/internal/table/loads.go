package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// loadRows are about what a load runs on and when it ends.
func loadRows() []kit.Row {
	return []kit.Row{
		{
			Name: "deadline-left-to-the-loader", Package: policy,
			Instead: "trusts every loader to heed its context and waits for it",
			Promise: "A loader that never returns lets its callers go at the load deadline.",
			Edits: edits(after("cacheaside/fly.go", "\tcase <-f.context.Done():\n", `
				if SABOTAGED {
					<-f.returned
				}
			`)),
			Red:      "TestALoaderThatNeverReturnsReleasesItsCallersAtTheDeadline",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
			Hangs:    true,
		},
		{
			Name: "load-told-of-its-end-as-cancelled", Package: policy,
			Instead: "ends every load with context.Canceled, so that drivers cannot tell a timeout",
			Promise: "A load context ends at its deadline with context.DeadlineExceeded.",
			Edits: edits(edit("cacheaside/loadcontext.go",
				"if reason == ReasonLoadDeadline {",
				"if reason == ReasonLoadDeadline && !SABOTAGED {")),
			Red:      "TestTheLoadContextEndsAtTheDeadlineWithDeadlineExceededAsDoTheContextsDerivedFromIt",
			Controls: tests("TestALoadSeesTheValuesOfItsFirstCallerOrWhatTheHookGivesAndNoCancellation"),
		},
		{
			Name: "virtual-deadline-told-to-drivers", Package: policy,
			Instead:  "tells a loader its deadline on a clock that nobody else has",
			Promise:  "A load context tells its deadline on the real clock only.",
			Edits:    edits(edit("cacheaside/fly.go", "if r.realClock {", "if r.realClock || SABOTAGED {")),
			Red:      "TestTheLoadContextTellsItsDeadlineOnTheRealClockOnly",
			Controls: tests("TestTheLoadContextEndsAtTheDeadlineWithDeadlineExceededAsDoTheContextsDerivedFromIt"),
		},
		{
			Name: "load-context-never-ended", Package: policy,
			Instead: "leaves the context of a load that has returned open",
			Promise: "A helper of a loader that waits for its context ends when the loader returns.",
			Edits: edits(edit("cacheaside/load.go", "f.context.end(0)", `
				if !SABOTAGED {
					f.context.end(0)
				}
			`)),
			Red:      "TestAHelperOfALoaderThatWaitsForItsContextEndsWhenTheLoaderReturns",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
			Hangs:    true,
		},
		{
			Name: "abandoned-load-runs-on", Package: policy,
			Instead: "lets a load that nobody waits for run on though the policy says otherwise",
			Promise: "Under CancelAbandoned a load is cancelled when its last caller leaves.",
			Edits: edits(edit("cacheaside/flight.go",
				"case !f.known && r.policy.CancelAbandoned:",
				"case !f.known && r.policy.CancelAbandoned && !SABOTAGED:")),
			Red:      "TestAnAbandonedLoadIsCancelledWhenTheLastCallerLeavesAndNotBefore",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "caller-cancelled-with-its-value-in-hand", Package: policy,
			Instead:  "tells a caller that leaves while its value is being recorded that it was cancelled",
			Promise:  "A caller that leaves after the loader returned gets the value.",
			Edits:    edits(edit("cacheaside/flight.go", "if f.known {", "if f.known && !SABOTAGED {")),
			Red:      "TestACallerThatLeavesRightAfterTheLoaderReturnedGetsTheValue",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "record-awaited-after-an-outage", Package: policy,
			Instead:  "lets callers wait for the record though the lookup has cost them a time limit already",
			Promise:  "After a lookup that failed, callers are let go before the record.",
			Edits:    edits(edit("cacheaside/land.go", "if f.step.unavailable {", "if f.step.unavailable && !SABOTAGED {")),
			Red:      "TestC37_AfterAnUnavailableLookupCallersAreReleasedBeforeTheRecord",
			Controls: tests("TestARecordThatOutlivesTheRecordWaitIsPendingAndGoesOn"),
		},
		{
			Name: "load-started-after-a-close", Package: policy,
			Instead:  "goes on starting loads in a closed region",
			Promise:  "A closed region serves hits and refuses loads.",
			Edits:    edits(edit("cacheaside/flight.go", "if r.state.closed {", "if r.state.closed && !SABOTAGED {")),
			Red:      "TestCloseRefusesLoadsServesHitsAndWaitsForRunningLoads",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "panic-of-the-cache-thrown-at-the-caller", Package: policy,
			Instead: "lets a panic of the cache out at whoever reads",
			Promise: "A cache that panics is an unavailable cache.",
			Edits: edits(before("cacheaside/port.go", "found = Lookup[V]{Kind: LookupUnavailable, Err: ErrCachePanicked}", `
				if SABOTAGED {
					panic(thrown)
				}
			`)),
			Red:      "TestACacheThatPanicsIsAnUnavailableCache",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "close-that-does-not-wait", Package: policy,
			Instead: "closes the region and returns while its loads are running",
			Promise: "Close waits for the running loads.",
			Edits: edits(before("cacheaside/close.go", "\tselect {\n\tcase <-r.state.idle:\n\t\treturn nil\n\tcase <-ctx.Done():\n", `
				if SABOTAGED {
					return nil
				}
			`)),
			Red:      "TestCloseRefusesLoadsServesHitsAndWaitsForRunningLoads",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
			Says:     "Close did not wait",
		},
		{
			Name: "queued-load-started-after-a-close", Package: policy,
			Instead: "leaves a load that waits for its permit in the queue of a closed region",
			Promise: "No queued load starts after a close whose time is up.",
			Edits: edits(before("cacheaside/close.go", "r.publishLocked(", `
				if SABOTAGED {
					return
				}
			`)),
			Red:      "TestNoQueuedLoadStartsAfterACloseWhoseTimeIsUp",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "nothing-recorded-after-an-outage", Package: policy,
			Instead: "makes no record after an outage of the lookup, since nobody waits for it",
			Promise: "After an outage one record follows, so that the cache fills again.",
			Edits: edits(before("cacheaside/land.go", "recorded, took := r.record(f, entryOf(f, result))\n\tr.tellRecord(recorded, took, true)", `
				if SABOTAGED {
					return
				}
			`)),
			Red:      "TestC37_AfterAnUnavailableLookupCallersAreReleasedBeforeTheRecord",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
			Hangs:    true,
		},
	}
}
