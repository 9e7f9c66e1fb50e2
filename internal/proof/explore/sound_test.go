package explore_test

import (
	"slices"
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

// A state's text that left out what matters would end schedules that go somewhere else: without pruning, more states would be met.
func TestPruningHidesNoStateOfFills(t *testing.T) {
	t.Parallel()
	for name, depth := range map[string]int{"pair": 5, "pair stale": 4, "overtaken": 5, "faulty": 3, "hung": 5, "own": 4} {
		wantSamePruned(t, name, depth)
	}
}

func wantSamePruned(t *testing.T, name string, depth int) {
	t.Helper()
	create := newFills(setting(t, name))
	all := explore.Search{New: create, Depth: depth, Unpruned: true}.Run(t)
	pruned := explore.Search{New: create, Depth: depth}.Run(t)
	if pruned.States != all.States || len(all.Violations)+len(pruned.Violations) > 0 {
		t.Errorf("%s: %s; without pruning %s", name, pruned, all)
	}
	if pruned.Schedules >= all.Schedules {
		t.Errorf("%s: %s; without pruning %s, which is to be more", name, pruned, all)
	}
}

// noted keeps the states on the way, one after the other.
type noted struct {
	explore.System

	way *[]string
}

func (n noted) Choices() []explore.Choice {
	*n.way = append(*n.way, n.State())
	return n.System.Choices()
}

func TestTheSameChoicesLeadThroughTheSameStates(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		var ways [2][]string
		for i := range ways {
			create := func(seed uint64) explore.System { return noted{newWalk(nil)(seed), &ways[i]} }
			report := explore.Walk{New: create, Depth: 30, First: seed, Walks: 1}.Run(t)
			if len(report.Violations) > 0 {
				t.Fatalf("walk %d: %s", seed, texts(report.Violations))
			}
		}
		if len(ways[0]) != 31 || !slices.Equal(ways[0], ways[1]) {
			t.Errorf("walk %d goes two ways, of %d and %d states", seed, len(ways[0]), len(ways[1]))
		}
	}
}
