package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

const adapter = "redisadapter"

// writeRows are about what is sent to the server, and when.
func writeRows() []kit.Row {
	return []kit.Row{
		{
			Name: "set-without-a-condition", Package: adapter,
			Instead:  "sends a plain SET where the lookup found nothing",
			Promise:  "A miss is filled only if the key is still absent.",
			Edits:    edits(edit("redisadapter/write.go", "	err := s.port.writes.Process(c.ctx, cmd)\n\tswitch {\n", "	if SABOTAGED {\n\t\tcmd = newSet(c.ctx, \"set\", e.key, goods, \"px\", lifeArg{goods})\n\t}\n	err := s.port.writes.Process(c.ctx, cmd)\n\tswitch {\n")),
			Red:      "TestC55_ANegativeEntryDoesNotOverwriteAValueRecordedMeanwhile",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "expired-entry-deleted-by-its-reader", Package: adapter,
			Instead:  "deletes an entry that its lookup found expired",
			Promise:  "No reader deletes anything: what it saw may have been replaced since.",
			Edits:    edits(edit("redisadapter/lookup.go", "	return c.judge(physicalKey, raw)\n", "	found := c.judge(physicalKey, raw)\n\tif found.Miss == cacheaside.MissExpired && SABOTAGED {\n\t\tc.store.deleteIt(ctx, physicalKey)\n\t}\n	return found\n")),
			Files:    []kit.File{deleteFile},
			Red:      "TestC112_NothingEverDeletesAnEntry",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "tombstone-as-a-delete", Package: adapter,
			Instead:  "invalidates by a plain DEL",
			Promise:  "An invalidation refuses every fill that began before it.",
			Edits:    edits(edit("redisadapter/invalidate.go", "	if replyFaultOf(err) == FaultOutOfMemory {\n", "	if SABOTAGED {\n\t\ts.deleteIt(c.ctx, e.key)\n\t}\n	if replyFaultOf(err) == FaultOutOfMemory {\n")),
			Files:    []kit.File{deleteFile},
			Red:      "TestATombstoneReadsAsAMissAndRefusesFillsThatBeganBefore",
			Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
		},
		{
			Name: "write-retried-by-the-client", Package: adapter,
			Instead:  "lets the client send a write again when its reply was lost",
			Promise:  "A write is dispatched once whatever the client's retries.",
			Edits:    edits(edit("redisadapter/command.go", "func (onceSet) NoRetry() bool { return true }", "func (onceSet) NoRetry() bool { return !SABOTAGED }")),
			Red:      "TestC105_AWriteIsDispatchedOnceAndNeverWronglyNotAppliedWhateverTheClientsRetries",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "uncertain-write-told-as-refused", Package: adapter,
			Instead:  "tells a write whose reply never came as not applied",
			Promise:  "A command that may have been executed, or may yet be, is indeterminate.",
			Edits:    edits(edit("redisadapter/write.go", "	return cacheaside.RecordOutcome{\n\t\tCertainty: cacheaside.RecordIndeterminate, SoftExpiresAt: e.soft, HardExpiresAt: e.hard, Err: failure,\n", "	if SABOTAGED {\n\t\treturn notApplied(cacheaside.RecordStoreRefused, failure)\n\t}\n	return cacheaside.RecordOutcome{\n\t\tCertainty: cacheaside.RecordIndeterminate, SoftExpiresAt: e.soft, HardExpiresAt: e.hard, Err: failure,\n")),
			Red:      "TestC109_AfterAnIndeterminateWriteNothingMoreIsSent",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "any-entry-read-back-proves-the-write", Package: adapter,
			Instead:  "takes whatever entry is there for the one that may have been written",
			Promise:  "A read-back that finds another entry proves nothing.",
			Edits:    edits(edit("redisadapter/readback.go", "	return cmd.Val() == e.digest()", "	return cmd.Val() == e.digest() || cmd.Val() != \"\" && SABOTAGED")),
			Red:      "TestAReadBackThatFindsAnotherEntryProvesNothing",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "size-checked-after-sending", Package: adapter,
			Instead:  "leaves it to the reader to find out that a value is too large",
			Promise:  "A value over the limit is refused before anything is sent.",
			Edits:    edits(edit("redisadapter/record.go", "		if len(payload) > c.limits.payload {", "		if len(payload) > c.limits.payload && !SABOTAGED {")),
			Red:      "TestC69_TheLargestPayloadIsExactAndOneByteMoreIsNeverSent",
			Controls: tests("TestEachOperationSendsExactlyItsCommands"),
		},
		{
			Name: "observation-not-checked-before-it-is-sent", Package: adapter,
			Instead:  "compares whatever it is handed as an observation",
			Promise:  "An observation that no lookup gave is refused before it is sent.",
			Edits:    edits(edit("redisadapter/observation.go", "	return observed{}, &cacheaside.FieldError{", "	if SABOTAGED {\n\t\treturn observed{digest: string(o[1:])}, nil\n\t}\n	return observed{}, &cacheaside.FieldError{")),
			Red:      "TestAnObservationThatNoLookupGaveIsRefusedBeforeItIsSent",
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
