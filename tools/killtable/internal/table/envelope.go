package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

const envelope = "envelope"

// envelopeRows are about what stored bytes are taken for.
func envelopeRows() []kit.Row {
	return []kit.Row{
		{
			Name: "fresh-at-the-very-soft-expiry", Package: envelope,
			Instead: "compares with <= at the soft boundary",
			Promise: "An entry is fresh strictly before its soft expiry.",
			Edits: edits(edit("envelope/freshness.go",
				"!now.Before(e.SoftExpiresAt):",
				"!now.Before(e.SoftExpiresAt) && !(now.Equal(e.SoftExpiresAt) && SABOTAGED):")),
			Red:      "TestC66_StagesChangeExactlyAtTheirMillisecondInEveryEpoch",
			Controls: tests("TestEveryOtherVersionIsEitherRetiredOrFuture"),
		},
		{
			Name: "alive-at-the-very-hard-expiry", Package: envelope,
			Instead: "compares with <= at the hard boundary",
			Promise: "An entry counts as gone from its hard expiry on.",
			Edits: edits(edit("envelope/freshness.go",
				"case !now.Before(e.HardExpiresAt):",
				"case !now.Before(e.HardExpiresAt) && !(now.Equal(e.HardExpiresAt) && SABOTAGED):")),
			Red:      "TestC66_StagesChangeExactlyAtTheirMillisecondInEveryEpoch",
			Controls: tests("TestEveryOtherVersionIsEitherRetiredOrFuture"),
		},
		{
			Name: "version-trusted-before-the-digest", Package: envelope,
			Instead: "looks at the version before the digest, as a parser reads from front to back",
			Promise: "No byte is trusted before the digest is.",
			Edits: edits(after("envelope/parse.go", "\tdigest := d.Sum(physicalKey, body)\n", `
				if v := body[offVersion]; v != Version && SABOTAGED {
					return Envelope{}, &VersionError{Version: v, Digest: digest}
				}
			`)),
			Red:      "TestTheDigestIsJudgedBeforeTheVersion",
			Controls: tests("TestEveryOtherVersionIsEitherRetiredOrFuture"),
		},
		{
			Name: "digest-not-checked-at-all", Package: envelope,
			Instead:  "trusts what the store gives back",
			Promise:  "Every flipped bit is corrupt.",
			Edits:    edits(edit("envelope/parse.go", "raw[len(body):]) != 1 {", "raw[len(body):]) != 1 && !SABOTAGED {")),
			Red:      "TestEveryFlippedBitIsCorrupt",
			Controls: tests("TestEveryOtherVersionIsEitherRetiredOrFuture"),
		},
		{
			Name: "digest-not-bound-to-the-key", Package: envelope,
			Instead: "digests the entry alone and not the name under which it is stored",
			Promise: "Bytes that were moved under another key are corrupt.",
			Edits: edits(edit("envelope/digest.go", "\ts.scratch = append(s.scratch, physicalKey...)\n", `
				if !SABOTAGED {
					s.scratch = append(s.scratch, physicalKey...)
				}
			`)),
			Red:      "TestAnEntryUnderAnotherKeyOrSecretIsCorrupt",
			Controls: tests("TestEveryFlippedBitIsCorrupt"),
		},
		{
			Name: "key-and-body-digested-without-a-frame", Package: envelope,
			Instead: "digests key and entry one after the other without the key's length",
			Promise: "A byte that moved from the entry to its key is corrupt.",
			Edits: edits(after("envelope/digest.go", "\ts.scratch = binary.BigEndian.AppendUint16(s.scratch[:0], uint16(len(physicalKey)))\n", `
				if SABOTAGED {
					s.scratch = s.scratch[:0]
				}
			`)),
			Red:      "TestTheDigestTellsWhereTheKeyEndsAndTheEntryBegins",
			Controls: tests("TestEveryFlippedBitIsCorrupt"),
		},
		{
			Name: "entry-without-a-write-id", Package: envelope,
			Instead: "writes equal values as equal bytes",
			Promise: "Every write has a digest of its own.",
			Edits: edits(before("envelope/append.go", "\tdst = append(dst, e.WriteID[:]...)\n", `
				if SABOTAGED {
					e.WriteID = [8]byte{}
				}
			`)),
			Red:      "TestTheWriteIDMakesTheDigestUnique",
			Controls: tests("TestEveryFlippedBitIsCorrupt"),
		},
		{
			Name: "runaway-expiry-believed", Package: envelope,
			Instead:  "believes an expiry that lies beyond every life that is ever given",
			Promise:  "What a clock that ran ahead wrote is not immortal.",
			Edits:    edits(edit("envelope/parse.go", "if !ok || hard > latest {", "if (!ok || hard > latest) && !SABOTAGED {")),
			Red:      "TestC63_CraftedExpiriesOfARunawayClockAreCorrupt",
			Controls: tests("TestEveryFlippedBitIsCorrupt"),
		},
		{
			Name: "future-version-taken-for-retired", Package: envelope,
			Instead:  "takes every other version for an old one",
			Promise:  "A version that this release does not know is a future one.",
			Edits:    edits(edit("envelope/errors.go", "return e.Version == 1 }", "return e.Version == 1 || SABOTAGED }")),
			Red:      "TestEveryOtherVersionIsEitherRetiredOrFuture",
			Controls: tests("TestEveryFlippedBitIsCorrupt"),
		},
		{
			Name: "bytes-behind-a-bare-entry-accepted", Package: envelope,
			Instead:  "reads what it knows of a negative entry and ignores the rest",
			Promise:  "The structure of an entry is exact.",
			Edits:    edits(after("envelope/parse.go", "return e, len(body) == bareBody", " || SABOTAGED")),
			Red:      "TestPublishedVectorsGiveTheResultTheyName",
			Controls: tests("TestEveryFlippedBitIsCorrupt"),
		},
		{
			Name: "soft-after-hard-accepted", Package: envelope,
			Instead:  "reads an entry that turns stale after it is gone",
			Promise:  "An impossible entry is corrupt, however authentic.",
			Edits:    edits(edit("envelope/parse.go", "if soft > hard ||", "if soft > hard && !SABOTAGED ||")),
			Red:      "TestPublishedVectorsGiveTheResultTheyName",
			Controls: tests("TestEveryFlippedBitIsCorrupt"),
		},
		{
			Name: "payload-reaches-into-the-digest", Package: envelope,
			Instead: "hands out a payload that can be appended to in place",
			Promise: "Appending to a payload cannot reach the digest.",
			Edits: edits(after("envelope/parse.go", "\te.Payload = body[payload:len(body):len(body)]\n", `
				if SABOTAGED {
					e.Payload = body[payload:]
				}
			`)),
			Red:      "TestThePayloadAliasesTheBytesAndEndsBeforeTheDigest",
			Controls: tests("TestEveryFlippedBitIsCorrupt"),
		},
	}
}
