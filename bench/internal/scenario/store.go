package scenario

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/cacheaside"
)

// S7: the store is away.
func storeOutage() Scenario {
	return Scenario{
		ID: "S7", Title: "The store is away",
		Question:   "For 20 s the store refuses connections, or swallows what it is sent; or a replica takes over within a second. What do callers get, and does the source survive?",
		plan:       planOutage,
		conclude:   concludeOutage,
		parameters: func(o Options) []result.Parameter { return describe(outageSetup(o, sim.Refuse)) },
		notes: []string{
			"In the variant “failover” a tenth as many rows as are asked for are written and invalidated, and the replica lacks the last 100 ms: the rows that it still has from before an invalidation are served until they expire. No cache can know better.",
			"Without the store every answer is a load: goodput cannot pass what the source can do, shared loads aside. The bound is 0.95 of capacity over demand.",
			"In a black hole plain cache-aside spends all the time of its callers on the store and sends nothing to the source, so that it is back with the store; where the store refuses, everything goes to the source at once, and stays there.",
			"SourceConcurrency is each process's. Where the permits of all nodes together are more than the source does within the callers' deadline, what is loaded comes too late, and goodput falls far below what the source can do: the variant with four times the nodes shows it, and the one that gives each node its share of the permits mends it.",
			"Callers have 500 ms here. Where a caller's own deadline is shorter than LookupTimeout, every lookup of a black hole ends with its caller and tells the breaker nothing: it never opens, and nobody is answered. Keep LookupTimeout well below the callers' deadline.",
			"The breaker here is a model of the Redis adapter's; the live mode runs the real one.",
		},
	}
}

var outage = measure.Trigger{From: 5 * time.Second, To: 25 * time.Second}

const (
	refusing  = "refuses"
	swallowed = "black hole"
	manyNodes = "refuses, four times the nodes"
	shared    = "refuses, four times the nodes, a quarter of the permits each"
)

// fleetTimes is how many times the nodes there are in the variants that ask for more of them.
const fleetTimes = 4

func outageSetup(o Options, kind sim.StoreFaultKind) sim.Setup {
	setup := base(o)
	setup.Trigger = outage
	setup.StoreFaults = []sim.StoreFault{{Kind: kind, From: outage.From, To: outage.To}}
	setup.Length = watched(o, outage.To, 70*time.Second)
	if o.Size == Quarter {
		setup.Length = watched(o, outage.To, 12*time.Second)
	}
	return setup
}

func planOutage(o Options) []Task {
	contenders := some(o, "P0", "P2", strict, survive, fleet)
	if o.Size == Quarter {
		contenders = only(o.Contenders, strict, survive)
	}
	tasks := each(contenders, refusing, outageSetup(o, sim.Refuse))
	tasks = append(tasks, each(contenders, swallowed, outageSetup(o, sim.BlackHole))...)
	if o.Size != Quarter {
		fleet := outageSetup(o, sim.Refuse)
		fleet.Nodes *= fleetTimes
		tasks = append(tasks, each(only(o.Contenders, survive), manyNodes, fleet)...)
		fleet.Policy = shareOfFleet
		tasks = append(tasks, each(only(o.Contenders, survive), shared, fleet)...)
	}
	return append(tasks, planFailover(o)...)
}

// shareOfFleet leaves the fleet together as many permits as it had with fewer nodes.
func shareOfFleet(p *cacheaside.Policy) { p.SourceConcurrency /= fleetTimes }

func concludeOutage(o Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	reachable := 0.95 * capacity(base(o)) / base(o).Rate
	concludeFailover(&c, inVariant(runs, failover))
	for _, run := range runs {
		if run.Variant == failover {
			continue
		}
		during := measure.Goodput(run.Seconds, outage.From, outage.To)
		if !ours(run) || run.Variant == manyNodes {
			c.show(run, "goodput while the store is away", short(during))
			c.show(run, "recovers after its return, s", recovery(run.RecoverySeconds))
			continue
		}
		c.atLeast(run, "goodput while the store is away", during, reachable)
		c.atMost(run, "slowest lookup that began 300 ms into it, ms", run.Extra[sim.SlowLookup], 1)
		c.atMost(run, "loads at once at the source", float64(run.SourceOutstanding), permits(base(o), run.Contender))
		c.recovered(run, 2)
	}
	return c, overTime("S7", "S7, the store swallows what it is sent", inVariant(runs, swallowed), outage, capacity(base(o)))
}

// S8: the store answers, but late.
func storeSlow() Scenario {
	return Scenario{
		ID: "S8", Title: "The store is slow",
		Question:   "For 60 s the store answers in 200 ms in the middle of many. Is the time paid by every caller, or is it given up on in favour of the bounded source?",
		plan:       planSlowStore,
		conclude:   concludeSlowStore,
		parameters: func(o Options) []result.Parameter { return describe(slowStoreSetup(o)) },
		notes: []string{
			"The same bound as without a store: the source's capacity over the demand. A lookup gives up after 100 ms, so that a store of 200 ms is one that is away.",
			"Here plain cache-aside answers more: it waits for the store, and its callers have 500 ms. This library keeps the first byte early and loses the hits. Where a store may be that slow and callers can wait for it, raise LookupTimeout.",
		},
	}
}

var sluggish = measure.Trigger{From: 5 * time.Second, To: 65 * time.Second}

func slowStoreSetup(o Options) sim.Setup {
	setup := base(o)
	setup.Trigger = sluggish
	if o.Size == Quarter {
		setup.Trigger.To = setup.Trigger.From + 15*time.Second
	}
	setup.StoreFaults = []sim.StoreFault{{Kind: sim.Slow, From: setup.Trigger.From, To: setup.Trigger.To}}
	setup.Length = watched(o, setup.Trigger.To, 15*time.Second)
	return setup
}

func planSlowStore(o Options) []Task {
	if o.Size == Quarter {
		return each(only(o.Contenders, strict, survive), "", slowStoreSetup(o))
	}
	return each(some(o, "P0", "P2", strict, survive), "", slowStoreSetup(o))
}

func concludeSlowStore(o Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	setup := slowStoreSetup(o)
	for _, run := range runs {
		during := measure.Goodput(run.Seconds, setup.Trigger.From, setup.Trigger.To)
		if !ours(run) {
			c.show(run, "goodput while the store is slow", short(during))
			c.show(run, "p99 of all calls, ms", short(run.Latency.P99))
			continue
		}
		c.atLeast(run, "goodput while the store is slow", during, 0.95*capacity(setup)/setup.Rate)
		c.atMost(run, "loads at once at the source", float64(run.SourceOutstanding), permits(setup, run.Contender))
		c.recovered(run, 2)
	}
	plots := overTime("S8", "S8, store answers in 200 ms", runs, setup.Trigger, capacity(setup))
	return c, append(plots, tails("S8", "S8", runs)...)
}
