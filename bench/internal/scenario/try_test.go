package scenario_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/scenario"
)

func TestTry(t *testing.T) {
	size := map[string]scenario.Size{"q": scenario.Quarter, "s": scenario.Short, "f": scenario.Full}[os.Getenv("SIZE")]
	for _, s := range scenario.All() {
		if want := os.Getenv("ONLY"); want != "" && want != s.ID {
			continue
		}
		o := scenario.Options{Seed: 1, Size: size, Contenders: contender.All()}
		var work []scenario.Work
		cost := 0.0
		for n, task := range s.Plan(o) {
			work = append(work, scenario.Work{Task: task, Index: n})
			cost += task.Cost
		}
		runs := make([]result.Run, len(work))
		begun := time.Now()
		if err := scenario.Execute(t.Context(), bubble.Of(t), work, 1, func(w scenario.Work, run result.Run) { runs[w.Index] = run }, nil); err != nil {
			t.Fatal(err)
		}
		took := time.Since(begun)
		got := s.Conclude(o, runs)
		fmt.Printf("== %s %s: %d runs, guessed %.1f s, took %v\n", s.ID, s.Title, len(runs), cost, took.Round(10*time.Millisecond))
		for _, c := range got.Checks {
			fmt.Printf("   %-5s %s %-28s %-48s %-10s %s\n", c.Verdict, c.Contender, c.Variant, c.What, c.Bound, c.Measured)
		}
	}
}
