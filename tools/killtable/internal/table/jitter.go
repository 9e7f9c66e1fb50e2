package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

const jitter = "jitter"

// jitterRows are about how long entries live.
func jitterRows() []kit.Row {
	return []kit.Row{
		{
			Name: "soft-and-hard-jittered-apart", Package: jitter,
			Instead: "stretches the soft and the hard life of an entry by factors of their own",
			Promise: "The soft and the hard life of a key share one factor.",
			Edits: edits(before("jitter/schedule.go", "\tsoftMillis := min(", `
				if SABOTAGED {
					factor = s.jitter.Factor(physicalKey, Negative)
				}
			`)),
			Red:      "TestC38_LifetimesFillTheBandEvenlyAndKeepTheRatioOfSoftToHard",
			Controls: tests("TestEveryInputOfTheFactorCounts"),
		},
		{
			Name: "jitter-from-a-random-source", Package: jitter,
			Instead: "draws a new random factor at every call",
			Promise: "The factor of a key is a pure function, the same in every process.",
			Edits: edits(after("jitter/jitter.go", "\tu := float64(j.draw(physicalKey, class)>>11) / (1 << 53)\n", `
				if SABOTAGED {
					u = randomFraction()
				}
			`)),
			Files: []kit.File{{Path: "jitter/killtable_random.go", Text: `package jitter

import "math/rand/v2"

func randomFraction() float64 { return rand.Float64() }
`}},
			Red:      "TestFactorsAreThoseOfThePublishedVectorsToTheLastBit",
			Controls: tests("TestARatioIsANumberFromZeroToAHalf"),
		},
		{
			Name: "jitter-from-the-key-alone", Package: jitter,
			Instead: "leaves the policy's revision out of the factor",
			Promise: "Another revision of the policy deals unrelated factors.",
			Edits: edits(edit("jitter/jitter.go", "\ts.scratch = binary.BigEndian.AppendUint64(s.scratch, j.revision)\n", `
				if !SABOTAGED {
					s.scratch = binary.BigEndian.AppendUint64(s.scratch, j.revision)
				}
			`)),
			Red:      "TestC38_ANewRevisionOfTheUserDealsNewLifetimes",
			Controls: tests("TestC38_FactorsAreUniform"),
		},
		{
			Name: "jitter-the-same-for-both-classes", Package: jitter,
			Instead: "deals a key's value and its absence the same factor",
			Promise: "The two kinds of entry of a key are spread independently.",
			Edits: edits(before("jitter/jitter.go", "\ts.scratch = append(s.scratch, byte(class))\n", `
				if SABOTAGED {
					class = Positive
				}
			`)),
			Red:      "TestEveryInputOfTheFactorCounts",
			Controls: tests("TestC38_FactorsAreUniform"),
		},
		{
			Name: "jitter-only-ever-shortens", Package: jitter,
			Instead: "takes a random part off the life, as most recipes do",
			Promise: "Lives fill the band around what the policy says evenly.",
			Edits: edits(before("jitter/jitter.go", "\treturn 1 + float64(j.ratio*(2*u-1))\n", `
				if SABOTAGED {
					return 1 - j.ratio*u
				}
			`)),
			Red:      "TestC38_FactorsAreUniform",
			Controls: tests("TestARatioIsANumberFromZeroToAHalf"),
		},
		{
			Name: "minimum-applied-before-jitter", Package: jitter,
			Instead: "raises the hard life to its minimum first and jitters it then",
			Promise: "Jitter shortens no life below MinHard.",
			Edits: edits(after("jitter/schedule.go", "\thardMillis := atLeast(scale(s.hard, factor), s.minHard)\n", `
				if SABOTAGED {
					hardMillis = scale(max(s.hard, s.minHard), factor)
				}
			`)),
			Red:      "TestC46_AHardBelowMinHardByJitterIsRaisedAndSoftStaysBelow",
			Controls: tests("TestEveryInputOfTheFactorCounts"),
		},
		{
			Name: "soft-life-not-jittered", Package: jitter,
			Instead: "jitters the expiry at the server and leaves the soft life alone",
			Promise: "Both lives of an entry are stretched together, so that none is fresh for longer than it is there.",
			Edits: edits(after("jitter/schedule.go", "atLeast(scale(s.soft, factor), 0), hardMillis)\n", `
				if SABOTAGED {
					softMillis = s.soft
				}
			`)),
			Red:      "TestC46_AHardBelowMinHardByJitterIsRaisedAndSoftStaysBelow",
			Controls: tests("TestEveryInputOfTheFactorCounts"),
		},
		{
			Name: "fingerprint-without-the-ratio", Package: jitter,
			Instead:  "leaves the jitter ratio out of the policy's fingerprint",
			Promise:  "Every field of the policy deals new factors when it changes.",
			Edits:    edits(edit("jitter/fingerprint.go", "if ratio == 0 {", "if ratio == 0 || SABOTAGED {")),
			Red:      "TestTheFingerprintKnowsEveryFieldAndNoFraction",
			Controls: tests("TestC38_FactorsAreUniform"),
		},
	}
}
