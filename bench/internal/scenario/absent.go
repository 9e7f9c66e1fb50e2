package scenario

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

// S17: half of the requests ask for rows that do not exist, hardly ever twice for the same.
func absentFlood() Scenario {
	return Scenario{
		ID: "S17", Title: "A flood of absent keys",
		Question:   "Half of the requests ask for one of a million keys that have no row. Is the source protected, and is a row that is created seen in time?",
		plan:       planFlood,
		conclude:   concludeFlood,
		parameters: func(o Options) []result.Parameter { return describe(floodSetup(o)) },
		notes: []string{
			"Nearly every request of the flood is for a key that nobody asked for before, so that no cache can answer it: each is a load, or is refused. What counts is that the loads are bounded.",
			"Rows are created for the popular ones among the absent keys at 10 s; they must be seen within the negative lifetime, jitter included, and one load.",
		},
	}
}

const floodKeys = 1_000_000

var created = measure.Trigger{From: 10 * time.Second, To: 10 * time.Second}

func floodSetup(o Options) sim.Setup {
	setup := base(o)
	setup.Trigger = created
	setup.TTL = contender.TTL{Soft: time.Minute, Hard: 10 * time.Minute, Negative: 5 * time.Second}
	first := uint64(setup.Keys.Keys())
	seed, keys := setup.Seed, setup.Keys
	setup.KeyOf = func(request uint64) uint64 {
		if request%2 == 0 {
			return keys.Key(workload.Uniform(seed, workload.Keys, request))
		}
		return first + uint64(floodKeys*workload.Uniform(seed, workload.Keys, request))
	}
	setup.Absent = func(key uint64) bool { return key >= first || sim.OneInTwenty(key) }
	setup.Changes = []sim.Change{{At: created.From, Created: []uint64{19, 39, 59}}}
	setup.Length = watched(o, created.To, 20*time.Second)
	return setup
}

func planFlood(o Options) []Task {
	if o.Size == Quarter {
		return each(only(o.Contenders, strict, survive), "", floodSetup(o))
	}
	return each(some(o, "P0", "P2", strict, survive), "", floodSetup(o))
}

func concludeFlood(o Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	setup := floodSetup(o)
	for _, run := range runs {
		if !ours(run) {
			c.show(run, "loads at once at the source", short(float64(run.SourceOutstanding)))
			continue
		}
		c.atMost(run, "loads at once at the source", float64(run.SourceOutstanding), permits(setup, run.Contender))
		c.atMost(run, "a created row is denied for, s", run.Extra[sim.CreatedSeen], setup.TTL.Negative.Seconds()*(1+setup.Jitter)+1)
	}
	return c, overTime("S17", "S17, half of the keys absent", runs, created, capacity(setup))
}
