package scenario_test

import (
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/scenario"
)

func TestTheMapCountsBlackCellsOfTroubleOnly(t *testing.T) {
	m := scenario.NewMap(scenario.Options{Seed: 1, Size: scenario.Short, Contenders: contender.All()})
	tasks := m.Plan()
	runs := make([]*result.Run, len(tasks))
	for n, task := range tasks {
		switch {
		case strings.HasSuffix(task.Variant, ", 0 s"), strings.HasSuffix(task.Variant, ", 30 s"):
			runs[n] = &result.Run{RecoverySeconds: -1}
		case strings.HasSuffix(task.Variant, ", 3 s"):
			continue // was not made
		default:
			runs[n] = &result.Run{RecoverySeconds: 2}
		}
	}
	drawn := m.Conclude(runs)
	for _, panel := range drawn.Panels {
		if panel.Black < 0.333 || panel.Black > 0.334 {
			t.Errorf("%s: %v of the cells are black, want one of the three rows that were made with trouble", panel.Contender, panel.Black)
		}
		if len(panel.Cells) != len(drawn.Triggers) || len(panel.Cells[0]) != len(drawn.Utilisations) || panel.Cells[0][0] != -1 || panel.Cells[2][0] != -2 {
			t.Errorf("%s: %v", panel.Contender, panel.Cells)
		}
	}
	if drawn.Triggers[0] != 0 {
		t.Errorf("the first row is %v s of trouble, want none", drawn.Triggers[0])
	}
}

// TestTheMapsSourceIsAsBusyAsTheMapSays measures the runs without trouble: loads a second times the time of a load, over the workers.
func TestTheMapsSourceIsAsBusyAsTheMapSays(t *testing.T) {
	m := scenario.NewMap(scenario.Options{Seed: 1, Size: scenario.Short, Contenders: []contender.Contender{one(t, "P6")}})
	means := map[string]float64{}
	for _, task := range m.Plan() {
		if task.Variant != "map, 0.1 busy, 0 s" && task.Variant != "map, 0.3 busy, 0 s" {
			continue
		}
		run, err := task.Run(t.Context(), bubble.Of(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		loads := float64(run.SourceCalls) / float64(len(run.Seconds))
		mean := run.ByEnding["loaded"].Mean - 1 // a few trips of the store
		means[task.Variant] = mean
		busy := loads * mean / 1000 / 4
		want := 0.1
		if task.Variant == "map, 0.3 busy, 0 s" {
			want = 0.3
		}
		// Callers who wait for the load of another, or in the queue, change its mean a little.
		if busy < 0.93*want || busy > 1.1*want {
			t.Errorf("%s: the source is %.3f busy: %.1f loads a second of %.1f ms on 4 workers", task.Variant, busy, loads, mean)
		}
	}
	if len(means) != 2 {
		t.Fatalf("%d runs without trouble, want 2", len(means))
	}
}
