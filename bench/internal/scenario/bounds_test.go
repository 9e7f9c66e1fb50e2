package scenario_test

import (
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/scenario"
)

// TestBoundsThatThisLibraryKeepsAreBrokenByOthers holds the runs of plain contenders against the bounds of SurvivePolicy: a bound that everything
// keeps shows nothing. S8 is not among them: whoever waits for a slow store gets his answer, later.
func TestBoundsThatThisLibraryKeepsAreBrokenByOthers(t *testing.T) {
	notUnderRace(t)
	tests := []struct{ id, contender string }{
		{"S1", "P0"},
		{"S3", "P0"},
		{"S4", "P0"}, {"S4", "P1"}, {"S4", "P2"},
		{"S6", "P0"},
		{"S7", "P0"}, {"S7", "P2"},
		{"S9", "P0"}, {"S9", "P3"}, {"S9", "P4"},
		{"S10", "P0"}, {"S10", "P1"}, {"S10", "P3"},
		{"S11", "P2"}, {"S11", "P4"},
		{"S12", "P0"}, {"S12", "P1"}, {"S12", "P2"}, {"S12", "P5"},
		{"S16", "P0"},
		{"S17", "P0"}, {"S17", "P2"},
	}
	for _, test := range tests {
		t.Run(test.id+" "+test.contender, func(t *testing.T) {
			found := inDisguise(t, test.id, test.contender, "P7")
			for _, check := range found.Checks {
				if check.Verdict == result.Fail {
					return
				}
			}
			t.Errorf("%s keeps every bound: %+v", test.contender, found.Checks)
		})
	}
}

// TestBoundsOfLeasesAreBrokenByThoseWithout holds what a lock, or a policy within the process, does against the bounds of leases across the fleet.
func TestBoundsOfLeasesAreBrokenByThoseWithout(t *testing.T) {
	notUnderRace(t)
	for _, test := range []struct{ id, contender, broken string }{
		{"S1", "P7", "64 nodes: source calls per expiry"},
		{"S12", "P7", "flushed every 20 ms: of these, answers that the store held"},
		{"S12", "P7", "evicts half of what is in use: of these, answers that the store held"},
		{"S12", "P7", "starts anew every 50 ms: of these, answers that the store held"},
		{"S13", "P4", "a cold key: first fresh answer"}, {"S13", "P4", "old value is stored: callers without an answer"},
		{"S13", "P4", "suspended for 8 s: answers older than an invalidation"},
		{"S14", "P7", "flushed: answers older than an invalidation"}, {"S14", "P4", "failed over: answers older than an invalidation"},
		{"S15", "P4", "recovers after the trouble"},
	} {
		t.Run(test.id+" "+test.contender+" "+test.broken, func(t *testing.T) {
			failed := failures(inDisguise(t, test.id, test.contender, "P8"))
			if !strings.Contains(strings.Join(failed, "; "), test.broken) {
				t.Errorf("%s keeps it; it breaks %q", test.contender, failed)
			}
		})
	}
}

// inDisguise runs the tasks of a contender on this library with another one and concludes as if they were its own.
func inDisguise(t *testing.T, id, other, as string) result.Scenario {
	t.Helper()
	disguised := one(t, other)
	disguised.ID, disguised.Name = as, one(t, as).Name
	o := scenario.Options{Seed: 1, Size: scenario.Quarter, Contenders: []contender.Contender{disguised}}
	s := find(t, id)
	var runs []result.Run
	for _, task := range s.Plan(o) {
		run, err := task.Run(t.Context(), bubble.Of(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	if len(runs) == 0 {
		t.Fatalf("%s runs nothing for %s", id, as)
	}
	return s.Conclude(o, runs)
}

func one(t *testing.T, id string) contender.Contender {
	t.Helper()
	for _, c := range contender.All() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no contender %s", id)
	return contender.Contender{}
}
