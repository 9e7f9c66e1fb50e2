package scenario

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// The variant of S7 in which the store is away for a second and comes back as a replica that lacks the last 100 ms of writes, tombstones among them.

const failover = "failover"

var switched = measure.Trigger{From: 5 * time.Second, To: 6 * time.Second}

func failoverSetup(o Options) sim.Setup {
	setup := base(o)
	setup.Trigger = switched
	setup.Writes = setup.Rate / 10
	setup.Store.KeepsLog = true
	setup.StoreFaults = []sim.StoreFault{
		{Kind: sim.Refuse, From: switched.From, To: switched.To},
		{Kind: sim.Failover, From: switched.From},
	}
	setup.Length = watched(o, switched.To, 20*time.Second)
	return setup
}

func planFailover(o Options) []Task {
	if o.Size == Quarter {
		return nil
	}
	return each(some(o, "P0", survive, fleet), failover, failoverSetup(o))
}

func concludeFailover(c *checks, runs []result.Run) {
	for _, run := range runs {
		c.show(run, "answers older than an invalidation before them", short(float64(run.Violations)))
		if ours(run) {
			c.recovered(run, 2)
		} else {
			c.show(run, "recovers after its return, s", recovery(run.RecoverySeconds))
		}
	}
}
