package scenario

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/cacheaside"
)

// S5: every other load fails for a while, and some rows are gone for good.
func brownOut() Scenario {
	return Scenario{
		ID: "S5", Title: "Brown-out",
		Question:   "For 30 s every other load fails for the moment, and in the same time every hundredth row is removed. Are failures told from absences, and how many more loads are tried?",
		plan:       planBrownOut,
		conclude:   concludeBrownOut,
		parameters: func(o Options) []result.Parameter { return describe(brownSetup(o, true)) },
		notes: []string{
			"An absence is masked where a caller is given the old row more than 300 ms after the source has said, to anybody, that it is gone. Old rows are served from other nodes' view of the cache only until the absence is recorded there.",
		},
	}
}

var brown = measure.Trigger{From: 5 * time.Second, To: 35 * time.Second}

const (
	noTrouble = "no failures"
	backoff   = "half fail"
	noBackoff = "half fail, no backoff"
)

func brownSetup(o Options, fails bool) sim.Setup {
	setup := base(o)
	setup.Trigger = brown
	if fails {
		setup.SourceFaults = []sim.SourceFault{{From: brown.From, To: brown.To, Errors: 0.5}}
	}
	var removed []uint64
	for key := uint64(18); key < uint64(setup.Keys.Keys()); key += 100 {
		removed = append(removed, key)
	}
	setup.Changes = []sim.Change{{At: brown.From, Removed: removed}}
	setup.Length = watched(o, brown.To, 15*time.Second)
	return setup
}

func planBrownOut(o Options) []Task {
	held := only(o.Contenders, strict, survive)
	if o.Size == Full || o.Named { // where it runs in the trouble too
		held = only(o.Contenders, strict, survive, fleet)
	}
	tasks := each(held, noTrouble, brownSetup(o, false))
	tasks = append(tasks, each(some(o, "P0", "P2", strict, survive), backoff, brownSetup(o, true))...)
	without := brownSetup(o, true)
	without.Policy = func(p *cacheaside.Policy) { p.FailureBackoff = 0 }
	return append(tasks, each(only(o.Contenders, survive), noBackoff, without)...)
}

func concludeBrownOut(o Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	loads := map[string]float64{}
	for _, run := range inVariant(runs, noTrouble) {
		loads[run.Contender] = loadsInTrouble(run)
	}
	for _, run := range runs {
		if !ours(run) {
			c.show(run, "goodput from the trouble on", short(run.Goodput))
			continue
		}
		c.atMost(run, "absences masked by an old row", float64(run.Violations), 0)
		if calm := loads[run.Contender]; calm > 0 && run.Variant != noTrouble {
			bound := 2.2
			if survives(run) && run.Variant == backoff {
				bound = 1.1
			}
			c.atMost(run, "loads in the trouble over those without it", loadsInTrouble(run)/calm, bound)
		}
	}
	return c, overTime("S5", "S5, half of the loads fail", inVariant(runs, backoff), brown, capacity(base(o)))
}

func loadsInTrouble(run result.Run) float64 {
	return float64(measure.SourceCalls(run.Seconds, brown.From, brown.To))
}
