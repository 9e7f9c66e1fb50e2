package scenario

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// S6: the source is away for longer than anything may be served.
func sourceDown() Scenario {
	return Scenario{
		ID: "S6", Title: "The source is down past the hard expiry",
		Question:   "The source is down for 120 s; rows may be served for 60 s. Is anything older ever served, and what happens when the source returns?",
		plan:       planDown,
		conclude:   concludeDown,
		parameters: func(o Options) []result.Parameter { return describe(downSetup(o)) },
		notes: []string{
			"Once everything has expired there is nothing to answer with: no cache helps there. What counts is that nothing too old is served, and that the source is not trampled when it returns.",
		},
	}
}

var away = measure.Trigger{From: 5 * time.Second, To: 125 * time.Second}

func downSetup(o Options) sim.Setup {
	setup := base(o)
	setup.Trigger = away
	setup.TTL = contender.TTL{Soft: 20 * time.Second, Hard: time.Minute, Negative: 20 * time.Second}
	setup.SourceFaults = []sim.SourceFault{{From: away.From, To: away.To, Down: true}}
	setup.Length = watched(o, away.To, 30*time.Second)
	return setup
}

func planDown(o Options) []Task { return each(some(o, "P0", "P2", strict, survive), "", downSetup(o)) }

func concludeDown(o Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	for _, run := range runs {
		if !ours(run) {
			c.show(run, "recovers after the source's return, s", recovery(run.RecoverySeconds))
			continue
		}
		c.atMost(run, "answers at or past their hard expiry", float64(run.PastHard), 0)
		c.atMost(run, "age of the oldest stale answer, s", run.StaleAge.Max/1000, oldest(downSetup(o), run.Contender).Seconds())
		c.atMost(run, "loads at once at the source", float64(run.SourceOutstanding), permits(base(o), run.Contender))
		c.recovered(run, 2)
	}
	plots := overTime("S6", "S6, source down for 120 s", runs, away, capacity(base(o)))
	return c, append(plots, ages("S6", "S6", runs, downSetup(o).TTL.Hard)...)
}

// oldest is how old a row can be that is answered stale: its hard life, jitter included, counts from the end of its load, and its age from the time
// the source read it. Histograms round up by a thousandth.
func oldest(setup sim.Setup, contender string) time.Duration {
	life := time.Duration(float64(setup.TTL.Hard) * (1 + setup.Jitter))
	return (life + policyOf(contender).LoadDeadline + policyOf(contender).RecordWait) * 1001 / 1000
}
