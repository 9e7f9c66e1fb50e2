package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

const (
	filledAlone    = "TestAThousandCallersOfOneColdKeyCallTheLoaderOnce"
	grantsReturned = "A grant under which nothing is stored is given back, so that one failure does not hold back the fleet for the lease."
)

// grantRows are about what a load of a fleet does with its grant.
func grantRows() []kit.Row {
	return []kit.Row{
		{
			Name: "ungranted-load-recorded", Package: policy,
			Instead: "stores what it loaded without a grant, since it has it anyway",
			Promise: "What is loaded without a grant is answered and never stored.",
			Edits: edits(edit("cacheaside/coordinate.go",
				"(r.fencer == nil || f.granted)", "(r.fencer == nil || f.granted || SABOTAGED)")),
			Red:      "TestALoadWithoutAGrantIsAnsweredAndNeverStored",
			Controls: tests(filledAlone),
		},
		{
			Name: "grant-kept-after-a-failed-load", Package: policy,
			Instead:  "lets the grant of a failed load run out by itself",
			Promise:  grantsReturned,
			Edits:    edits(edit("cacheaside/coordinate.go", "due := f.owing &&", "due := f.owing && !(f.ending.err != nil && f.ending.panicked == nil && f.back && SABOTAGED) &&")),
			Red:      "TestAFailedLoadGivesItsGrantBack",
			Controls: tests("TestALoadThatPanickedGivesItsGrantBack"),
		},
		{
			Name: "grant-kept-after-an-admission-timeout", Package: policy,
			Instead:  "gives the grant back behind its loader alone, which never ran",
			Promise:  grantsReturned,
			Edits:    edits(edit("cacheaside/coordinate.go", "(!f.started ||", "(!f.started && !SABOTAGED ||")),
			Red:      "TestAnAdmissionTimeoutGivesTheGrantBack",
			Controls: tests("TestAFailedLoadGivesItsGrantBack"),
		},
		{
			Name: "grant-kept-after-a-panic", Package: policy,
			Instead: "forgets the grant of a load that panicked",
			Promise: grantsReturned,
			Edits: edits(before("cacheaside/coordinate.go", "\tif !due {\n", `
				if f.ending.panicked != nil && SABOTAGED {
					due = false
				}
			`)),
			Red:      "TestALoadThatPanickedGivesItsGrantBack",
			Controls: tests("TestAFailedLoadGivesItsGrantBack"),
		},
		{
			Name: "grant-kept-that-may-have-been-given", Package: policy,
			Instead:  "gives back what it knows it was granted, and nothing where the answer was lost",
			Promise:  "A grant that may have been given is given back by its request.",
			Edits:    edits(edit("cacheaside/coordinate.go", "f.owing = Fence{Request: request}, true", "f.owing = Fence{Request: request}, !SABOTAGED")),
			Red:      "TestAGrantThatMayHaveBeenGivenIsGivenBackByItsRequest",
			Controls: tests("TestAFailedLoadGivesItsGrantBack"),
		},
		{
			Name: "grant-given-back-under-a-running-loader", Package: policy,
			Instead:  "gives the grant back at the load's deadline, though its loader runs on",
			Promise:  "A loader that outlives its deadline keeps the grant until it returns: it may yet bring a result.",
			Edits:    edits(edit("cacheaside/coordinate.go", "f.back && f.late == recordedLate)", "f.back && f.late == recordedLate || SABOTAGED)")),
			Red:      "TestAGrantIsKeptForALoaderThatOutlivesItsDeadline",
			Controls: tests("TestAFailedLoadGivesItsGrantBack"),
			Says:     "a grant was given back 1 times, want 0",
		},
		{
			Name: "filled-key-not-looked-up-again", Package: policy,
			Instead: "loads a key that another process has just filled",
			Promise: "Where another process has filled the key meanwhile, its value is the answer.",
			Edits: edits(after("cacheaside/coordinate.go", "case GrantAlreadyFilled:\n\t\t\t", `if SABOTAGED {
				return r.stillWanted(f), last
			}
			`)),
			Red:      "TestAKeyThatWasFilledMeanwhileIsLookedUpAgainAndNotLoaded",
			Controls: tests(filledAlone),
		},
		{
			Name: "grant-shorter-than-its-load", Package: policy,
			Instead: "asks for a grant as long as the load alone may take",
			Promise: "A grant lives as long as the wait for a permit, the load and the record may take together.",
			Edits: edits(before("cacheaside/coordinate.go", "\treturn policy.AdmissionWait + policy.LoadDeadline", `
				if SABOTAGED {
					return policy.LoadDeadline
				}
			`)),
			Red:      "TestAGrantLivesAsLongAsItsLoadAndItsRecordMayTake",
			Controls: tests(filledAlone),
		},
		{
			Name: "request-new-at-every-poll", Package: policy,
			Instead: "draws a new request each time it asks",
			Promise: "Every poll for one load is the same request, so that a grant whose reply was lost is not lost with it.",
			Edits: edits(before("cacheaside/coordinate.go", "\t\tgrant, asked := r.acquire(", `
				if SABOTAGED {
					request = r.newRequest()
				}
			`)),
			Red:      "TestEveryPollForOneLoadIsTheSameRequest",
			Controls: tests("TestWhoIsHeldLoadsNothingAndWaitsAsLongAsThePolicySays"),
		},
	}
}

