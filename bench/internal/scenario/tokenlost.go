package scenario

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

// S14: the store forgets who may fill.
func tokenLost() Scenario {
	return Scenario{
		ID: "S14", Title: "The token is lost",
		Question: "Between the grant and the fill the store is flushed, or a replica takes over that lacks the last 100 ms, while the row is written and another process takes the key. Is a fill from before the write ever accepted?",
		plan:     planTokens,
		conclude: concludeTokens,
		parameters: func(o Options) []result.Parameter {
			return describeScript(tokenSetup(o, forgotten), "two readers and a write of each row around the loss, and six readers afterwards, deadline 500ms, no retries; no bound on loads",
				result.Parameter{Name: "rows", Value: short(float64(tokenRounds(o) * tokenRows))})
		},
		notes: []string{
			"A counter that the store loses begins anew, and gives the same number to two processes. Tokens here are above the server's time, and a fill must name its own request beside: a record that is gone, or another's, refuses it.",
			"No fence helps where the replica never heard of an invalidation: its old rows, and fills that were granted before it, stay until they expire. The variant “invalidation lost with it” shows that.",
		},
	}
}

const (
	forgotten = "flushed"
	replaced  = "failed over"
	unheard   = "failed over, invalidation lost with it"

	tokenRows  = 20 // of each loss
	tokenRound = 2 * time.Second
	tokenLoss  = 300 * time.Millisecond // after the beginning of its round
)

func tokenRounds(o Options) int {
	switch o.Size {
	case Quarter:
		return 10
	case Full:
		return 200
	}
	return 25
}

func tokenSetup(o Options, variant string) sim.Setup {
	setup := base(o)
	setup.Nodes, setup.WarmUp, setup.Prefill, setup.Absent = 2, 0, sim.Empty, nil
	setup.Source = sim.SourceModel{Workers: 100_000, Mean: 200 * time.Millisecond, Sigma: 0.3}
	setup.Store.Trip, setup.Policy = 3*time.Millisecond, withoutBounds
	kind := sim.Failover
	if variant == forgotten {
		kind = sim.Flush
	}
	setup.Store.KeepsLog = kind == sim.Failover
	for round := range tokenRounds(o) {
		setup.StoreFaults = append(setup.StoreFaults, sim.StoreFault{Kind: kind, From: time.Duration(round)*tokenRound + tokenLoss})
	}
	return setup
}

func planTokens(o Options) []Task {
	contenders := some(o, "P0", "P4", strict, survive, fleet)
	if o.Size == Quarter {
		contenders = only(o.Contenders, survive, fleet)
	}
	var tasks []Task
	for _, variant := range []string{forgotten, replaced, unheard} {
		setup := tokenSetup(o, variant)
		tasks = append(tasks, scripted(contenders, variant, setup, func(s sim.Stage) {
			for round := range tokenRounds(o) {
				for row := range tokenRows {
					loseToken(s, setup.Seed, variant, uint64(round*tokenRows+row))
				}
			}
		})...)
	}
	return tasks
}

// loseToken lets node 0 load a row around the loss, node 1 after it, and a write come between.
func loseToken(s sim.Stage, seed uint64, variant string, key uint64) {
	draw := workload.At(seed, workload.Choice, key)
	begin := time.Duration(key/tokenRows) * tokenRound
	within := func(from, to int) time.Duration {
		return begin + time.Duration(from)*time.Millisecond + time.Duration(draw.Float64()*float64(to-from)*float64(time.Millisecond))
	}
	read := func(node int, at time.Duration) { s.At(at, func() { s.CallWithin(500*time.Millisecond, node, key) }) }
	read(0, within(100, 290))
	read(1, within(302, 360))
	written := within(302, 450)
	switch {
	case variant == unheard:
		written = within(205, 290) // the replica lacks what the store was told from 200 ms on
	case draw.IntN(2) == 0 && variant == forgotten:
		written = within(110, 290)
	case draw.IntN(2) == 0 && variant == replaced:
		written = within(110, 190)
	}
	s.At(written, func() { s.Change(1, key) })
	for _, after := range []int{700, 1000, 1500} {
		read(0, within(after, after+100))
		read(1, within(after, after+100))
	}
}

func concludeTokens(_ Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	for _, run := range runs {
		const what = "answers older than an invalidation before them"
		if run.Contender != fleet || run.Variant == unheard {
			c.show(run, what, short(float64(run.Violations)))
			continue
		}
		c.atMost(run, what, float64(run.Violations), 0)
		c.atLeast(run, "fills refused by the fence", run.Extra[sim.RefusedFills], 1)
	}
	return c, nil
}
