package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// unusableRows are about stored entries that nobody may use.
func unusableRows() []kit.Row {
	return []kit.Row{
		{
			Name: "corrupt-entry-read-as-a-miss", Package: policy,
			Instead: "loads and writes over a corrupt entry as over an absent one",
			Promise: "A corrupt entry fails fast: the source is not called and nothing is overwritten.",
			Edits: edits(before("cacheaside/decide.go", "\tdoing := FailFast\n", `
				if entry == EntryCorrupt && SABOTAGED {
					return step{action: actionLoad, write: true}
				}
			`)),
			Red:      "TestUnusableEntriesFailFastWithoutTheSourceAndWithoutAWrite",
			Controls: tests("TestAValueInHandIsReturnedWhateverBecameOfItsRecord"),
		},
		{
			Name: "future-version-quarantined", Package: policy,
			Instead: "treats a version that a newer release wrote like a retired one",
			Promise: "An entry of a future version is never overwritten.",
			Edits: edits(after("cacheaside/decide.go", "\t\tdoing = policy.Future\n", `
				if SABOTAGED {
					doing = policy.Incompatible
				}
			`)),
			Red:      "TestTheDecisionIsThisTable",
			Controls: tests("TestAValueInHandIsReturnedWhateverBecameOfItsRecord"),
		},
		{
			Name: "quarantine-without-an-observation", Package: policy,
			Instead: "quarantines an entry of which nothing says which bytes were seen",
			Promise: "Only the very bytes that were observed are replaced.",
			Edits: edits(edit("cacheaside/decide.go",
				"case doing == QuarantineAndReload && observed:",
				"case doing == QuarantineAndReload && (observed || SABOTAGED):")),
			Red:      "TestTheDecisionIsThisTable",
			Controls: tests("TestAValueInHandIsReturnedWhateverBecameOfItsRecord"),
		},
		{
			Name: "load-only-writes-all-the-same", Package: policy,
			Instead:  "records what it loaded around an entry that must not be touched",
			Promise:  "LoadOnly answers from the source and writes nothing.",
			Edits:    edits(edit("cacheaside/decide.go", "return step{action: actionLoad}", "return step{action: actionLoad, write: SABOTAGED}")),
			Red:      "TestTheDecisionIsThisTable",
			Controls: tests("TestAValueInHandIsReturnedWhateverBecameOfItsRecord"),
		},
	}
}
