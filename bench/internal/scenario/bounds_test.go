package scenario_test

import (
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
			found := inDisguise(t, test.id, test.contender)
			for _, check := range found.Checks {
				if check.Verdict == result.Fail {
					return
				}
			}
			t.Errorf("%s keeps every bound: %+v", test.contender, found.Checks)
		})
	}
}

// inDisguise runs the tasks of SurvivePolicy with another contender and concludes as if they were SurvivePolicy's.
func inDisguise(t *testing.T, id, other string) result.Scenario {
	t.Helper()
	disguised := one(t, other)
	disguised.ID, disguised.Name = "P7", "SurvivePolicy"
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
		t.Fatalf("%s runs nothing for SurvivePolicy", id)
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
