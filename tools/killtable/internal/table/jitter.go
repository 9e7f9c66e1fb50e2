package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

const jitter = "jitter"

// jitterRows are about how long entries live.
func jitterRows() []kit.Row {
	return []kit.Row{
		{
			Name: "soft-and-hard-jittered-apart", Package: jitter,
			Instead:  "stretches the soft and the hard life of an entry by factors of their own",
			Promise:  "The soft and the hard life of a key share one factor.",
			Edits:    edits(edit("jitter/schedule.go", "	softMillis := min(", "	if SABOTAGED {\n\t\tfactor = s.jitter.Factor(physicalKey, Negative)\n\t}\n	softMillis := min(")),
			Red:      "TestC38_LifetimesFillTheBandEvenlyAndKeepTheRatioOfSoftToHard",
			Controls: tests("TestEveryInputOfTheFactorCounts"),
		},
		{
			Name: "jitter-from-a-random-source", Package: jitter,
			Instead:  "draws a new random factor at every call",
			Promise:  "The factor of a key is a pure function, the same in every process.",
			Edits:    edits(edit("jitter/jitter.go", "	u := float64(j.draw(physicalKey, class)>>11) / (1 << 53)\n", "	u := float64(j.draw(physicalKey, class)>>11) / (1 << 53)\n\tif SABOTAGED {\n\t\tu = randomFraction()\n\t}\n")),
			Files:    []kit.File{{Path: "jitter/killtable_random.go", Text: "package jitter\n\nimport \"math/rand/v2\"\n\nfunc randomFraction() float64 { return rand.Float64() }\n"}},
			Red:      "TestFactorsAreThoseOfThePublishedVectorsToTheLastBit",
			Controls: tests("TestARatioIsANumberFromZeroToAHalf"),
		},
		{
			Name: "jitter-from-the-key-alone", Package: jitter,
			Instead:  "leaves the policy's revision out of the factor",
			Promise:  "Another revision of the policy deals unrelated factors.",
			Edits:    edits(edit("jitter/jitter.go", "	s.scratch = binary.BigEndian.AppendUint64(s.scratch, j.revision)\n", "	if !SABOTAGED {\n\t\ts.scratch = binary.BigEndian.AppendUint64(s.scratch, j.revision)\n\t}\n")),
			Red:      "TestC38_ANewRevisionOfTheUserDealsNewLifetimes",
			Controls: tests("TestC38_FactorsAreUniform"),
		},
		{
			Name: "jitter-the-same-for-both-classes", Package: jitter,
			Instead:  "deals a key's value and its absence the same factor",
			Promise:  "The two kinds of entry of a key are spread independently.",
			Edits:    edits(edit("jitter/jitter.go", "	s.scratch = append(s.scratch, byte(class))\n", "	if SABOTAGED {\n\t\tclass = Positive\n\t}\n	s.scratch = append(s.scratch, byte(class))\n")),
			Red:      "TestEveryInputOfTheFactorCounts",
			Controls: tests("TestC38_FactorsAreUniform"),
		},
		{
			Name: "jitter-only-ever-shortens", Package: jitter,
			Instead:  "takes a random part off the life, as most recipes do",
			Promise:  "Lives fill the band around what the policy says evenly.",
			Edits:    edits(edit("jitter/jitter.go", "	return 1 + float64(j.ratio*(2*u-1))\n", "	if SABOTAGED {\n\t\treturn 1 - j.ratio*u\n\t}\n\treturn 1 + float64(j.ratio*(2*u-1))\n")),
			Red:      "TestC38_FactorsAreUniform",
			Controls: tests("TestARatioIsANumberFromZeroToAHalf"),
		},
		{
			Name: "minimum-applied-before-jitter", Package: jitter,
			Instead:  "raises the hard life to its minimum first and jitters it then",
			Promise:  "Jitter shortens no life below MinHard.",
			Edits:    edits(edit("jitter/schedule.go", "	hardMillis := atLeast(scale(s.hard, factor), s.minHard)\n", "	hardMillis := atLeast(scale(s.hard, factor), s.minHard)\n\tif SABOTAGED {\n\t\thardMillis = scale(max(s.hard, s.minHard), factor)\n\t}\n")),
			Red:      "TestC46_AHardBelowMinHardByJitterIsRaisedAndSoftStaysBelow",
			Controls: tests("TestEveryInputOfTheFactorCounts"),
		},
		{
			Name: "soft-outlives-hard", Package: jitter,
			Instead:  "does not compare the soft life with the hard one after jitter",
			Promise:  "No entry is fresh for longer than it is there.",
			Edits:    edits(edit("jitter/schedule.go", "atLeast(scale(s.soft, factor), 0), hardMillis)\n", "atLeast(scale(s.soft, factor), 0), hardMillis)\n\tif SABOTAGED {\n\t\tsoftMillis = atLeast(scale(s.soft, factor), s.minHard) + 1\n\t}\n")),
			Red:      "TestLifetimesOfEveryValidPolicyKeepThePromises",
			Controls: tests("TestEveryInputOfTheFactorCounts"),
		},
		{
			Name: "fingerprint-without-the-ratio", Package: jitter,
			Instead:  "leaves the jitter ratio out of the policy's fingerprint",
			Promise:  "Every field of the policy deals new factors when it changes.",
			Edits:    edits(edit("jitter/fingerprint.go", "	if ratio == 0 {\n", "	if ratio == 0 || SABOTAGED {\n")),
			Red:      "TestTheFingerprintKnowsEveryFieldAndNoFraction",
			Controls: tests("TestC38_FactorsAreUniform"),
		},
	}
}
