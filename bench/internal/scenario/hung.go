package scenario

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/workload"
	"github.com/cacheaside/resilience/cacheaside"
)

// S11: a load that never returns.
func hungLoader() Scenario {
	return Scenario{
		ID: "S11", Title: "A load that never returns",
		Question: "One load of one key hangs for ever, or every load of it does. When is the key usable again, and do other keys suffer?",
		plan:     planHung,
		conclude: concludeHung,
		parameters: func(o Options) []result.Parameter {
			setup := hungSetup(o, onceHung)
			setup.Tries = 1 // nobody calls again
			return describe(setup)
		},
		notes: []string{
			"A caller of the key comes 20 times a second; the others are the usual users. Go cannot stop a function, so that a hung load keeps its permit for good: what counts is how many there can be.",
			"The load does not look at its context. A contender that loads in its caller's own goroutine takes that caller with it.",
		},
	}
}

const (
	onceHung   = "one load hangs"
	alwaysHung = "all its loads hang"
	theHungKey = uint64(1 << 40)
	hungFor    = 30 * time.Second
	hungEvery  = 50 * time.Millisecond
	notUsable  = -1
)

func hungSetup(o Options, variant string) sim.Setup {
	o.Size, o.Nodes = Quarter, 1
	setup := base(o)
	setup.WarmUp, setup.Trigger = 0, measure.Trigger{From: 0, To: 0}
	setup.SourceFaults = []sim.SourceFault{{To: time.Hour, Hangs: func(key, turn uint64) bool {
		return key == theHungKey && (variant == alwaysHung || turn == 0)
	}}}
	return setup
}

func planHung(o Options) []Task {
	var tasks []Task
	for _, variant := range []string{onceHung, alwaysHung} {
		for _, c := range o.Contenders {
			setup := hungSetup(o, variant)
			tasks = append(tasks, Task{
				Contender: c, Variant: variant, Cost: 0.3,
				Run: func(_ context.Context, bubbles bubble.Bubbles, _ func(float64)) (result.Run, error) {
					run, err := sim.Play(bubbles, setup, c, func(s sim.Stage) { hangAndAsk(s, setup) })
					run.Variant = variant
					return run, err
				},
			})
		}
	}
	return tasks
}

const (
	othersAsked    = "others_asked"
	othersAnswered = "others_answered"
)

// hangAndAsk lets callers ask for the key that hangs, and users for all others.
func hangAndAsk(s sim.Stage, setup sim.Setup) {
	s.Raise(usableIn, notUsable)
	usable := make(chan time.Duration, int(hungFor/hungEvery))
	for at := time.Duration(0); at < hungFor; at += hungEvery {
		s.At(at, func() {
			if answer, took := s.CallWithin(setup.Deadline, 0, theHungKey); answer.Ending.Answered() {
				usable <- at + took
			}
		})
	}
	for request, at := uint64(0), time.Duration(0); at < hungFor; request++ {
		gap := workload.Exponential(workload.Uniform(setup.Seed, workload.Arrivals, request)) / setup.Rate
		at += time.Duration(gap * float64(time.Second))
		s.At(at, func() {
			key := setup.Keys.Key(workload.Uniform(setup.Seed, workload.Keys, request))
			answer, _ := s.CallWithin(setup.Deadline, 0, key)
			s.Count(othersAsked, 1)
			if answer.Ending.Answered() {
				s.Count(othersAnswered, 1)
			}
		})
	}
	for at := time.Second; at < hungFor; at += 100 * time.Millisecond {
		s.At(at, s.Look)
	}
	s.At(hungFor+time.Second, func() {
		first := hungFor
		for range len(usable) {
			first = min(first, <-usable)
		}
		if first < hungFor {
			s.Count(usableIn, first.Seconds()-s.Figure(usableIn))
		}
		s.Release()
	})
}

func concludeHung(_ Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	for _, run := range runs {
		others := run.Extra[othersAnswered] / run.Extra[othersAsked]
		if !ours(run) {
			if run.Variant == onceHung {
				c.show(run, "the key is usable again after, s", recovery(run.Extra[usableIn]))
			}
			c.show(run, "other keys answered, part", short(others))
			continue
		}
		policy := policyOf(run.Contender)
		if run.Variant == onceHung {
			bound := policy.LoadDeadline.Seconds() + 0.1
			if run.Contender == fleet { // a load that hangs may yet come back and record, so that its grant is kept until it runs out
				bound = (leaseOf(policy) + longestPoll).Seconds() + 0.1
			}
			c.add(run, "the key is usable again after, s", "<= "+short(bound), recovery(run.Extra[usableIn]), run.Extra[usableIn] >= 0 && run.Extra[usableIn] <= bound)
		}
		c.atMost(run, "overdue loads of the key", run.Extra[sim.Overdue], float64(policy.MaxOverduePerKey))
		c.atLeast(run, "overdue loads are counted", run.Extra[sim.Overdue], 1)
		c.atLeast(run, "other keys answered, part", others, 0.999)
	}
	return c, nil
}

// policyOf is the preset of a contender on this library.
func policyOf(id string) cacheaside.Policy {
	switch id {
	case survive:
		return cacheaside.SurvivePolicy()
	case fleet:
		return contender.FleetPolicy()
	}
	return cacheaside.StrictPolicy()
}

// leaseOf is how long a grant lives: as long as a load may take from its beginning to its record, which is sent and read back within two time limits.
func leaseOf(policy cacheaside.Policy) time.Duration {
	return policy.AdmissionWait + policy.LoadDeadline + 2*sim.RecordTimeout
}

// longestPoll is how long after another's grant has run out a process notices at most.
const longestPoll = 150 * time.Millisecond
