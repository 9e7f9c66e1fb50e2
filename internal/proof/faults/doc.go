// Package faults holds no code but tests: every way in which a connection to a Redis server can fail, at every command that a cache sends, on a real
// server behind a proxy that inflicts it.
//
// The matrix is one table of faults by operations. Each cell names what must come of it by the contract of the adapter: the outcome and its cause, how
// often the server was sent each command, what it holds afterwards, and whether the call ends at once or at its time limit. It is run with a client
// of the recommended settings, with one that repeats what fails, and with one of a cluster; then once more through a region, for what a caller gets.
//
//	go test -v -run Matrix ./internal/proof/faults    # prints the table of what was seen
package faults
