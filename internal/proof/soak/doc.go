// Package soak holds no code but tests: everything at once for a while. Several processes, each a region with a client and a proxy of its own, share
// the entries of one namespace on a real server, while callers come and leave, the source changes, is slow, fails and hangs, and a seed decides which
// connections break and when the server is killed, paused, flushed or loses its scripts.
//
// Every value carries the version of the row it was read from, so that each answer can be judged: it is one that the source gave for that very key;
// it is no older than its hard expiry allows; where docs/invalidate.md promises it, it is none from before an invalidation; it came within the bounds
// of its call. Loads, waiters, keys and connections are held to their limits all the while, and at the end nothing is left: no permit, no entry
// of a map, no goroutine, no lent connection.
//
// It takes some seconds, or as long as it is told, of which three minutes are the least that must show every status and every fault:
//
//	CACHEASIDE_SOAK=3m go test -race -v -run TestSoak ./internal/proof/soak
//
// CACHEASIDE_SOAK_SEED repeats the faults of a run, though not the schedule of its goroutines. The rules are tried against systems that break them.
package soak
