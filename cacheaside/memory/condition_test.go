package memory_test

import (
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// TestConditionsAreDecidedByThisTable lists every combination of what is asked for and what is there.
func TestConditionsAreDecidedByThisTable(t *testing.T) {
	t.Parallel()
	exactly, orGone := memory.Observations(7)
	otherExactly, otherOrGone := memory.Observations(8)
	const (
		applied = cacheaside.RecordReason(0)
		changed = cacheaside.RecordConditionFailed
		gone    = cacheaside.RecordObservationGone
	)
	tests := []struct {
		name                     string
		seen                     cacheaside.Observation
		present, expired, absent cacheaside.RecordReason // over write 7: in force, past its hard expiry, not there
	}{
		{"nothing", "", changed, applied, applied},
		{"this write", exactly, applied, applied, gone},
		{"this write or gone", orGone, applied, applied, applied},
		{"another write", otherExactly, changed, gone, gone},
		{"another write or gone", otherOrGone, changed, applied, applied},
		{"an invented one", "invented", changed, gone, gone},
		{"an invented one of the right length", "nine byte", changed, gone, gone},
		{"the mark alone", "~", changed, gone, gone},
		{"a cut one", exactly[:7], changed, gone, gone},
	}
	for _, test := range tests {
		got := [3]cacheaside.RecordReason{
			memory.Refuses(test.seen, 7, true, false), memory.Refuses(test.seen, 7, true, true), memory.Refuses(test.seen, 7, false, false),
		}
		if want := [3]cacheaside.RecordReason{test.present, test.expired, test.absent}; got != want {
			t.Errorf("asked for %s: %v, want %v", test.name, got, want)
		}
	}
}
