package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// courseRows are about grants on the less trodden ways of a flight.
func courseRows() []kit.Row {
	return []kit.Row{
		{
			Name: "superseded-flight-takes-a-grant", Package: fleetProof,
			Instead:  "asks for a grant of a load that an invalidation has overtaken",
			Promise:  "A load that is not to be stored takes no grant from those who came after the invalidation.",
			Edits:    edits(edit("cacheaside/coordinate.go", "f.over || f.superseded ||", "f.over || f.superseded && !SABOTAGED ||")),
			Red:      "TestASupersededFlightTakesNoGrantFromThoseWhoCameAfterTheInvalidation",
			Controls: tests("TestAKeyThatIsInvalidatedAllTheTimeIsLoadedAllTheSame"),
		},
		{
			Name: "told-held-by-its-own-process", Package: fleetProof,
			Instead:  "tells callers that a key is held which their own process loads by now",
			Promise:  "Nobody is told held by a flight that has its grant by now.",
			Edits:    edits(edit("cacheaside/await.go", "if r.loadsItself(f) {", "if r.loadsItself(f) && !SABOTAGED {")),
			Red:      "TestNobodyIsToldHeldByAFlightThatHasItsGrantByNow",
			Controls: tests("TestAKeyThatIsInvalidatedAllTheTimeIsLoadedAllTheSame"),
		},
		{
			Name: "grant-given-back-before-the-late-fill", Package: fleetProof,
			Instead:  "gives the grant back while a late result is being stored under it",
			Promise:  "A grant is given back after the late fill under it and not before.",
			Edits:    edits(edit("cacheaside/coordinate.go", "f.late == recordedLate", "(f.late == recordedLate || SABOTAGED)")),
			Red:      "TestAGrantIsGivenBackAfterTheLateFillUnderItAndNotBefore",
			Controls: tests("TestAKeyThatIsInvalidatedAllTheTimeIsLoadedAllTheSame"),
		},
		{
			Name: "grant-lost-with-an-exiting-request", Package: fleetProof,
			Instead:  "forgets a grant whose request exited the goroutine",
			Promise:  "A request that throws or exits after its grant holds nobody back.",
			Edits:    edits(edit("cacheaside/coordinate.go", "} else if !returned {", "} else if !returned && !SABOTAGED {")),
			Red:      "TestARequestThatThrowsOrExitsAfterItsGrantHoldsNobodyBack",
			Controls: tests("TestAKeyThatIsInvalidatedAllTheTimeIsLoadedAllTheSame"),
		},
		{
			Name: "poll-as-fast-as-it-is-told", Package: fleetProof,
			Instead:  "asks again at once where the grant that holds it claims to be over",
			Promise:  "A grant that claims to be over is asked for no faster than others.",
			Edits:    edits(edit("cacheaside/coordinate.go", "max(grant.Remaining, 0)", "max(grant.Remaining, map[bool]time.Duration{true: grant.Remaining}[SABOTAGED])")),
			Red:      "TestAGrantThatClaimsToBeOverIsAskedForNoFasterThanOthers",
			Controls: tests("TestAKeyThatIsInvalidatedAllTheTimeIsLoadedAllTheSame"),
		},
		{
			Name: "looks-again-before-the-pause", Package: fleetProof,
			Instead:  "asks for its grant with what it saw before it paused",
			Promise:  "A key that is invalidated all the time is loaded all the same.",
			Edits:    edits(edit("cacheaside/coordinate.go", "if last == GrantAlreadyFilled && r.", "if last == GrantAlreadyFilled && !SABOTAGED && r.")),
			Red:      "TestAKeyThatIsInvalidatedAllTheTimeIsLoadedAllTheSame",
			Controls: tests("TestAFillThatIsRefusedForItsGenerationHoldsNobodyBack"),
		},
		{
			Name: "grant-kept-after-a-refused-fill", Package: fleetProof,
			Instead:  "takes a fill that was refused for the end of its grant",
			Promise:  "A fill that is refused for its generation holds nobody back.",
			Edits:    edits(edit("cacheaside/coordinate.go", "due := f.owing &&", "due := f.owing && !(f.ending.err == nil && f.back && SABOTAGED) &&")),
			Red:      "TestAFillThatIsRefusedForItsGenerationHoldsNobodyBack",
			Controls: tests("TestAKeyThatIsInvalidatedAllTheTimeIsLoadedAllTheSame"),
		},
	}
}
