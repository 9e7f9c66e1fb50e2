package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// flightRows are about who shares a load with whom, and what is left of it.
func flightRows() []kit.Row {
	return []kit.Row{
		{
			Name: "leaders-error-not-shared", Package: policy,
			Instead: "lets every waiter load again, one after the other, when its leader's load failed",
			Promise: "One failure ends every waiter of its flight.",
			Edits: edits(after("cacheaside/await.go", "\t\tcase <-f.done:\n", `
				if as != roleLeader && f.ending.status == StatusFailed && SABOTAGED {
					return r.source(ctx, c)
				}
			`)),
			Red:      "TestC06_WaitersShareTheFailureOfTheirLoadAsItIs",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "flight-kept-after-a-panic", Package: policy,
			Instead:  "removes a flight's entry only where the load returned",
			Promise:  "A panic poisons no key.",
			Edits:    edits(edit("cacheaside/land.go", "if !f.overdue {", "if !f.overdue && !(result.panicked != nil && SABOTAGED) {")),
			Red:      "TestC01_APanicPoisonsNoKeyAndLosesNoPermit",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "flight-kept-after-everybody-left-it", Package: policy,
			Instead: "leaves the entry of a load that nobody waits for, and that never started, for the next caller to find",
			Promise: "A caller that left runs no load, and its key can be read at once.",
			Edits: edits(edit("cacheaside/flight.go", "\t\tf.over = true\n\t\tr.forgetLocked(f)\n", `
				f.over = true
				if !SABOTAGED {
					r.forgetLocked(f)
				}
			`)),
			Red:      "TestALoadThatEverybodyLeftFinishesAndFillsTheCacheAndOneThatHadNotStartedNeverDoes",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
			Hangs:    true,
		},
		{
			Name: "dying-load-joined", Package: policy,
			Instead: "cancels an abandoned load and leaves its entry until the loader has returned",
			Promise: "The caller after an abandoned load starts a load of its own.",
			Edits: edits(after("cacheaside/flight.go", "\tf.endedAt = r.clock.Now()\n\tr.state.alive--\n\tr.detachLocked(f)\n", `
				if SABOTAGED {
					r.state.flights[f.canonical] = f
				}
			`)),
			Red:      "TestTheCallerAfterAnAbandonedLoadStartsALoadOfItsOwn",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
			Hangs:    true,
		},
		{
			Name: "flight-forgotten-by-its-key", Package: policy,
			Instead: "removes whatever flight the key has when an old one ends, as Forget with a bare key does",
			Promise: "An old flight that ends does not take a newer one of its key along.",
			Edits: edits(edit("cacheaside/state.go",
				"func (r *Region[K, V]) forgetLocked(f *flight[K, V]) {\n\tif r.state.flights[f.canonical] == f {", `
				func (r *Region[K, V]) forgetLocked(f *flight[K, V]) {
					if r.state.flights[f.canonical] == f || SABOTAGED {
			`)),
			Red:      "TestAnOldFlightThatEndsDoesNotTakeANewerOneOfItsKeyAlong",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "flights-named-by-the-bare-key", Package: policy,
			Instead: "hands singleflight the key itself, so that a new flight joins the old one of its key",
			Promise: "A flight's name is its own, so that nothing that belongs to an old one touches a newer one.",
			Edits: edits(after("cacheaside/state.go", "\tr.state.sequence++\n", `
				if SABOTAGED {
					return canonical
				}
			`)),
			Red:      "TestAnOldFlightThatEndsDoesNotTakeANewerOneOfItsKeyAlong",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
			Hangs:    true,
		},
		{
			Name: "leaders-cancel-cancels-all", Package: policy,
			Instead: "runs the load on the context of the caller that started it",
			Promise: "One caller's cancellation touches that caller alone.",
			Edits: edits(
				before("cacheaside/get.go", "return context.WithoutCancel(values)", `
				if SABOTAGED {
					return values
				}
			`),
				after("cacheaside/load.go", "outcome = f.load(", "withLeader(SABOTAGED, f.values, "),
				edit("cacheaside/load.go", "f.context, f.key)", "f.context), f.key)")),
			Files: []kit.File{{Path: "cacheaside/killtable_leader.go", Text: `package cacheaside

import "context"

func withLeader(on bool, leader context.Context, load *loadContext) context.Context {
	if !on {
		return load
	}
	both, cancel := context.WithCancel(load)
	context.AfterFunc(leader, cancel)
	return both
}
`}},
			Red:      "TestC10_ALeaderWhoCancelsFailsNobodyElse",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "second-lookup-skipped", Package: policy,
			Instead: "loads on the word of a lookup that a flight has overtaken since",
			Promise: "A leader whose lookup is from before the end of another flight of its key looks again.",
			Edits: edits(edit("cacheaside/flight.go",
				"recheck: r.endings.anySince(c.index, c.seen),",
				"recheck: r.endings.anySince(c.index, c.seen) && !SABOTAGED,")),
			Red:      "TestC08_ACallerWhoMissedBeforeTheLeadersRecordLooksAgain",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "reentrant-call-waits-for-itself", Package: policy,
			Instead:  "lets a loader's call of its own key join the flight that waits for it",
			Promise:  "A call of a key from inside its own load is refused at once.",
			Edits:    edits(edit("cacheaside/get.go", "c.chain.holds(r, c.canonical) {", "c.chain.holds(r, c.canonical) && !SABOTAGED {")),
			Red:      "TestAGetOfAKeyFromInsideItsOwnLoadIsRefusedAtOnce",
			Controls: tests("TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"),
		},
		{
			Name: "clone-for-the-leader-alone", Package: policy,
			Instead:  "hands all waiters the leader's copy of a shared value",
			Promise:  "Clone gives each caller of a shared load its own copy.",
			Edits:    edits(edit("cacheaside/await.go", "if r.clone != nil {", "if r.clone != nil && !(shared && SABOTAGED) {")),
			Red:      "TestC73_ASharedValueIsReadOnlyAndCloneGivesEachCallerItsOwn",
			Controls: tests("TestC09_ACallerWithADifferentLoaderGetsTheSharedOutcomeAndSeesThatItIsShared"),
		},
	}
}
