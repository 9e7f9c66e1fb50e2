package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// tellingRows are about what errors, events and labels may hold.
func tellingRows() []kit.Row {
	return []kit.Row{
		{
			Name: "cause-printed-in-errors", Package: policy,
			Instead: "prints the source's own message in the error, as most wrappers do",
			Promise: "No error's text holds the text of its cause, which may hold a key or a secret.",
			Edits: edits(before("cacheaside/errors.go", "\treturn fmt.Sprintf(\"cacheaside: region %s: %s source failure (%s)\", e.Region, kind, e.Code)\n", `
				if SABOTAGED {
					return fmt.Sprintf("cacheaside: region %s: %s source failure (%s): %v", e.Region, kind, e.Code, e.Cause)
				}
			`)),
			Red:      "TestNoErrorOrEventHoldsAKeyAValueOrTheTextOfACause",
			Controls: tests("TestAReadIsToldInEvents"),
		},
		{
			Name: "cause-told-in-events", Package: policy,
			Instead: "tells the observer the source's own message as the failure's code",
			Promise: "No event holds the text of a cause.",
			Edits: edits(before("cacheaside/load.go", "\tif alone && known.panicked != nil {\n", `
				if outcome.err != nil && SABOTAGED {
					event.Code = outcome.err.Error()
				}
			`)),
			Red:      "TestNoErrorOrEventHoldsAKeyAValueOrTheTextOfACause",
			Controls: tests("TestAnObserverThatPanicsHurtsNobody"),
		},
		{
			Name: "labels-without-a-bound", Package: policy,
			Instead:  "hands every code that a source makes up to the observer",
			Promise:  "At most 32 different codes of a region reach events and labels.",
			Edits:    edits(edit("cacheaside/code.go", "if len(s.seen) >= maxRegionCodes {", "if len(s.seen) >= maxRegionCodes && !SABOTAGED {")),
			Red:      "TestC119_LabelsStayBoundedWhateverKeysAndCodesAndErrorsComeBy",
			Controls: tests("TestAReadIsToldInEvents"),
		},
		{
			Name: "codes-as-they-come", Package: policy,
			Instead: "takes a code as the source gave it, line breaks included",
			Promise: "A code that is unfit for a log line is folded.",
			Edits: edits(before("cacheaside/code.go", "\tif code == \"\" || len(code) > maxCodeLength {\n", `
				if SABOTAGED {
					return code
				}
			`)),
			Red:      "TestC123_AReasonOrCodeUnfitForALogLineIsFolded",
			Controls: tests("TestAReadIsToldInEvents"),
		},
		{
			Name: "cached-absence-without-the-users-error", Package: policy,
			Instead: "joins the user's own error to a fresh absence and forgets it on a cached one",
			Promise: "AbsentErr is in the chain of every absence, fresh or cached.",
			Edits: edits(before("cacheaside/ending.go", "\treturn &AbsentError{Region: r.name, Reason: reason, Cached: cached, also: r.absentErr}\n", `
				if cached && SABOTAGED {
					return &AbsentError{Region: r.name, Reason: reason, Cached: cached}
				}
			`)),
			Red:      "TestFreshAndNegativeHitsCallNeitherSourceNorRecordNorStartAGoroutine",
			Controls: tests("TestAReadIsToldInEvents"),
		},
	}
}
