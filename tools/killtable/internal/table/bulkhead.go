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
				edit("internal/bulkhead/bulkhead.go", "	<-p.from.places\n", "	if SABOTAGED {\n\t\tselect {\n\t\tcase <-p.from.places:\n\t\tdefault:\n\t\t}\n\t\treturn\n\t}\n	<-p.from.places\n")),
			Red:      "TestReleasingTwiceGivesBackOnePermit",
			Controls: tests("TestPermitsAreBoundedByTheCapacity"),
		},
		{
			Name: "permit-wait-twice-as-long", Package: bulkhead,
			Instead:  "starts the wait anew where a permit was missed once",
			Promise:  "A wait for a permit ends exactly when its time has passed.",
			Edits:    edits(edit("internal/bulkhead/bulkhead.go", "b.clock.AfterFunc(wait, func() { close(expired) })", "b.clock.AfterFunc(wait, func() {\n\t\tif SABOTAGED {\n\t\t\tb.clock.AfterFunc(wait, func() { close(expired) })\n\t\t\treturn\n\t\t}\n\t\tclose(expired)\n\t})")),
			Red:      "TestAWaitForAPermitTakesItsTimeAndNoMore",
			Controls: tests("TestPermitsAreBoundedByTheCapacity"),
		},
		{
			Name: "permit-for-who-has-left", Package: bulkhead,
			Instead:  "hands a free permit to a caller that gave up before it asked",
			Promise:  "An abandoned wait takes no permit.",
			Edits:    edits(edit("internal/bulkhead/bulkhead.go", "	case <-abandoned:\n\t\treturn nil, ErrAbandoned\n\tdefault:\n", "	case <-abandoned:\n\t\tif !SABOTAGED {\n\t\t\treturn nil, ErrAbandoned\n\t\t}\n\tdefault:\n")),
			Red:      "TestAnAbandonedWaitTakesNoPermit",
			Controls: tests("TestReleasingTwiceGivesBackOnePermit"),
		},
		{
			Name: "one-permit-too-many", Package: bulkhead,
			Instead:  "makes room for one permit more than the capacity",
			Promise:  "Permits are bounded by the capacity.",
			Edits:    edits(edit("internal/bulkhead/bulkhead.go", "	return &Bulkhead{places:", "	if SABOTAGED {\n\t\tcapacity++\n\t}\n	return &Bulkhead{places:")),
			Red:      "TestPermitsAreBoundedByTheCapacity",
			Controls: tests("TestReleasingTwiceGivesBackOnePermit"),
		},
	}
}
