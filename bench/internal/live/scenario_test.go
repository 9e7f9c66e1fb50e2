package live_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/internal/redistest"
)

// these gives the contenders with the named IDs.
func these(ids ...string) []contender.Contender {
	return slices.DeleteFunc(contender.All(), func(c contender.Contender) bool { return !slices.Contains(ids, c.ID) })
}

// play runs a scenario on a Redis of its own, as short as it can be.
func play(t *testing.T, id string, o live.Options) result.Scenario {
	t.Helper()
	redistest.Require(t)
	o.Redis, o.Seed = live.Auto, 1
	if o.Duration == 0 {
		o.Duration = 1500 * time.Millisecond
	}
	steps := 0.0
	found, err := live.Run(t.Context(), o, id, func(done, total float64) {
		if done > total || done < steps {
			t.Errorf("progress goes from %v to %v of %v", steps, done, total)
		}
		steps = done
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// runOf gives the run of a contender in a variant.
func runOf(t *testing.T, found result.Scenario, id, variant string) result.Run {
	t.Helper()
	for _, run := range found.Runs {
		if run.Contender == id && run.Variant == variant {
			return run
		}
	}
	t.Fatalf("%s has no run of %s %s", found.ID, id, variant)
	return result.Run{}
}

// mustPass fails for each check that has failed, and where no check of the contender could have.
func mustPass(t *testing.T, found result.Scenario, ids ...string) {
	t.Helper()
	passed := make(map[string]bool)
	for _, check := range found.Checks {
		if check.Verdict == result.Fail {
			t.Errorf("%s %s %s: %s is %s, must be %s", found.ID, check.Contender, check.Variant, check.What, check.Measured, check.Bound)
		}
		passed[check.Contender] = passed[check.Contender] || check.Verdict == result.Pass
	}
	for _, id := range ids {
		if !passed[id] {
			t.Errorf("%s: nothing is checked of %s", found.ID, id)
		}
	}
}

func TestACancelledLeaderCostsItsFollowersNothingOnThisLibraryOnly(t *testing.T) {
	t.Parallel()
	found := play(t, "S10", live.Options{Contenders: these("P1", "P7"), Callers: 50, Load: 400 * time.Millisecond})
	mustPass(t, found, "P7")
	if run := runOf(t, found, "P1", ""); run.Endings["failed"] != 49 || run.Reasons["another caller's context"] != 49 {
		t.Errorf("the followers of P1 end as %v for %v, want 49 failed for another caller's context", run.Endings, run.Reasons)
	}
	if run := runOf(t, found, "P7", ""); run.SourceCalls != 1 || run.Endings["timed out"] != 1 {
		t.Errorf("P7 makes %d calls and ends as %v, want 1 call and nobody but the leader timed out", run.SourceCalls, run.Endings)
	}
}

func TestPlotsHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	found := play(t, "S1", live.Options{Contenders: these("P7"), Nodes: 2, Rate: 200})
	mustPass(t, found, "P7")
	seen := make(map[string]bool)
	for _, plot := range found.Plots {
		if seen[plot.ID] || strings.ContainsAny(plot.ID, " ,/=") {
			t.Errorf("plot ID %q is not unique or not fit for a file name", plot.ID)
		}
		seen[plot.ID] = true
		if len(plot.Lines) == 0 || len(plot.Lines[0].Data) == 0 {
			t.Errorf("plot %s is empty", plot.ID)
		}
	}
}
