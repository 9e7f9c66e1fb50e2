package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

const (
	fleetProof = "internal/proof/fleet"

	acquireScript    = "-- Grants the load of a key"
	fillScript       = "-- Stores what was loaded under a grant"
	swapScript       = "-- Swaps a staged value in under a grant"
	releaseScript    = "-- Ends the grant of a load that came to nothing"
	putScript        = "-- Stores what has just been written"
	revisionScript   = "-- Compares revisions"
	generationScript = "-- Gives the region's generation"
)

// scriptedFenceRows are about what the server decides of fences, puts and generations.
func scriptedFenceRows() []scripted {
	return []scripted{
		{
			script: fillScript, old: "if record[1] ~= ARGV[1] or record", new: "if record",
			row: kit.Row{
				Name: "fence-token-not-compared", Package: fleetProof,
				Instead:  "knows a fill by its request alone",
				Promise:  "A fill is accepted only with both the token and the request of the grant.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
				Says:     "is Applied, want NotApplied",
			},
		},
		{
			script: fillScript, old: " or record[2] ~= ARGV[2] then", new: " then",
			row: kit.Row{
				Name: "fence-request-not-compared", Package: fleetProof,
				Instead:  "knows a fill by its token alone",
				Promise:  "A fill is accepted only with both the token and the request of the grant.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
				Says:     "is Applied, want NotApplied",
			},
		},
		{
			script: fillScript, old: "if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then", new: "if record[1] and (record[1] ~= ARGV[1] or record[2] ~= ARGV[2]) then",
			row: kit.Row{
				Name: "lost-record-accepts", Package: fleetProof,
				Instead:  "takes a fill for which there is no record, since nothing speaks against it",
				Promise:  "A fill whose fence record is lost is refused.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
				Says:     "is Applied, want NotApplied",
			},
		},
		{
			script: swapScript, old: "if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then", new: "if false then",
			row: kit.Row{
				Name: "large-fill-without-its-fence", Package: fleetProof,
				Instead:  "swaps a large value in without asking the fence",
				Promise:  "A large fill is as fenced as a small one.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
				Says:     "is Applied, want NotApplied",
			},
		},
		{
			script: fillScript, old: "'expires', 0, 'revision'", new: "'revision'",
			row: kit.Row{
				Name: "fill-keeps-the-grant", Package: fleetProof,
				Instead:  "stores the fill and lets its grant run out by itself",
				Promise:  "A fill ends the grant.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
				Says:     "is Held, want Granted",
			},
		},
		{
			script: tombstoneScript, old: "if not record.err and (record[1] or fenced or revision ~= '') then", new: "if false then",
			row: kit.Row{
				Name: "invalidation-without-a-token", Package: fleetProof,
				Instead:  "buries the entry and leaves the grants as they are",
				Promise:  "A fill from before an invalidation is refused.",
				Red:      "TestNoFillOlderThanTheLastInvalidationIsEverReadableOnARealServer",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
			},
		},
		{
			script: tombstoneScript, old: "'token', token, 'request', '', 'owner', '', 'expires', 0, 'revision', revision)", new: "'expires', 0, 'revision', revision)",
			row: kit.Row{
				Name: "invalidation-frees-the-key-and-issues-nothing", Package: fleetProof,
				Instead:  "ends the grant without a new token, so that the old one is still the highest",
				Promise:  "A fill from before an invalidation is refused.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
				Says:     "of an absence from before an invalidation is Applied",
			},
		},
		{
			script: acquireScript, old: "left >= tonumber(ARGV[4])", new: "false",
			row: kit.Row{
				Name: "short-grant-shortens-the-record", Package: fleetProof,
				Instead:  "lets a grant decide alone how long its key's fence record is kept",
				Promise:  "The order is known for as long as a tombstone lives.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
				Says:     "a put of an older revision after a short grant",
			},
		},
		{
			script: tombstoneScript, old: "(fenced or other ~= '')", new: "fenced",
			row: kit.Row{
				Name: "unfenced-invalidation-leaves-the-fenced-entry", Package: fleetProof,
				Instead:  "leaves the entries of the other mode to those who know of it",
				Promise:  "An invalidation of either mode reaches both.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
				Says:     "a filled value after an invalidation without fences",
			},
		},
		{
			script: tombstoneScript, old: "(record[1] or fenced or", new: "(fenced or",
			row: kit.Row{
				Name: "unfenced-invalidation-leaves-the-grant", Package: fleetProof,
				Instead:  "leaves grants to those who have fences",
				Promise:  "An invalidation of either mode reaches both.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
				Says:     "a fill from before an invalidation without fences is Applied",
			},
		},
		{
			script: tombstoneScript, old: "'revision', revision)", new: "'revision', '')",
			row: kit.Row{
				Name: "invalidation-forgets-the-revision", Package: fleetProof,
				Instead:  "forgets with the entry which revision it had",
				Promise:  "An older revision does not come back behind an invalidation.",
				Red:      "TestAnInvalidationRemembersTheRevisionOfAnEntryWhoseFenceRecordIsOver",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
			},
		},
		{
			script: releaseScript, old: "if record[2] ~= ARGV[2] or (ARGV[1] ~= '0' and record[1] ~= ARGV[1]) then", new: "if not record[1] then",
			row: kit.Row{
				Name: "release-of-whatever-grant-there-is", Package: fleetProof,
				Instead:  "ends whatever grant the key has by then",
				Promise:  "A release ends the grant that it names and no other.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
				Says:     "is Granted, want Held",
			},
		},
		{
			script: putScript, old: "if older(ARGV[3], known(KEYS[1], record[2])) then", new: "if false then",
			row: kit.Row{
				Name: "put-without-order", Package: fleetProof,
				Instead:  "stores whatever is put last",
				Promise:  "Of two puts the greater revision stays, whichever comes last.",
				Red:      "TestOfTwoWritersTheLaterRevisionStaysWhicheverComesLast",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
			},
		},
		{
			script: putScript, old: "'token', token, 'request', '', 'owner', '', 'expires', 0, 'revision'", new: "'revision'",
			row: kit.Row{
				Name: "put-leaves-grants-alone", Package: fleetProof,
				Instead:  "stores what is put and leaves the grants as they are",
				Promise:  "A put refuses every fill that began before it.",
				Red:      "TestAFillInFlightIsRefusedByAPut",
				Controls: tests("TestOfTwoWritersTheLaterRevisionStaysWhicheverComesLast"),
			},
		},
		{
			script: putScript, old: "return buryOther() or 7", new: "return 7",
			row: kit.Row{
				Name: "overtaken-put-leaves-the-unfenced-entry", Package: fleetProof,
				Instead:  "leaves what processes without fences have where something newer is known",
				Promise:  "A put that was overtaken reaches processes without fences all the same.",
				Red:      "TestAPutThatWasOvertakenReachesProcessesWithoutFencesAllTheSame",
				Controls: tests("TestOfTwoWritersTheLaterRevisionStaysWhicheverComesLast"),
			},
		},
		{
			script: revisionScript, old: "local function older(a, b)\n", new: "local function older(a, b)\n  if #a ~= #b then\n    return #a < #b\n  end\n",
			row: kit.Row{
				Name: "order-by-length", Package: fleetProof,
				Instead:  "takes the longer of two revisions for the greater",
				Promise:  "Revisions are ordered by their bytes, and the beginning of another is the older.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestOfTwoWritersTheLaterRevisionStaysWhicheverComesLast"),
				Says:     "is NotApplied (OlderRevision), want Applied",
			},
		},
		{
			script: revisionScript, old: "local function older(a, b)\n", new: "local function older(a, b)\n  if tonumber(a) and tonumber(b) then\n    return tonumber(a) < tonumber(b)\n  end\n",
			row: kit.Row{
				Name: "order-by-number", Package: fleetProof,
				Instead:  "compares revisions as numbers where they are some",
				Promise:  "Revisions are ordered by their bytes, and the beginning of another is the older.",
				Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
				Controls: tests("TestOfTwoWritersTheLaterRevisionStaysWhicheverComesLast"),
				Says:     "a put of an older revision is Applied",
			},
		},
		{
			script: generationScript, old: "math.max(last + 1, time[1] * 1000000 + time[2])", new: "last + 1",
			row: kit.Row{
				Name: "lost-generation-begins-at-the-old-number", Package: fleetProof,
				Instead:  "counts generations from one",
				Promise:  "A generation that is lost is not begun again.",
				Red:      "TestAGenerationThatIsLostIsNotBegunAgain",
				Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
			},
		},
	}
}

