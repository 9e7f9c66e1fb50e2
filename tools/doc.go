// Package tools pins the programs that check this repository and holds the two that are its own: testlog, which prints a go test -json stream
// as go test itself would, and evidence, which compares docs/evidence.md with such streams. It is a module of its own so that none of what it
// needs reaches a user's go.sum.
package tools
