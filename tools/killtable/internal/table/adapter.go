package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

const adapter = "redisadapter"

// writeRows are about what is sent to the server, and when.
func writeRows() []kit.Row {
	return []kit.Row{
		{
			Name: "set-without-a-condition", Package: adapter,
			Instead: "sends a plain SET where the lookup found nothing",
			Promise: "A miss is filled only if the key is still absent.",
			Edits: edits(before("redisadapter/write.go", "\terr := s.port.writes.Process(c.ctx, cmd)\n\tswitch {\n", `
				if SABOTAGED {
					cmd = newSet(c.ctx, "set", e.key, goods, "px", lifeArg{goods})
				}
			`)),
			Red:      "TestC55_ANegativeEntryDoesNotOverwriteAValueRecordedMeanwhile",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "expired-entry-deleted-by-its-reader", Package: adapter,
			Instead: "deletes an entry that its lookup found expired",
			Promise: "No reader deletes anything: what it saw may have been replaced since.",
			Edits: edits(edit("redisadapter/lookup.go", "\treturn c.judge(physicalKey, raw, known)\n", `
				found, other = c.judge(physicalKey, raw, known)
				if found.Miss == cacheaside.MissExpired && SABOTAGED {
					c.store.deleteIt(ctx, physicalKey)
				}
				return found, other
			`)),
			Files:    []kit.File{deleteFile},
			Red:      "TestC112_NothingEverDeletesAnEntry",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "tombstone-as-a-delete", Package: adapter,
			Instead: "invalidates by a plain DEL",
			Promise: "An invalidation refuses every fill that began before it.",
			Edits: edits(before("redisadapter/invalidate.go", "\tif replyFaultOf(err) == FaultOutOfMemory {\n", `
				if SABOTAGED {
					s.deleteIt(c.ctx, e.key)
				}
			`)),
			Files:    []kit.File{deleteFile},
			Red:      "TestATombstoneReadsAsAMissAndRefusesFillsThatBeganBefore",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "write-retried-by-the-client", Package: adapter,
			Instead: "lets the client send a write again when its reply was lost",
			Promise: "A write is dispatched once whatever the client's retries.",
			Edits: edits(edit("redisadapter/command.go",
				"func (onceSet) NoRetry() bool { return true }",
				"func (onceSet) NoRetry() bool { return !SABOTAGED }")),
			Red:      "TestC105_AWriteIsDispatchedOnceAndNeverWronglyNotAppliedWhateverTheClientsRetries",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "uncertain-write-told-as-refused", Package: adapter,
			Instead: "tells a write whose reply never came as not applied",
			Promise: "A command that may have been executed, or may yet be, is indeterminate.",
			Edits: edits(after("redisadapter/write.go", "case s.readBack(c, e):\n\t\treturn e.applied()\n\t}\n", `
				if SABOTAGED {
					return notApplied(cacheaside.RecordStoreRefused, failure)
				}
			`)),
			Red:      "TestC109_AfterAnIndeterminateWriteNothingMoreIsSent",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "any-entry-read-back-proves-the-write", Package: adapter,
			Instead:  "takes whatever entry is there for the one that may have been written",
			Promise:  "A read-back that finds another entry proves nothing.",
			Edits:    edits(after("redisadapter/readback.go", "\treturn cmd.Val() == e.digest()", ` || cmd.Val() != "" && SABOTAGED`)),
			Red:      "TestAReadBackThatFindsAnotherEntryProvesNothing",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "size-checked-after-sending", Package: adapter,
			Instead: "leaves it to the reader to find out that a value is too large",
			Promise: "A value over the limit is refused before anything is sent.",
			Edits: edits(edit("redisadapter/record.go",
				"if len(payload) > c.limits.payload {",
				"if len(payload) > c.limits.payload && !SABOTAGED {")),
			Red:      "TestC69_TheLargestPayloadIsExactAndOneByteMoreIsNeverSent",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "observation-not-checked-before-it-is-sent", Package: adapter,
			Instead: "compares whatever it is handed as an observation",
			Promise: "An observation that no lookup gave is refused before it is sent.",
			Edits: edits(before("redisadapter/observation.go", "\treturn observed{}, &cacheaside.FieldError{", `
				if SABOTAGED {
					return observed{digest: string(o[1:])}, nil
				}
			`)),
			Red:      "TestAnObservationThatNoLookupGaveIsRefusedBeforeItIsSent",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "script-retried-by-the-client", Package: adapter,
			Instead: "lets the client run a script again when its reply was lost",
			Promise: "A write is dispatched once whatever the client's retries.",
			Edits: edits(edit("redisadapter/command.go",
				"func (onceScript) NoRetry() bool { return true }",
				"func (onceScript) NoRetry() bool { return !SABOTAGED }")),
			Red:      "TestC105_AWriteIsDispatchedOnceAndNeverWronglyNotAppliedWhateverTheClientsRetries",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "script-that-the-server-lost", Package: adapter,
			Instead:  "fails where the server does not know a script any more",
			Promise:  "A script that the server lost is sent again and run once.",
			Edits:    edits(edit("redisadapter/script.go", "if isNoScript(err) {\n\t\tgoods", "if isNoScript(err) && !SABOTAGED {\n\t\tgoods")),
			Red:      "TestC99_ScriptsThatTheServerLostAreSentAgainAndRunOnce",
			Controls: tests("TestC55_ANegativeEntryDoesNotOverwriteAValueRecordedMeanwhile"),
		},
		{
			Name: "unknown-answer-told-as-refused", Package: adapter,
			Instead: "takes every error reply for a refusal, those that proxies make up included",
			Promise: "A reply that no server gives proves nothing.",
			Edits: edits(edit("redisadapter/write.go",
				"case row.sent == cacheaside.RecordNotApplied:",
				"case row.sent == cacheaside.RecordNotApplied, fault == FaultUnknown && SABOTAGED:")),
			Red:      "TestAReplyThatNoServerGivesProvesNothing",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "names-by-a-plain-hash", Package: adapter,
			Instead: "names entries by a hash of the key that anybody can compute",
			Promise: "Nobody without the secret can tell a key from its name at the server.",
			Edits: edits(edit("redisadapter/keys.go", "\tstate.scratch = state.mac.Sum(state.scratch[:0])\n", `
				if SABOTAGED {
					plain := sha256.Sum256(state.scratch)
					state.scratch = append(state.scratch[:0], plain[:]...)
				} else {
					state.scratch = state.mac.Sum(state.scratch[:0])
				}
			`)),
			Red:      "TestPhysicalKeysAreThoseOfThePublishedVectors",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "breaker-that-never-opens", Package: adapter,
			Instead: "asks a server that does not answer at every call",
			Promise: "Three failures in a row open the breaker, and nothing is sent while it is open.",
			Edits: edits(edit("redisadapter/breaker.go",
				"if b.failures.Add(1) >= breakerThreshold {",
				"if b.failures.Add(1) >= breakerThreshold && !SABOTAGED {")),
			Red:      "TestThreeFailuresInARowOpenTheBreakerAndNothingIsSentWhileItIsOpen",
			Controls: tests("TestAnAnswerStartsTheCountAnew"),
		},
		{
			Name: "no-invalidation-while-out-of-memory", Package: adapter,
			Instead: "leaves the old value where a full server refuses the tombstone",
			Promise: "An invalidation works on a server that is out of memory.",
			Edits: edits(before("redisadapter/invalidate.go", "goods.sent.Store(0)\n", `
				if SABOTAGED {
					return 0, refusal
				}
			`)),
			Red:      "TestInvalidateWorksOnAServerOutOfMemory",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
	}
}

// deleteFile lets a store delete, which the library cannot.
var deleteFile = kit.File{Path: "redisadapter/killtable_delete.go", Text: `package redisadapter

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func (s *store) deleteIt(ctx context.Context, key string) {
	_ = s.port.writes.Process(ctx, redis.NewIntCmd(ctx, "del", key))
}
`}
