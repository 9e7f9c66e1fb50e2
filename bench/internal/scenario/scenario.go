package scenario

import (
	"context"
	"slices"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

// Size is how much is run.
type Size uint8

// Quarter is one node with its quarter of the service, for checks on many seeds; Short is half of it with some of the contenders and variants, for
// a first look; Full is everything.
const (
	Quarter Size = iota + 1
	Short
	Full
)

// Options choose what is run. Zero Length and Nodes are a scenario's own.
type Options struct {
	Seed       uint64
	Size       Size
	Length     time.Duration // of each run over time, the warm-up not counted; never less than the trouble and ten seconds
	Nodes      int
	Contenders []contender.Contender
	// Named says that the contenders were asked for by name: then they all run where contenders are compared, and not the usual few.
	Named bool
}

// Scenario is one question.
type Scenario struct {
	ID, Title, Question string

	// plan says what is run, in the order in which it is shown.
	plan func(Options) []Task
	// conclude holds the figures against what they must be, and draws them. Runs that were cut short are not among them.
	conclude   func(Options, []result.Run) ([]result.Check, []result.Plot)
	parameters func(Options) []result.Parameter
	notes      []string
}

// Task is one run to make.
type Task struct {
	Contender contender.Contender
	Variant   string
	Cost      float64 // about how long it takes, in seconds of one processor
	Run       func(ctx context.Context, bubbles bubble.Bubbles, progress func(part float64)) (result.Run, error)
}

// All gives the scenarios in order.
func All() []Scenario {
	return []Scenario{
		hotKey(), synchronizedExpiry(), flush(), slowDown(), brownOut(), sourceDown(), storeOutage(), storeSlow(),
		failingKey(), leaderCancelled(), hungLoader(), fillAgainstInvalidate(), holderDies(), tokenLost(), leaseStorm(), retryStorm(), absentFlood(),
	}
}

// Plan gives the runs to make.
func (s Scenario) Plan(o Options) []Task { return s.plan(o) }

// Conclude makes a part of the report of the runs that were made.
func (s Scenario) Conclude(o Options, runs []result.Run) result.Scenario {
	var whole []result.Run
	for _, run := range runs {
		if !run.Interrupted {
			whole = append(whole, run)
		}
	}
	checks, plots := s.conclude(o, whole)
	notes := s.notes
	if slices.ContainsFunc(whole, func(run result.Run) bool { return run.RecoverySeconds < 0 }) {
		notes = append(slices.Clone(notes), "“never” is: not while the run was watched. To be seen, a recovery takes five seconds in a row.")
	}
	return result.Scenario{
		ID: s.ID, Title: s.Title, Question: s.Question, Mode: "sim", Parameters: s.parameters(o), Runs: runs, Checks: checks, Plots: plots,
		Notes: notes,
	}
}

// base is the lab's service, or a part of it: of its users, its keys, its nodes and its source alike.
func base(o Options) sim.Setup {
	setup := sim.Default(o.Seed)
	parts := o.Size.parts()
	setup.Nodes, setup.Rate, setup.Source.Workers = setup.Nodes/parts, setup.Rate/float64(parts), setup.Source.Workers/parts
	setup.Keys = workload.Zipf(setup.Keys.Keys()/parts, 1)
	if o.Nodes > 0 {
		setup.Nodes = o.Nodes
	}
	return setup
}

func (s Size) parts() int {
	switch s {
	case Quarter:
		return 4
	case Short:
		return 2
	case Full:
	}
	return 1
}

// watched gives how long a run is that is in trouble until the given time and then watched for so long.
func watched(o Options, trouble, after time.Duration) time.Duration {
	if o.Length > 0 {
		return max(o.Length, trouble+10*time.Second)
	}
	return trouble + after
}

// each gives one task for each contender with the setup.
func each(contenders []contender.Contender, variant string, setup sim.Setup) []Task {
	var tasks []Task
	for _, c := range contenders {
		tasks = append(tasks, Task{
			Contender: c, Variant: variant, Cost: cost(setup),
			Run: func(ctx context.Context, bubbles bubble.Bubbles, progress func(float64)) (result.Run, error) {
				run, err := sim.Run(ctx, bubbles, setup, c, progress)
				run.Variant = variant
				return run, err
			},
		})
	}
	return tasks
}

// cost guesses a run's processor time: some microseconds a request, and more where callers retry.
func cost(setup sim.Setup) float64 {
	const perRequest = 8e-6
	return (setup.WarmUp + setup.Length).Seconds() * setup.Rate * perRequest * float64(1+setup.Tries) / 3
}

// only gives the contenders with one of the ids.
func only(contenders []contender.Contender, ids ...string) []contender.Contender {
	var chosen []contender.Contender
	for _, c := range contenders {
		for _, id := range ids {
			if c.ID == id {
				chosen = append(chosen, c)
			}
		}
	}
	return chosen
}

// some gives the contenders with one of the ids, or all of them in a full run and where they were named.
func some(o Options, ids ...string) []contender.Contender {
	if o.Size == Full || o.Named {
		return o.Contenders
	}
	return only(o.Contenders, ids...)
}
