package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

const bulkhead = "internal/bulkhead"

// bulkheadRows are about the permits themselves.
func bulkheadRows() []kit.Row {
	return []kit.Row{
		{
			Name: "permit-released-twice", Package: bulkhead,
			Instead: "gives a place back at every call of Release",
			Promise: "Releasing twice gives one permit back.",
			Edits: edits(
				edit("internal/bulkhead/bulkhead.go", "p.returned.Swap(true) {", "p.returned.Swap(true) && !SABOTAGED {"),
				before("internal/bulkhead/bulkhead.go", "\t<-p.from.places\n", `
				if SABOTAGED {
					select {
					case <-p.from.places:
					default:
					}
					return
				}
			`)),
			Red:      "TestReleasingTwiceGivesBackOnePermit",
			Controls: tests("TestPermitsAreBoundedByTheCapacity"),
		},
		{
			Name: "permit-wait-twice-as-long", Package: bulkhead,
			Instead: "starts the wait anew where a permit was missed once",
			Promise: "A wait for a permit ends exactly when its time has passed.",
			Edits: edits(edit("internal/bulkhead/bulkhead.go", "b.clock.AfterFunc(wait, func() { close(expired) })", `
				b.clock.AfterFunc(wait, func() {
					if SABOTAGED {
						b.clock.AfterFunc(wait, func() { close(expired) })
						return
					}
					close(expired)
				})
			`)),
			Red:      "TestAWaitForAPermitTakesItsTimeAndNoMore",
			Controls: tests("TestPermitsAreBoundedByTheCapacity"),
		},
		{
			Name: "permit-wait-leaves-its-timer", Package: bulkhead,
			Instead:  "lets the timer of a wait that is over run on to its end",
			Promise:  "A wait that is over leaves no timer behind.",
			Edits:    edits(edit("internal/bulkhead/bulkhead.go", "\tdefer timer.Stop()\n", "\tif !SABOTAGED {\n\t\tdefer timer.Stop()\n\t}\n")),
			Red:      "TestAWaitThatIsOverLeavesNoTimerBehind",
			Controls: tests("TestPermitsAreBoundedByTheCapacity"),
		},
		{
			Name: "permit-for-who-has-left", Package: bulkhead,
			Instead: "hands a free permit to a caller that gave up before it asked",
			Promise: "An abandoned wait takes no permit.",
			Edits: edits(edit("internal/bulkhead/bulkhead.go", "\tcase <-abandoned:\n\t\treturn nil, ErrAbandoned\n\tdefault:\n", `
				case <-abandoned:
					if !SABOTAGED {
						return nil, ErrAbandoned
					}
				default:
			`)),
			Red:      "TestAnAbandonedWaitTakesNoPermit",
			Controls: tests("TestReleasingTwiceGivesBackOnePermit"),
		},
		{
			Name: "one-permit-too-many", Package: bulkhead,
			Instead: "makes room for one permit more than the capacity",
			Promise: "Permits are bounded by the capacity.",
			Edits: edits(before("internal/bulkhead/bulkhead.go", "\treturn &Bulkhead{places:", `
				if SABOTAGED {
					capacity++
				}
			`)),
			Red:      "TestPermitsAreBoundedByTheCapacity",
			Controls: tests("TestReleasingTwiceGivesBackOnePermit"),
		},
	}
}
