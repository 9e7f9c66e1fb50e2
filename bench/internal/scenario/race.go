package scenario

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/workload"
	"github.com/cacheaside/resilience/cacheaside"
)

// S12: fills that race with writes of the same row.
func fillAgainstInvalidate() Scenario {
	return Scenario{
		ID: "S12", Title: "Fill against invalidate",
		Question: "On two nodes, readers load a row while a writer changes it and invalidates it, every step at a random moment. Is anybody given what was old when he asked?",
		plan:     planRace,
		conclude: concludeRace,
		parameters: func(o Options) []result.Parameter {
			return describeScript(raceSetup(o), "two or three readers and one or two writes of each row, deadline 500ms, no retries; no bound on loads", result.Parameter{Name: "interleavings", Value: short(float64(interleavings(o)))})
		},
		notes: []string{
			"Each interleaving is a row of its own: two or three readers that begin within 60 ms, one or two writes, and readers afterwards. A violation is an answer older than what an invalidation had settled before the call began.",
			"Without leases (P6, P7) this library refuses a late fill by the tombstone that an invalidation leaves. Where the store loses it, a fill that was under way can still land: the variants “flushed”, “evicts” and “starts anew” show that race.",
			"With leases (P8) a fill needs its grant's own record, which an invalidation takes over. A store that loses the record refuses the fill, so that nothing old lands in any variant. What it costs is a value that is loaded once more.",
			"A caller shares a load of his own process that was under way when he came. That it began before an invalidation by another process he knows from the tombstone; where the store has lost that, he is given what the load brings, with leases too. It is not stored, and lasts for one load.",
		},
	}
}

const (
	keeps = "store keeps"
	loses = "store flushed every 20 ms"
	drops = "store evicts half of what is in use"
	fails = "store starts anew every 50 ms"
)

func interleavings(o Options) int {
	switch o.Size {
	case Quarter:
		return 500
	case Full:
		return 1_000_000
	}
	return 5000
}

func raceSetup(o Options) sim.Setup {
	setup := base(o)
	setup.Nodes, setup.WarmUp, setup.Prefill, setup.Absent = 2, 0, sim.Empty, nil
	setup.Source = sim.SourceModel{Workers: 100_000, Mean: 20 * time.Millisecond, Sigma: 1}
	setup.Store.Trip = 3 * time.Millisecond
	setup.Policy = withoutBounds // a call that is refused takes no part in any race
	return setup
}

// withoutBounds lets every load of all interleavings that overlap begin.
func withoutBounds(p *cacheaside.Policy) {
	p.SourceConcurrency, p.MaxInFlightKeys = 50_000, 50_000
}

// raceBatch is how many interleavings share a bubble, so that memory stays small.
const raceBatch = 20_000

// raceEvery is the time between the begins of two interleavings. Where the store starts anew, fewer are under way at once: a node that loses three
// commands in a row does without the store for a second.
const (
	raceEvery  = 50 * time.Microsecond
	raceSeldom = 20 * time.Millisecond
)

// racesAtOnce is about how many rows are in use at once, each for 400 ms.
const racesAtOnce = int(400 * time.Millisecond / raceEvery)

// raceStore gives the time between two interleavings, and what is wrong with the store meanwhile.
func raceStore(setup *sim.Setup, variant string, count int) (every time.Duration) {
	repeat := func(kind sim.StoreFaultKind, step, every time.Duration) time.Duration {
		for at := time.Duration(0); at < time.Duration(count)*every+time.Second; at += step {
			setup.StoreFaults = append(setup.StoreFaults, sim.StoreFault{Kind: kind, From: at})
		}
		return every
	}
	switch variant {
	case loses:
		return repeat(sim.Flush, 20*time.Millisecond, raceEvery)
	case fails:
		return repeat(sim.Restart, 50*time.Millisecond, raceSeldom)
	case drops:
		setup.Store.MaxEntries = max(min(count, racesAtOnce)/2, 1)
	}
	return raceEvery
}

func planRace(o Options) []Task {
	all, ours := o.Contenders, only(o.Contenders, strict, survive, fleet)
	if o.Size == Quarter {
		all = ours
	}
	tasks := races(o, all, keeps, interleavings(o))
	many, few := min(interleavings(o), 20_000), min(interleavings(o), 2000)
	switch o.Size {
	case Quarter: // there is a bound for leases only
		ours, many, few = only(o.Contenders, fleet), 250, 250
	case Short:
		many, few = 2000, 1000
	case Full:
	}
	tasks = append(tasks, races(o, ours, loses, many)...)
	tasks = append(tasks, races(o, ours, drops, many)...)
	return append(tasks, races(o, ours, fails, few)...)
}

