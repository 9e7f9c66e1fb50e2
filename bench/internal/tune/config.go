package tune

import (
	"math"
	"slices"
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/scenario"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/workload"
	"github.com/cacheaside/resilience/cacheaside"
)

// Config is what one file says, with the lab's values for all that it leaves out. It is a value; nothing changes it. Make one with [Read] or
// [Parse].
type Config struct {
	name, preset        string
	policy              cacheaside.Policy
	keys                int
	zipf, absent, churn float64
	setup               sim.Setup // all but what depends on the above and on troubles
	troubles            []trouble // in the order of the file
	compare             []string
	set                 map[string]int // what the file sets, and on which line
}

const (
	hottestPart   = 10 // one in so many keys is of the hottest
	defaultAbsent = 0.05
	defaultSeed   = 1
)

// standard is what an empty file says.
func standard() Config {
	setup := sim.Default(defaultSeed)
	policy, _ := presetOf(defaultPreset)
	return Config{
		name: "mine", preset: defaultPreset, policy: policy, keys: setup.Keys.Keys(), zipf: 1, absent: defaultAbsent, setup: setup,
		compare: []string{"P0", "P2"},
	}
}

// Policy is the region's policy.
func (c Config) Policy() cacheaside.Policy { return c.policy }

// Under gives the configuration as the lab's flags change it: a seed, a length or a number of nodes that is not zero wins over the file. A length
// is never less than ten seconds after the last fault. Size and Contenders change nothing here. [Config.Plan] does this by itself;
// [Config.Conclude] describes the configuration that it is called on.
func (c Config) Under(o scenario.Options) Config {
	if o.Seed > 0 {
		c.setup.Seed = o.Seed
	}
	if o.Nodes > 0 {
		c.setup.Nodes = o.Nodes
	}
	if o.Length > 0 {
		c.setup.Length = o.Length
		if len(c.troubles) > 0 {
			c.setup.Length = max(o.Length, c.trigger().To+10*time.Second)
		}
	}
	return c
}

// Setup is what every contender is run on.
func (c Config) Setup() sim.Setup { return c.held(new(hold)) }

// held is the setup of one run, whose hanging loads are held by h.
func (c Config) held(h *hold) sim.Setup {
	setup := c.setup
	setup.Keys = workload.Zipf(c.keys, c.zipf)
	setup.Churn = workload.Churn{Part: c.churn, Hottest: c.keys / hottestPart, Keys: c.keys}
	setup.Absent = absentees(c.absent)
	setup.Trigger = c.trigger()
	setup.SourceFaults = c.sourceFaults(h)
	for _, t := range c.troubles {
		if t.kind.store == 0 {
			continue
		}
		setup.StoreFaults = append(setup.StoreFaults, sim.StoreFault{Kind: t.kind.store, From: t.from, To: t.to})
		setup.Store.KeepsLog = setup.Store.KeepsLog || t.kind.store == sim.Failover
	}
	return setup
}

// absentees spreads keys without a row evenly over all keys, popular ones and others.
func absentees(part float64) func(key uint64) bool {
	if part == 0 {
		return nil
	}
	const slip = 1e-9 // what a product of a whole number may lack
	before := func(key uint64) float64 { return math.Floor(float64(key)*part + slip) }
	return func(key uint64) bool { return before(key+1) > before(key) }
}

// trigger reaches from the beginning of the first trouble to the end of the last.
func (c Config) trigger() measure.Trigger {
	var all measure.Trigger
	for n, t := range c.troubles {
		if n == 0 || t.from < all.From {
			all.From = t.from
		}
		all.To = max(all.To, t.to)
	}
	return all
}

// sourceFaults weaves troubles that overlap into faults that do not: of those that overlap, the source of the lab would know only one.
func (c Config) sourceFaults(h *hold) []sim.SourceFault {
	var cuts []time.Duration
	for _, t := range c.troubles {
		if t.kind.store == 0 {
			cuts = append(cuts, t.from, t.to)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var faults []sim.SourceFault
	for n := 1; n < len(cuts); n++ {
		fault, wrong := sim.SourceFault{From: cuts[n-1], To: cuts[n]}, false
		for _, t := range c.troubles {
			if t.kind.store != 0 || t.from >= fault.To || t.to <= fault.From {
				continue
			}
			wrong = true
			if t.kind.hangs {
				fault.Hangs = h.until(t.to)
			} else {
				t.kind.source(&fault, t.amount)
			}
		}
		if wrong {
			faults = append(faults, fault)
		}
	}
	return faults
}
