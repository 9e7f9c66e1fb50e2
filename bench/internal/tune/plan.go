package tune

import (
	"context"
	"slices"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/scenario"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/cacheaside"
)

// Mine is the id of the user's region among the contenders, and of what is concluded of it.
const Mine = "mine"

// LoadsAtOnce names a figure in Extra: the peak of loads under way on all nodes, the warm-up included. The source may have more, of which the
// nodes have given up some.
const LoadsAtOnce = "loads_under_way_peak"

// Plan gives the runs to make: the user's region and those it is compared with, all on the same service, as [Config.Under] has it. Where
// o.Contenders has any, only those among them are compared.
func (c Config) Plan(o scenario.Options) []scenario.Task {
	c = c.Under(o)
	them := []contender.Contender{c.contender()}
	from := o.Contenders
	if len(from) == 0 {
		from = contender.All()
	}
	for _, other := range from {
		if slices.Contains(c.compare, other.ID) {
			them = append(them, other)
		}
	}
	tasks := make([]scenario.Task, 0, len(them))
	for _, who := range them {
		tasks = append(tasks, scenario.Task{
			Contender: who, Cost: c.cost(),
			Run: func(ctx context.Context, bubbles bubble.Bubbles, progress func(float64)) (result.Run, error) {
				h := &hold{warmUp: c.setup.WarmUp}
				run, err := sim.Run(ctx, bubbles, c.held(h), h.watch(who), progress)
				if run.Extra == nil {
					run.Extra = make(map[string]float64)
				}
				run.Extra[LoadsAtOnce] = float64(h.most())
				return run, err
			},
		})
	}
	return tasks
}

// contender is the user's region.
func (c Config) contender() contender.Contender {
	return contender.Contender{
		ID: Mine, Name: c.name, Library: true, Fenced: c.policy.Coordination == cacheaside.Fleet,
		Open: func(node contender.Node) (contender.Reader, error) { return contender.OpenRegion(node, c.policy) },
	}
}

// cost guesses a run's processor time in seconds: some microseconds a request, and more where callers retry.
func (c Config) cost() float64 {
	const perRequest = 8e-6
	return (c.setup.WarmUp + c.setup.Length).Seconds() * c.setup.Rate * perRequest * float64(1+c.setup.Tries) / 3
}