func races(o Options, contenders []contender.Contender, variant string, count int) []Task {
	var tasks []Task
	for _, c := range contenders {
		tasks = append(tasks, Task{
			Contender: c, Variant: variant, Cost: float64(count) * 60e-6,
			Run: func(ctx context.Context, bubbles bubble.Bubbles, progress func(float64)) (result.Run, error) {
				run, err := raceAll(ctx, bubbles, o, race{c, variant, count}, progress)
				run.Variant = variant
				return run, err
			},
		})
	}
	return tasks
}

type race struct {
	contender contender.Contender
	variant   string
	count     int
}

// raceAll plays batch after batch and adds up what counts of them.
func raceAll(ctx context.Context, bubbles bubble.Bubbles, o Options, r race, progress func(float64)) (result.Run, error) {
	sum := result.Run{Contender: r.contender.ID, Name: r.contender.Name, Nodes: 2}
	for done := 0; done < r.count; done += raceBatch {
		if ctx.Err() != nil {
			sum.Interrupted = true
			break
		}
		setup := raceSetup(o)
		setup.Seed = workloadSeed(o.Seed, done)
		size := min(raceBatch, r.count-done)
		every := raceStore(&setup, r.variant, size)
		run, err := sim.Play(bubbles, setup, r.contender, func(s sim.Stage) { interleave(s, setup.Seed, size, every) })
		if err != nil {
			return sum, err
		}
		sum = addRaces(sum, run)
		if progress != nil {
			progress(float64(done+size) / float64(r.count))
		}
	}
	return sum, nil
}

func workloadSeed(seed uint64, batch int) uint64 { return seed + uint64(batch)<<20 }

// addRaces keeps the figures that mean something for many interleavings.
func addRaces(sum, run result.Run) result.Run {
	sum.Offered += run.Offered
	sum.Good += run.Good
	sum.Attempts += run.Attempts
	sum.SourceCalls += run.SourceCalls
	sum.Violations += run.Violations
	sum.ViolationsStored += run.ViolationsStored
	if sum.Offered > 0 {
		sum.Goodput = float64(sum.Good) / float64(sum.Offered)
	}
	if sum.Endings == nil {
		sum.Endings = make(map[string]int64)
	}
	for ending, n := range run.Endings {
		sum.Endings[ending] += n
	}
	return sum
}

// interleave lets readers and writers of many rows meet.
func interleave(s sim.Stage, seed uint64, count int, every time.Duration) {
	for key := range uint64(count) {
		draw := workload.At(seed, workload.Choice, key)
		begin := time.Duration(key) * every
		within := func(from, to time.Duration) time.Duration {
			return begin + from + time.Duration(draw.Float64()*float64(to-from))
		}
		read := func(node int, at time.Duration) { s.At(at, func() { s.CallWithin(500*time.Millisecond, node, key) }) }
		change := func(node int, at time.Duration) { s.At(at, func() { s.Change(node, key) }) }
		if draw.IntN(2) == 0 {
			s.At(begin, func() { s.PutStale(key) })
		}
		read(0, within(time.Millisecond, 60*time.Millisecond))
		read(1, within(time.Millisecond, 60*time.Millisecond))
		change(draw.IntN(2), within(time.Millisecond, 60*time.Millisecond))
		if draw.IntN(2) == 0 {
			change(draw.IntN(2), within(20*time.Millisecond, 100*time.Millisecond))
			read(draw.IntN(2), within(20*time.Millisecond, 100*time.Millisecond))
		}
		read(0, within(60*time.Millisecond, 200*time.Millisecond))
		read(1, within(60*time.Millisecond, 200*time.Millisecond))
		read(0, begin+400*time.Millisecond)
		read(1, begin+401*time.Millisecond)
	}
}

func concludeRace(_ Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	for _, run := range runs {
		const old, stored = "answers older than an invalidation before them", "of these, answers that the store held"
		if ours(run) && run.Variant == keeps {
			c.atMost(run, old, float64(run.Violations), 0)
			continue
		}
		c.show(run, old, short(float64(run.Violations)))
		switch {
		case run.Contender == fleet:
			c.atMost(run, stored, float64(run.ViolationsStored), 0)
		case ours(run):
			c.show(run, stored, short(float64(run.ViolationsStored)))
		}
	}
	return c, nil
}
