//go:build !race

// Under the race detector sync.Pool drops a part of what it is given, on
// purpose, so that counts of allocations mean nothing.

package jitter_test

import "testing"

//nolint:paralleltest // AllocsPerRun counts what the whole process allocates
func TestLifetimesAllocateNothing(t *testing.T) {
	s := mustSchedule(t, spread())
	if got := testing.AllocsPerRun(200, func() { s.Positive("user:1"); s.Negative("user:1") }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
