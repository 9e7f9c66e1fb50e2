package scenario

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// The names of figures in Extra of S9 to S11.
const (
	lastAnswer = "last_answer_after_seconds"
	answered   = "callers_answered"
	refused    = "callers_refused"
	usableIn   = "key_usable_after_seconds"
)

// scripted gives one task for each contender that plays a script instead of users over time.
func scripted(contenders []contender.Contender, variant string, setup sim.Setup, script func(sim.Stage)) []Task {
	var tasks []Task
	for _, c := range contenders {
		tasks = append(tasks, Task{
			Contender: c, Variant: variant, Cost: 0.1,
			Run: func(_ context.Context, bubbles bubble.Bubbles, _ func(float64)) (result.Run, error) {
				run, err := sim.Play(bubbles, setup, c, script)
				run.Variant = variant
				return run, err
			},
		})
	}
	return tasks
}

// crowd is how many callers ask for one key.
const crowd = 200

// S9: a crowd asks for a key whose load fails.
func failingKey() Scenario {
	return Scenario{
		ID: "S9", Title: "A failing cold key",
		Question: "200 callers wait for one cold key, and its load fails after 100 ms. How many loads are made, and when does the last caller know?",
		plan: func(o Options) []Task {
			return scripted(o.Contenders, "", crowdSetup(o, 1), askAllAtOnce)
		},
		conclude: concludeFailing,
		parameters: func(o Options) []result.Parameter {
			return describeScript(crowdSetup(o, 1), "200 within a millisecond, deadline 30 s, no retries")
		},
		notes: []string{"StrictPolicy lets 64 callers wait behind the leader and refuses the others at once: they know earlier, not later."},
	}
}

func crowdSetup(o Options, errors float64) sim.Setup {
	setup := base(o)
	setup.Nodes, setup.WarmUp, setup.Prefill, setup.Deadline, setup.Absent = 1, 0, sim.Empty, 30*time.Second, nil
	setup.Source.Mean, setup.Source.Sigma, setup.Source.Workers = 100*time.Millisecond, 0, 16
	setup.SourceFaults = []sim.SourceFault{{To: time.Hour, Errors: errors}}
	return setup
}

func askAllAtOnce(s sim.Stage) {
	for caller := range crowd {
		s.At(time.Duration(caller)*5*time.Microsecond, func() { askOnce(s) })
	}
}

// askOnce asks for the key of the crowd and counts what came of it.
func askOnce(s sim.Stage) {
	answer, _ := s.CallWithin(30*time.Second, 0, 0)
	s.Raise(lastAnswer, s.Since().Seconds())
	switch {
	case answer.Ending.Answered():
		s.Count(answered, 1)
	case answer.Ending == contender.Rejected:
		s.Count(refused, 1)
	}
}

func concludeFailing(_ Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	for _, run := range runs {
		if !ours(run) {
			c.show(run, "source calls", short(float64(run.SourceCalls)))
			c.show(run, "the last caller knows after, s", short(run.Extra[lastAnswer]))
			continue
		}
		c.atMost(run, "source calls", float64(run.SourceCalls), 1)
		c.atMost(run, "the last caller knows after, s", run.Extra[lastAnswer], 0.12)
	}
	return c, nil
}

// S10: the first caller leaves.
func leaderCancelled() Scenario {
	return Scenario{
		ID: "S10", Title: "The first caller leaves",
		Question: "200 callers wait for one cold key that takes 100 ms; the first gives up after 10 ms. What do the others get, and at what price?",
		plan: func(o Options) []Task {
			return scripted(o.Contenders, "", crowdSetup(o, 0), leaveFirst)
		},
		conclude: concludeLeader,
		parameters: func(o Options) []result.Parameter {
			return describeScript(crowdSetup(o, 0), "the first, cancelled at 10 ms, and 199 from 1 ms on, deadline 30 s, no retries")
		},
		notes: []string{"StrictPolicy lets 64 callers wait behind the leader and refuses the others at once; its figures are shown, the bound is SurvivePolicy's."},
	}
}

func leaveFirst(s sim.Stage) {
	s.At(0, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		defer cancel()
		s.Call(ctx, 0, 0)
	})
	for follower := range crowd - 1 {
		s.At(time.Millisecond+time.Duration(follower)*5*time.Microsecond, func() { askOnce(s) })
	}
}

func concludeLeader(_ Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	for _, run := range runs {
		if survives(run) {
			c.atMost(run, "source calls", float64(run.SourceCalls), 1)
			c.atLeast(run, "of 199 others answered with the row", run.Extra[answered], crowd-1)
			continue
		}
		c.show(run, "source calls", short(float64(run.SourceCalls)))
		c.show(run, "of 199 others answered with the row", short(run.Extra[answered]))
		if run.Extra[refused] > 0 {
			c.show(run, "of 199 others refused at once", short(run.Extra[refused]))
		}
	}
	return c, nil
}
