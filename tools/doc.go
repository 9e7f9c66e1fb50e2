// Package tools pins the programs that check this repository and holds those that are its own: testlog, which prints a go test -json stream
// as go test itself would, evidence, which compares docs/evidence.md with such streams, and killtable, which breaks the library in naive ways and
// shows which test notices each. It is a module of its own so that none of what it needs reaches a user's go.sum.
package tools
