package explore

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// Walk makes seeded random choices. In each walk some choices are made far sooner than others, all through it, since what nobody foresaw is more
// often a long delay of one call than a well-mixed order of all.
type Walk struct {
	// Name tells what walks, in the violations; empty is "walk".
	Name string

	// New makes the fresh system of one seed. It is called inside the bubble.
	New func(seed uint64) System

	// Depth is how many choices are made before the fair completion takes over.
	Depth int

	// Walks is how many are made, with the seeds from First on.
	Walks int
	First uint64

	// Violations ends the walking after so many; 0 ends it after none.
	Violations int
}

// Run walks. A violation is of "walk 17" where 17 is the seed and nothing else is the name.
func (w Walk) Run(t *testing.T) Report {
	t.Helper()
	begun := time.Now()
	var report Report
	for seed := w.First; seed < w.First+uint64(w.Walks); seed++ {
		if w.Violations > 0 && len(report.Violations) >= w.Violations {
			report.partial = true
			break
		}
		report.count(fmt.Sprintf("%s %d", cmp.Or(w.Name, "walk"), seed), try(t, func() System { return w.New(seed) }, course{pick: w.pick(seed)}))
		report.Walks++
	}
	report.Elapsed = time.Since(begun)
	return report
}

// heaviest is how many weights there are, each twice the one before it.
const heaviest = 8

func (w Walk) pick(seed uint64) func(int, System, []Choice) int {
	rng := rand.New(rand.NewPCG(seed, 0))
	weights := make(map[string]int)
	return func(made int, _ System, choices []Choice) int {
		if made == w.Depth || len(choices) == 0 {
			return complete
		}
		sum := 0
		for _, choice := range choices {
			if weights[choice.Name] == 0 {
				weights[choice.Name] = 1 << rng.IntN(heaviest)
			}
			sum += weights[choice.Name]
		}
		at := rng.IntN(sum)
		for i, choice := range choices {
			if at -= weights[choice.Name]; at < 0 {
				return i
			}
		}
		return 0
	}
}
