// Package scenarios puts the lab's live scenarios to other libraries and to this one, each node in a process of its own, on one Redis.
//
// This library takes part with its presets as the lab's P7 and P6, so that its figures are held to the lab's bounds; those of others are shown. In
// what comes of a run all have the names that the correctness table has for them.
package scenarios
