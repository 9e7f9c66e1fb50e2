package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// readRows are about what the server's answers are taken for, and how long entries live there.
func readRows() []kit.Row {
	return []kit.Row{
		{
			Name: "server-expiry-unlike-the-encoded-one", Package: adapter,
			Instead: "lets the server keep an entry ten seconds longer, to be on the safe side",
			Promise: "The server's expiry is the encoded hard expiry.",
			Edits: edits(before("redisadapter/dispatch.go", "\ts.life.Store(life)\n", `
				if SABOTAGED {
					life += 10_000
				}
			`)),
			Red:      "TestTheServersExpiryIsTheEncodedOneForEveryKindOfWrite",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "dead-entry-sent-all-the-same", Package: adapter,
			Instead: "sends an entry whose life ended while it waited for a connection",
			Promise: "An entry whose life ends before it is sent is never sent.",
			Edits: edits(before("redisadapter/dispatch.go", "\tif life <= 0 {\n", `
				if life <= 0 && SABOTAGED {
					life = 1
				}
			`)),
			Red:      "TestC60_AnEntryWhoseLifeEndsBeforeItIsSentIsNeverSent",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "absence-kept-as-long-as-a-value", Package: adapter,
			Instead: "gives a negative entry the hard life of a value",
			Promise: "An absence is remembered for its own time.",
			Edits: edits(before("redisadapter/record.go", "\tif !entry.Negative {\n", `
				if _, hard := c.schedule.Positive(physicalKey); SABOTAGED {
					e.HardExpiresAt = from.Add(hard)
				}
			`)),
			Red:      "TestTheCacheKeepsTheContractOfThePortOnAServerWhoseClockFollows",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
			Says:     "a recorded absence's expiry is",
		},
		{
			Name: "outage-read-as-a-miss", Package: adapter,
			Instead: "treats any error of the client as a key that is not there",
			Promise: "A server that cannot be asked is unavailable and no miss.",
			Edits: edits(before("redisadapter/lookup.go", "\tcase err != nil:\n", `
				case err != nil && SABOTAGED:
				return cacheaside.Lookup[V]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent}, false
			`)),
			Red:      "TestC103_AFullPoolAndAClosedClientAreUnavailableAndNoMiss",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "corrupt-bytes-read-as-a-miss", Package: adapter,
			Instead: "reads bytes that it cannot verify as if nothing were there",
			Promise: "Damaged bytes are told as corrupt at every length.",
			Edits: edits(before("redisadapter/judge.go", "\tif !errors.As(err, &version) {\n", `
				if !errors.As(err, &version) && SABOTAGED {
					return cacheaside.Lookup[V]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent}
				}
			`)),
			Red:      "TestC81_TruncatedBytesAreCorruptAtEveryLength",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "shape-of-the-payload-not-compared", Package: adapter,
			Instead:  "decodes a payload of another shape for as long as the codec can",
			Promise:  "The user's schema number alone makes another shape.",
			Edits:    edits(edit("redisadapter/judge.go", "if e.Schema != c.schema ||", "if e.Schema != c.schema && !SABOTAGED ||")),
			Red:      "TestTheUsersNumberAloneMakesAnotherShape",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "stale-observation-satisfied-by-a-gone-entry", Package: adapter,
			Instead: "gives a stale value the observation of an expired one",
			Promise: "A stale entry that is gone by now was taken away by somebody, and is not filled again.",
			Edits: edits(edit("redisadapter/judge.go",
				"cacheaside.LookupStale, observation(e.Digest, false)",
				"cacheaside.LookupStale, observation(e.Digest, SABOTAGED)")),
			Red:      "TestAStaleEntryThatIsGoneIsNotFilledByItsObservation",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "callers-deadline-opens-the-breaker", Package: adapter,
			Instead:  "counts a caller that was in a hurry as a failure of the server",
			Promise:  "The caller's own deadline opens no breaker.",
			Edits:    edits(before("redisadapter/store.go", "\t\tcase c.caller.Err() != nil, c.callersLimit:\n", "\t\tcase SABOTAGED:\n")),
			Red:      "TestTheCallersOwnDeadlineOpensNoBreaker",
			Controls: tests("TestAnAnswerStartsTheCountAnew"),
		},
		{
			Name: "failures-counted-though-not-in-a-row", Package: adapter,
			Instead:  "counts failures and never starts anew",
			Promise:  "Any answer of the server starts the count anew.",
			Edits:    edits(edit("redisadapter/breaker.go", "if b.failures.Load() != 0 {", "if b.failures.Load() != 0 && !SABOTAGED {")),
			Red:      "TestAnAnswerStartsTheCountAnew",
			Controls: tests("TestThreeFailuresInARowOpenTheBreakerAndNothingIsSentWhileItIsOpen"),
		},
		{
			Name: "payload-printed-with-its-command", Package: adapter,
			Instead: "lets whatever logs commands print what they carry",
			Promise: "No command prints what it carries.",
			Edits: edits(before("redisadapter/command.go", "\ttext, _ := args[key].(string)\n", `
				if SABOTAGED {
					return fmt.Sprint(args...)
				}
			`), after("redisadapter/command.go", "import (\n", "\t\"fmt\"\n")),
			Red:      "TestNoCommandPrintsWhatItCarries",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "burst-goes-round-the-bound-in-an-outage", Package: adapter,
			Instead: "goes straight to the source when Redis is down",
			Promise: "A burst while Redis is down goes through the same bounded path.",
			Edits: edits(edit("cacheaside/fly.go", "\tpermit, err := r.bulkhead.Acquire(r.policy.AdmissionWait, f.abandoned)\n", `
				permit, err := new(bulkhead.Permit), error(nil)
				if !(f.step.unavailable && SABOTAGED) {
					permit, err = r.bulkhead.Acquire(r.policy.AdmissionWait, f.abandoned)
				}
			`)),
			Red:      "TestABurstWhileRedisIsDownGoesThroughTheSameBoundedSourcePath",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "foreign-value-told-as-an-outage", Package: adapter,
			Instead:  "takes another application's value for trouble of the server",
			Promise:  "A foreign value is told as that and is no outage.",
			Edits:    edits(edit("redisadapter/lookup.go", "case fault == FaultWrongType:", "case fault == FaultWrongType && !SABOTAGED:")),
			Red:      "TestC87_AForeignValueUnderOurNameSurvivesEveryOperation",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "oversize-entry-told-as-damaged", Package: adapter,
			Instead:  "takes an entry that its bounded read has cut off for a damaged one",
			Promise:  "An entry over the reader's limit is told as oversize.",
			Edits:    edits(edit("redisadapter/lookup.go", "case len(raw) > c.limits.read:", "case len(raw) > c.limits.read && !SABOTAGED:")),
			Red:      "TestAnEntryOverTheReadersLimitIsOversize",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "future-version-told-as-retired", Package: adapter,
			Instead: "tells every version that is not its own as an old one, which a quarantine replaces",
			Promise: "An entry of a version that this release does not know is told as a future one.",
			Edits: edits(after("redisadapter/judge.go", "kind := cacheaside.EntryFuture\n", `
				if SABOTAGED {
					kind = cacheaside.EntryRetired
				}
			`)),
			Red:      "TestC78_AnotherVersionIsToldFromDamageAndNeverOverwrittenByChance",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "late-result-lives-from-its-record-at-the-server", Package: adapter,
			Instead:  "counts the life of a late result from its record",
			Promise:  "The life of a late result counts from the moment it was loaded.",
			Edits:    edits(edit("redisadapter/record.go", "entry.LoadedAt.Before(from) {", "entry.LoadedAt.Before(from) && !SABOTAGED {")),
			Red:      "TestTheCacheKeepsTheContractOfThePortOnAServerWhoseClockFollows",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
			Says:     "the soft expiry of a late value is",
		},
		{
			Name: "lookup-retried-by-the-client", Package: adapter,
			Instead:  "lets the client ask again within its own retries",
			Promise:  "A lookup is sent once whatever the client's retries.",
			Edits:    edits(edit("redisadapter/command.go", "func (onceRange) NoRetry() bool { return true }", "func (onceRange) NoRetry() bool { return !SABOTAGED }")),
			Red:      "TestALookupIsSentOnceWhateverTheClientsRetries",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
	}
}
