package scenario

import (
	"fmt"
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// S3: the store forgets everything.
func flush() Scenario {
	return Scenario{
		ID: "S3", Title: "Flush and cold start",
		Question:   "The store forgets everything at once. Does the service come back, and how fast?",
		plan:       planFlush,
		conclude:   concludeFlush,
		parameters: func(o Options) []result.Parameter { return describe(flushSetup(o, 1)) },
		notes:      []string{"Nothing stale is left to answer with: what counts is only how the loads are bounded and shared."},
	}
}

var flushed = measure.Trigger{From: 5 * time.Second, To: 5 * time.Second}

func flushSetup(o Options, load float64) sim.Setup {
	setup := base(o)
	setup.Rate *= load
	setup.Trigger = flushed
	setup.StoreFaults = []sim.StoreFault{{Kind: sim.Flush, From: flushed.From}}
	setup.Length = watched(o, flushed.To, 90*time.Second)
	if o.Size == Quarter {
		setup.Length = watched(o, flushed.To, 25*time.Second)
	}
	return setup
}

func planFlush(o Options) []Task {
	if o.Size == Quarter {
		return each(only(o.Contenders, strict, survive), rateName(o, 2), flushSetup(o, 2))
	}
	tasks := each(some(o, "P0", "P2", strict, survive, fleet), rateName(o, 2), flushSetup(o, 2))
	if o.Size == Full {
		tasks = append(each(o.Contenders, rateName(o, 1), flushSetup(o, 1)), tasks...)
	}
	return tasks
}

func rateName(o Options, load float64) string { return fmt.Sprintf("%s/s", short(base(o).Rate*load)) }

func concludeFlush(o Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	for _, run := range runs {
		if !ours(run) {
			c.show(run, "recovers after the flush, s", recovery(run.RecoverySeconds))
			continue
		}
		c.atMost(run, "loads at once at the source", float64(run.SourceOutstanding), permits(base(o), run.Contender))
		c.atLeast(run, "goodput one second after", goodputOf(run, flushed.To+time.Second), 0.75)
		c.atLeast(run, "goodput five seconds after", goodputOf(run, flushed.To+5*time.Second), 0.95)
		c.recovered(run, 10)
	}
	fast := inVariant(runs, rateName(o, 2))
	plots := overTime("S3", "S3 at "+rateName(o, 2), fast, flushed, capacity(base(o)))
	return c, append(plots, tails("S3", "S3 at "+rateName(o, 2), fast)...)
}

// goodputOf is that of the second that begins then.
func goodputOf(run result.Run, begins time.Duration) float64 {
	return measure.Goodput(run.Seconds, begins, begins+time.Second)
}
