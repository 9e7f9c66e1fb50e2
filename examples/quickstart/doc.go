// Command quickstart wraps a repository in cacheaside and shows every way in which a read can end: loaded, fresh, stale while the source fails,
// absent, rejected at a bound, and loaded again after an invalidation.
//
//	go run ./examples/quickstart               an embedded cache
//	go run ./examples/quickstart -redis URL    the Redis at that URL
//	go run ./examples/quickstart -redis auto   the redis-server on PATH, started for this run
//
// read.go is the part to copy. The source is real: ISO 3166-1 in a SQLite file, and its failure is a lock that somebody else holds.
package main
