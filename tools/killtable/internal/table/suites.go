package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// Suites are the tests that hold whole wrong variants of their own, of things that are no part of the library's files.
func Suites() []kit.Suite {
	return []kit.Suite{{
		Name:    "wrong-caches",
		About:   "Whole caches that break the contract of the port, each found by the assertion of the conformance suite that is there for it.",
		Package: "cacheaside/cachetest",
		Test:    "TestEveryWrongCacheTurnsItsNamedAssertionRed",
	}, {
		Name:    "wrong-fences",
		About:   "Whole fencers, putters and keepers of generations that break the contract, each found by the assertion that is there for it.",
		Package: "cacheaside/cachetest",
		Test:    "TestEveryWrongFenceTurnsItsNamedAssertionRed",
	}}
}

// Conformance are the packages of the suites that hold an implementation of a port to its contract. A row whose red test runs one says which assertion
// is red.
func Conformance() []string {
	const library = "github.com/cacheaside/resilience/"
	return []string{library + "cacheaside/cachetest", library + "lease/leasetest"}
}
