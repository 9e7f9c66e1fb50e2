package scenario

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// S13: the process that loads for all others is killed, or falls asleep.
func holderDies() Scenario {
	return Scenario{
		ID: "S13", Title: "The lease holder dies",
		Question: "A process that loads a key for its fleet is killed in the middle of it, or is suspended and comes back late with its fill. How long is the key without a fresh value, what do callers get meanwhile, and what becomes of the fill?",
		plan:     planHolder,
		conclude: concludeHolder,
		parameters: func(o Options) []result.Parameter {
			return describeScript(holderSetup(o), "one on the node that is killed at 40 of the load's 100 ms, then 50 a second on the two others, deadline 500ms, no retries")
		},
		notes: []string{
			"A grant lives for AdmissionWait, LoadDeadline and two record time limits, 2.75 s here. Until it has run out nobody else loads the key; whoever has an old value is answered with that at once, and a cold key's callers wait, or time out.",
			"In the variant “suspended” the row is written and invalidated after another process has taken over, and then the old fill arrives.",
		},
	}
}

const (
	killedStale = "killed, an old value is stored"
	killedCold  = "killed, a cold key"
	suspended   = "suspended for 8 s"

	holderKey  = 1
	holderLoad = 100 * time.Millisecond
	holderEnds = 40 * time.Millisecond
	holderRow  = 6 * time.Second // when the row is written, after every lease has run out
	holderBack = 8 * time.Second
	holderLast = 12 * time.Second
	holderStep = 20 * time.Millisecond

	slowestStale = "slowest_stale_answer_milliseconds"
	freshAfter   = "first_fresh_answer_after_seconds"
	unanswered   = "callers_not_answered"
)

func holderSetup(o Options) sim.Setup {
	setup := base(o)
	setup.Nodes, setup.WarmUp, setup.Prefill, setup.Absent = 3, 0, sim.Empty, nil
	setup.Source.Mean, setup.Source.Sigma = holderLoad, 0
	return setup
}

func planHolder(o Options) []Task {
	contenders := some(o, "P0", "P4", survive, fleet)
	if o.Size == Quarter {
		contenders = only(o.Contenders, survive, fleet)
	}
	var tasks []Task
	for _, variant := range []string{killedStale, killedCold, suspended} {
		tasks = append(tasks, scripted(contenders, variant, holderSetup(o), func(s sim.Stage) { loseHolder(s, variant) })...)
	}
	return tasks
}

// loseHolder lets node 0 begin a load and not end it, and callers ask the others for the key.
func loseHolder(s sim.Stage, variant string) {
	if variant == killedStale {
		s.PutStale(holderKey)
	}
	patience := holderEnds + holderStep // it is gone by then
	if variant == suspended {
		patience = 2 * holderBack // it knows nothing of its sleep
	}
	s.At(0, func() { s.CallWithin(patience, 0, holderKey) })
	s.At(holderEnds, func() {
		if variant == suspended {
			s.Suspend(0, holderBack-holderEnds)
			return
		}
		s.Kill(0)
	})
	if variant == suspended {
		s.At(holderRow, func() { s.Change(1, holderKey) })
	}
	fresh := make(chan time.Duration, int(holderLast/holderStep))
	n := 0
	for at := holderEnds + holderStep/2; at < holderLast; at += holderStep {
		node := 1 + n%2
		n++
		s.At(at, func() {
			answer, took := s.CallWithin(500*time.Millisecond, node, holderKey)
			switch {
			case answer.Ending == contender.Stale:
				s.Raise(slowestStale, float64(took)/float64(time.Millisecond))
			case answer.Ending.Answered():
				fresh <- at + took
			default:
				s.Count(unanswered, 1)
			}
		})
	}
	s.At(holderLast+time.Second, func() {
		first := holderLast
		for range len(fresh) {
			first = min(first, <-fresh)
		}
		s.Raise(freshAfter, first.Seconds())
	})
}

func concludeHolder(_ Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	for _, run := range runs {
		const fresh, none, old = "first fresh answer of another process, s", "callers without an answer", "answers older than an invalidation before them"
		if run.Contender != fleet {
			c.show(run, fresh, short(run.Extra[freshAfter]))
			c.show(run, none, short(run.Extra[unanswered]))
			if run.Variant == suspended {
				c.show(run, old, short(float64(run.Violations)))
			}
			continue
		}
		takeover := leaseOf(policyOf(run.Contender)) + longestPoll + holderLoad
		c.atMost(run, fresh, run.Extra[freshAfter], takeover.Seconds()+0.01)
		switch run.Variant {
		case killedStale:
			c.atMost(run, none, run.Extra[unanswered], 0)
			c.atMost(run, "slowest old answer, ms", run.Extra[slowestStale], 2)
		case killedCold:
			c.show(run, none, short(run.Extra[unanswered]))
		case suspended:
			c.atMost(run, old, float64(run.Violations), 0)
			c.atLeast(run, "late fills refused", run.Extra[sim.RefusedFills], 1)
		}
	}
	return c, nil
}