// fenceRows are about what the adapter makes of fences and generations beside the scripts.
func fenceRows() []kit.Row {
	return []kit.Row{
		{
			Name: "grant-on-the-process-own-clock", Package: fleetProof,
			Instead: "counts the grant's end on its own clock",
			Promise: "No clock of who asks decides about a grant.",
			Edits: edits(edit("redisadapter/fence.go",
				"saw, max(lease, time.Millisecond))", "saw, max(lease+c.aheadOfOthers(SABOTAGED), time.Millisecond))")),
			Files:    []kit.File{aheadFile},
			Red:      "TestTheFencesOfARealServerKeepTheContractOfThePort",
			Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
			Says:     "instance whose clock is off by",
		},
		{
			Name: "local-process-writes-the-fenced-entry", Package: fleetProof,
			Instead: "shares the entries of a region between processes with fences and without",
			Promise: "A process without fences writes no entry of those with them.",
			Edits: edits(edit("redisadapter/keys.go", "\tb.WriteString(s.kind)\n", `
				kind := s.kind
				if kind == kindValue && SABOTAGED {
					kind = kindFenced
				}
				b.WriteString(kind)
			`)),
			Red:      "TestAProcessWithoutFencesReadsAndWritesNoEntryOfThoseWithThem",
			Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
		},
		{
			Name: "older-generation-read", Package: fleetProof,
			Instead:  "answers with an entry of whatever generation",
			Promise:  "Nothing from before a region was invalidated is served afterwards.",
			Edits:    edits(edit("redisadapter/judge.go", "case known != nil && !known.wrote(&e):", "case known != nil && !known.wrote(&e) && !SABOTAGED:")),
			Red:      "TestNothingFromBeforeARegionWasInvalidatedIsServedAfterwards",
			Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
		},
		{
			Name: "older-fill-of-the-new-generation", Package: fleetProof,
			Instead: "stores what was loaded before a new generation as one of it",
			Promise: "A load from before a region was invalidated is not read in the new generation.",
			Edits: edits(before("redisadapter/record.go", "\tif refused := c.generations.admits(uint64(entry.Generation)); refused != 0 {\n", `
				if c.generations != nil && SABOTAGED {
					if known, _, err := c.readGeneration(context.Background()); err == nil {
						entry.Generation = cacheaside.Generation(known.number)
					}
				}
			`)),
			Red:      "TestALoadFromBeforeARegionWasInvalidatedIsNotReadInTheNewGeneration",
			Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
		},
		{
			Name: "hit-that-asks-the-fence", Package: fleetProof,
			Instead: "looks at the fence record at every lookup",
			Promise: "A hit of a fleet costs no command more than one of a single process.",
			Edits: edits(before("redisadapter/lookup.go", "\tfound, _ := c.lookup(ctx, physicalKey, nil)\n", `
				if c.Fenced() && SABOTAGED {
					_, _, _ = c.store.read(ctx, sibling(physicalKey, kindGrant))
				}
			`)),
			Red:      "TestAMissOfAFleetCostsOneRoundTripMoreAndAHitNone",
			Controls: tests("TestARegionWithoutGenerationsCannotBeInvalidated"),
		},
	}
}

var aheadFile = kit.File{Path: "redisadapter/killtable_ahead.go", Text: `package redisadapter

import "time"

func (c *Cache[K, V]) aheadOfOthers(on bool) time.Duration {
	if !on {
		return 0
	}
	return c.clock.Now().Sub(time.Now())
}
`}
