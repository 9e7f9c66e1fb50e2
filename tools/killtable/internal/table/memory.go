package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

const memory = "cacheaside/memory"

// memoryRows are about the cache in process.
func memoryRows() []kit.Row {
	return []kit.Row{
		{
			Name: "memory-fresh-at-the-very-soft-expiry", Package: memory,
			Instead:  "compares with <= at the soft boundary",
			Promise:  "A value is stale from its soft expiry on.",
			Edits:    edits(edit("cacheaside/memory/entry.go", "if now >= e.soft {", "if now >= e.soft && !(now == e.soft && SABOTAGED) {")),
			Red:      "TestC66_BoundariesHoldAtEveryEpoch",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
		},
		{
			Name: "memory-alive-at-the-very-hard-expiry", Package: memory,
			Instead:  "compares with <= at the hard boundary",
			Promise:  "A value is gone from its hard expiry on.",
			Edits:    edits(edit("cacheaside/memory/entry.go", "case now >= e.hard,", "case now >= e.hard && !(now == e.hard && SABOTAGED),")),
			Red:      "TestC40_StaleEndsAtTheHardExpiryWhateverWasReadMeanwhile",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
		},
		{
			Name: "memory-observation-matches-anything", Package: memory,
			Instead: "replaces whatever is there once something was observed",
			Promise: "An observed replace needs the very entry that was observed.",
			Edits: edits(edit("cacheaside/memory/condition.go",
				"string(stored.exactly()) == r.seen",
				"(string(stored.exactly()) == r.seen || SABOTAGED)")),
			Red:      "TestC113_OfTwentyRivalsExactlyOneReplacesAStaleValue",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
		},
		{
			Name: "memory-set-without-a-condition", Package: memory,
			Instead:  "stores whatever comes last",
			Promise:  "A fill from before an invalidation is refused.",
			Edits:    edits(edit("cacheaside/memory/shard.go", "if required != nil {", "if required != nil && !SABOTAGED {")),
			Red:      "TestAnInvalidationHoldsAgainstEveryFillThatBeganBefore",
			Controls: tests("TestC66_BoundariesHoldAtEveryEpoch"),
		},
		{
			Name: "memory-expired-observation-needs-the-entry", Package: memory,
			Instead:  "refuses the observation of an expired entry when the entry is gone by now",
			Promise:  "The observation of an expired entry is satisfied by one that is gone.",
			Edits:    edits(edit("cacheaside/memory/condition.go", "case r.absent, r.orGone:", "case r.absent, r.orGone && !SABOTAGED:")),
			Red:      "TestConditionsAreDecidedByThisTable",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
		},
		{
			Name: "memory-tombstone-as-a-delete", Package: memory,
			Instead: "deletes the entry where it should leave a mark",
			Promise: "An invalidation refuses every fill that began before it.",
			Edits: edits(after("cacheaside/memory/shard.go", "\tn.entry = *fresh\n", `
				if fresh.kind == kindTombstone && SABOTAGED {
					s.removeLocked(n)
				}
			`)),
			Red:      "TestAnInvalidationHoldsAgainstEveryFillThatBeganBefore",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
		},
		{
			Name: "memory-late-result-lives-from-its-record", Package: memory,
			Instead:  "counts the life of a late result from its record",
			Promise:  "The life of a late result counts from the moment it was loaded.",
			Edits:    edits(edit("cacheaside/memory/draft.go", "given.LoadedAt.Before(now) {", "given.LoadedAt.Before(now) && !SABOTAGED {")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "the soft expiry of a late value is",
		},
		{
			Name: "memory-expired-entry-outlives-a-good-one", Package: memory,
			Instead:  "counts a lookup of an expired entry as a use of it",
			Promise:  "What nobody can be answered with is evicted first.",
			Edits:    edits(edit("cacheaside/memory/shard.go", "if now < n.entry.hard {", "if now < n.entry.hard || SABOTAGED {")),
			Red:      "TestALookupOfAnExpiredEntryIsNoUse",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
		},
	}
}
