package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// loadRows are about what a load runs on and when it ends.
func loadRows() []kit.Row {
	return []kit.Row{
		{
			Name: "deadline-left-to-the-loader", Package: policy,
			Instead:  "trusts every loader to heed its context and waits for it",
			Promise:  "A loader that never returns lets its callers go at the load deadline.",
			Edits:    edits(edit("cacheaside/fly.go", "	case <-f.context.Done():\n", "	case <-f.context.Done():\n\t\tif SABOTAGED {\n\t\t\t<-f.returned\n\t\t}\n")),
			Red:      "TestALoaderThatNeverReturnsReleasesItsCallersAtTheDeadline",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
			Hangs:    true,
		},
		{
			Name: "load-told-of-its-end-as-cancelled", Package: policy,
			Instead:  "ends every load with context.Canceled, so that drivers cannot tell a timeout",
			Promise:  "A load context ends at its deadline with context.DeadlineExceeded.",
			Edits:    edits(edit("cacheaside/loadcontext.go", "	if reason == ReasonLoadDeadline {\n", "	if reason == ReasonLoadDeadline && !SABOTAGED {\n")),
			Red:      "TestTheLoadContextEndsAtTheDeadlineWithDeadlineExceededAsDoTheContextsDerivedFromIt",
			Controls: tests("TestALoadSeesTheValuesOfItsFirstCallerOrWhatTheHookGivesAndNoCancellation"),
		},
		{
			Name: "virtual-deadline-told-to-drivers", Package: policy,
			Instead:  "tells a loader its deadline on a clock that nobody else has",
			Promise:  "A load context tells its deadline on the real clock only.",
			Edits:    edits(edit("cacheaside/fly.go", "	if r.realClock {\n", "	if r.realClock || SABOTAGED {\n")),
			Red:      "TestTheLoadContextTellsItsDeadlineOnTheRealClockOnly",
			Controls: tests("TestTheLoadContextEndsAtTheDeadlineWithDeadlineExceededAsDoTheContextsDerivedFromIt"),
		},
		{
			Name: "load-context-never-ended", Package: policy,
			Instead:  "leaves the context of a load that has returned open",
			Promise:  "A helper of a loader that waits for its context ends when the loader returns.",
			Edits:    edits(edit("cacheaside/load.go", "	f.context.end(0) //", "	if !SABOTAGED {\n\t\tf.context.end(0)\n\t}\n	//")),
			Red:      "TestAHelperOfALoaderThatWaitsForItsContextEndsWhenTheLoaderReturns",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
			Hangs:    true,
		},
		{
			Name: "abandoned-load-runs-on", Package: policy,
			Instead:  "lets a load that nobody waits for run on though the policy says otherwise",
			Promise:  "Under CancelAbandoned a load is cancelled when its last caller leaves.",
			Edits:    edits(edit("cacheaside/flight.go", "	case !f.known && r.policy.CancelAbandoned:\n", "	case !f.known && r.policy.CancelAbandoned && !SABOTAGED:\n")),
			Red:      "TestAnAbandonedLoadIsCancelledWhenTheLastCallerLeavesAndNotBefore",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "caller-cancelled-with-its-value-in-hand", Package: policy,
			Instead:  "tells a caller that leaves while its value is being recorded that it was cancelled",
			Promise:  "A caller that leaves after the loader returned gets the value.",
			Edits:    edits(edit("cacheaside/flight.go", "	if f.known {\n", "	if f.known && !SABOTAGED {\n")),
			Red:      "TestACallerThatLeavesRightAfterTheLoaderReturnedGetsTheValue",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "record-awaited-after-an-outage", Package: policy,
			Instead:  "lets callers wait for the record though the lookup has cost them a time limit already",
			Promise:  "After a lookup that failed, callers are let go before the record.",
			Edits:    edits(edit("cacheaside/land.go", "	if f.step.unavailable {\n\t\tr.landUnavailable", "	if f.step.unavailable && !SABOTAGED {\n\t\tr.landUnavailable")),
			Red:      "TestC37_AfterAnUnavailableLookupCallersAreReleasedBeforeTheRecord",
			Controls: tests("TestARecordThatOutlivesTheRecordWaitIsPendingAndGoesOn"),
		},
		{
			Name: "load-started-after-a-close", Package: policy,
			Instead:  "goes on starting loads in a closed region",
			Promise:  "A closed region serves hits and refuses loads.",
			Edits:    edits(edit("cacheaside/flight.go", "	if r.state.closed {\n", "	if r.state.closed && !SABOTAGED {\n")),
			Red:      "TestCloseRefusesLoadsServesHitsAndWaitsForRunningLoads",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
	}
}
