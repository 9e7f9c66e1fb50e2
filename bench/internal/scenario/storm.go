package scenario

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/workload"
	"github.com/cacheaside/resilience/cacheaside"
)

// S15: the store comes back empty, and each of many keys needs a lease.
func leaseStorm() Scenario {
	return Scenario{
		ID: "S15", Title: "A storm of leases",
		Question: "The store was away for 10 s and comes back empty: each of 10,000 keys, all asked for alike, needs a lease before it is loaded, at a store that can do so many commands a second and no more. Does the asking for leases keep the service down?",
		plan:     planStorm,
		conclude: concludeStorm,
		parameters: func(o Options) []result.Parameter {
			setup := stormSetup(o)
			return describe(setup, result.Parameter{Name: "store", Value: short(setup.Store.Capacity) + " commands a second, one after the other"})
		},
		notes: []string{
			"A process asks for a key's lease once for all its callers, within MaxInFlightKeys, and again only while another process holds it, ten times a second at most. P4's callers each poll by themselves.",
			"Goodput is to rise from the store's return to the recovery: three seconds are held against the three before.",
			"SourceConcurrency is set to twice the node's share of the source here: see S7 for what becomes of a fleet whose permits are many times what the source works on.",
		},
	}
}

var storeAway = measure.Trigger{From: 5 * time.Second, To: 15 * time.Second}

const (
	stormKeys     = 10_000
	stormNodes    = 4
	stormCapacity = 20_000 // commands a second
)

func stormSetup(o Options) sim.Setup {
	setup := base(o)
	parts := o.Size.parts()
	if o.Nodes == 0 {
		setup.Nodes = stormNodes
	}
	setup.Keys, setup.Absent, setup.Trigger = workload.Zipf(stormKeys/parts, 0), nil, storeAway
	setup.Store.Capacity = float64(stormCapacity / parts)
	setup.StoreFaults = []sim.StoreFault{{Kind: sim.Refuse, From: storeAway.From, To: storeAway.To}, {Kind: sim.Flush, From: storeAway.From}}
	share := max(1, 2*setup.Source.Workers/setup.Nodes)
	setup.Policy = func(p *cacheaside.Policy) {
		p.SourceConcurrency, p.MaxOverduePerKey = share, min(p.MaxOverduePerKey, share)
	}
	setup.Length = watched(o, storeAway.To, 25*time.Second)
	return setup
}

func planStorm(o Options) []Task {
	if o.Size == Quarter {
		return each(only(o.Contenders, fleet), "", stormSetup(o))
	}
	return each(some(o, "P4", survive, fleet), "", stormSetup(o))
}

func concludeStorm(o Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	setup := stormSetup(o)
	for _, run := range runs {
		least := leastRise(run)
		if run.Contender != fleet {
			c.show(run, "goodput after the return, three seconds less the three before, at least", short(least))
			c.show(run, "recovers after the return, s", recovery(run.RecoverySeconds))
			c.show(run, "store commands for each call", short(run.StoreOperations))
			continue
		}
		c.atMost(run, "leases asked for in one second", run.Extra[sim.BusiestGrants], setup.Rate*float64(setup.Tries))
		c.atLeast(run, "goodput after the return, three seconds less the three before, at least", least, -0.03)
		c.recovered(run, 15)
		c.show(run, "store commands for each call", short(run.StoreOperations))
	}
	return c, overTime("S15", "S15, store away and back empty", runs, storeAway, capacity(setup))
}

// leastRise is the least that goodput of three seconds in a row is above that of the three before, from the return of the store to the recovery, or
// to the end where there is none.
func leastRise(run result.Run) float64 {
	const step = 3 * time.Second
	end := time.Duration(len(run.Seconds)) * time.Second
	if run.RecoverySeconds >= 0 {
		end = min(end, storeAway.To+time.Duration(run.RecoverySeconds)*time.Second+step)
	}
	least := 1.0
	for at := storeAway.To + step; at+step <= end; at += step {
		least = min(least, measure.Goodput(run.Seconds, at, at+step)-measure.Goodput(run.Seconds, at-step, at))
	}
	return least
}
