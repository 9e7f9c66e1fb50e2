package scenario_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/scenario"
)

// scenarioOf gives the one with the id.
func scenarioOf(t *testing.T, id string) scenario.Scenario {
	t.Helper()
	all := scenario.All()
	at := slices.IndexFunc(all, func(s scenario.Scenario) bool { return s.ID == id })
	if at < 0 {
		t.Fatalf("there is no %s", id)
	}
	return all[at]
}

func TestNoInterleavingIsRefusedByABound(t *testing.T) {
	t.Parallel()
	o := scenario.Options{Seed: 1, Size: scenario.Quarter, Contenders: contender.All()}
	found := concluded(t, "S12", o)
	if len(found.Runs) < 2 {
		t.Fatalf("%d runs", len(found.Runs))
	}
	for _, run := range found.Runs {
		if run.Attempts == 0 || run.Endings["rejected"] > 0 {
			t.Errorf("%s: %d of %d calls were refused, and raced with nothing", run.Contender, run.Endings["rejected"], run.Attempts)
		}
	}
}

func TestTheParametersTellTheNodesAndCallersThatThereAre(t *testing.T) {
	t.Parallel()
	o := scenario.Options{Seed: 1, Size: scenario.Short, Nodes: 3, Contenders: contender.All()}
	for _, test := range []struct{ id, name, want string }{
		{"S1", "nodes", "3"}, {"S3", "nodes", "3"}, {"S9", "nodes", "1"}, {"S10", "nodes", "1"}, {"S11", "nodes", "1"}, {"S12", "nodes", "2"},
		{"S13", "nodes", "3"}, {"S14", "nodes", "2"}, {"S15", "nodes", "3"},
		{"S13", "caller", ""}, {"S14", "caller", ""}, {"S9", "caller", ""}, {"S10", "caller", ""}, {"S12", "caller", ""}, {"S11", "caller", "up to 1 call at"},
	} {
		got := ""
		for _, p := range scenarioOf(t, test.id).Conclude(o, nil).Parameters {
			if p.Name == test.name {
				got = p.Value
			}
		}
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: %s is %q, want %q", test.id, test.name, got, test.want)
		}
	}
}

func TestNeverIsExplainedWhereItIsSaid(t *testing.T) {
	t.Parallel()
	o := scenario.Options{Seed: 1, Size: scenario.Short, Contenders: contender.All()}
	for seconds, want := range map[float64]bool{-1: true, 3: false} {
		found := scenarioOf(t, "S3").Conclude(o, []result.Run{{Contender: "P0", RecoverySeconds: seconds}})
		if said := strings.Contains(strings.Join(found.Notes, " "), "never"); said != want {
			t.Errorf("recovery %v: %v", seconds, found.Notes)
		}
	}
}
