// Package model tries the promises of a region on random histories: callers that come, wait and are cancelled, loads that end in every way, time
// that is moved to and around every boundary, invalidations, other processes, damaged entries, outages, records that hang, and the end of the region.
// After every step a small sequential model says which answers are legal, how many loads and lookups were made, what was recorded under which
// condition, what the store holds and what the gauges show.
//
// The histories run in a bubble of testing/synctest, so that time is virtual and every step ends when nothing moves any more. They run on the store
// of package memory and on the adapter for Redis with an in-process server. The same property must refuse stores that are wrong.
//
// A failure prints a seed and a shrunken history; -rapid.seed repeats it, -rapid.checks makes more. Everything is in test files.
package model