// heldRows are about the wait for another process.
func heldRows() []kit.Row {
	const onHeld = "r.policy.ServeStale.OnHeld {\n"
	return []kit.Row{
		{
			Name: "held-ignored", Package: policy,
			Instead: "loads although another process is loading the key",
			Promise: "Who is held loads nothing and is refused after HeldWait.",
			Edits: edits(after("cacheaside/coordinate.go", "case GrantHeld:\n\t\t\t", `if SABOTAGED {
				return r.stillWanted(f), last
			}
			`)),
			Red:      "TestWhoIsHeldLoadsNothingAndWaitsAsLongAsThePolicySays",
			Controls: tests(filledAlone),
		},
		{
			Name: "held-wait-without-an-end", Package: policy,
			Instead: "waits for the other process as long as it is loading",
			Promise: "Who is held loads nothing and is refused after HeldWait.",
			Edits: edits(after("cacheaside/coordinate.go", "left := until.Sub(r.clock.Now())\n", `
				if SABOTAGED {
					left = time.Hour
				}
			`)),
			Red:      "TestWhoIsHeldLoadsNothingAndWaitsAsLongAsThePolicySays",
			Controls: tests("TestEveryPollForOneLoadIsTheSameRequest"),
		},
		{
			Name: "poll-past-the-end-of-the-grant", Package: policy,
			Instead: "waits as long as it would anyway where little is left of the other's grant",
			Promise: "A grant is asked for again as soon as the other's is over.",
			Edits: edits(after("cacheaside/coordinate.go", "\t\t\tf.tellHeld()\n", `
				if SABOTAGED {
					break
				}
			`)),
			Red:      "TestAGrantIsAskedForAgainAsSoonAsTheOtherOneIsOver",
			Controls: tests("TestEveryPollForOneLoadIsTheSameRequest"),
		},
		{
			Name: "permit-taken-while-held", Package: policy,
			Instead: "takes its permit before it asks the fleet, and waits with it",
			Promise: "Who waits for another process holds no permit.",
			Edits: edits(edit("cacheaside/fly.go", "\tif !r.coordinate(f) {\n", `
				coordinate := r.coordinate
				if SABOTAGED {
					coordinate = r.coordinateWithAPermit
				}
				if !coordinate(f) {
			`)),
			Files:    []kit.File{permitFile},
			Red:      "TestWhoIsHeldHoldsNoPermit",
			Controls: tests("TestWhoIsHeldLoadsNothingAndWaitsAsLongAsThePolicySays"),
		},
		{
			Name: "on-held-ignored", Package: policy,
			Instead:  "lets callers with a stale value wait for another process all the same",
			Promise:  "Under OnHeld a stale value answers at once while another process loads.",
			Edits:    edits(heldEdit(onHeld)),
			Red:      "TestAStaleValueAnswersAtOnceWhereItsKeyIsHeldAndThePolicySaysSo",
			Controls: tests("TestAStaleValueDoesNotAnswerForAHeldKeyUnasked"),
		},
		{
			Name: "on-held-without-opting-in", Package: policy,
			Instead:  "answers a stale value for every key that is held",
			Promise:  "A stale value does not answer for a held key unasked.",
			Edits:    edits(heldEdit(onHeld)),
			Red:      "TestAStaleValueDoesNotAnswerForAHeldKeyUnasked",
			Controls: tests("TestAStaleValueAnswersAtOnceWhereItsKeyIsHeldAndThePolicySaysSo"),
		},
		{
			Name: "newer-generation-joins-an-older-load", Package: policy,
			Instead:  "lets a caller that knows of a newer generation join a load from before it",
			Promise:  "A caller of a newer generation is answered by a load of its own generation.",
			Edits:    edits(edit("cacheaside/invalidate.go", "if c.found.Generation > generation {", "if c.found.Generation > generation && !SABOTAGED {")),
			Red:      "TestACallerOfANewerGenerationDoesNotJoinAnOlderLoad",
			Controls: tests("TestALoadIsStoredAsOfTheGenerationThatItsLookupTold"),
		},
		{
			Name: "load-stored-as-of-whatever-generation", Package: policy,
			Instead: "stores a load as of the generation that there is by then",
			Promise: "What is loaded is stored as of the generation that its lookup told.",
			Edits: edits(edit("cacheaside/land.go",
				"Generation: f.generation}", "Generation: map[bool]Generation{false: f.generation}[SABOTAGED]}")),
			Red:      "TestALoadIsStoredAsOfTheGenerationThatItsLookupTold",
			Controls: tests("TestACallerOfANewerGenerationDoesNotJoinAnOlderLoad"),
		},
	}
}

// heldEdit is shared by the two ways to be wrong about OnHeld.
func heldEdit(pattern string) kit.Edit {
	return edit("cacheaside/await.go", pattern,
		`(r.policy.ServeStale.OnHeld && !sabotaged("on-held-ignored") || sabotaged("on-held-without-opting-in")) {
`)
}

var permitFile = kit.File{Path: "cacheaside/killtable_permit.go", Text: `package cacheaside

func (r *Region[K, V]) coordinateWithAPermit(f *flight[K, V]) bool {
	permit, err := r.bulkhead.Acquire(r.policy.AdmissionWait, f.abandoned)
	if err != nil {
		r.publish(f, r.refusal(r.rejected(ReasonAdmissionTimeout, nil)))
		return false
	}
	defer permit.Release()
	return r.coordinate(f)
}
`}
