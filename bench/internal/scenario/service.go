package scenario

import (
	"fmt"
	"slices"
	"time"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// describe writes down what a service is, and adds what is special in a scenario.
func describe(setup sim.Setup, special ...result.Parameter) []result.Parameter {
	work := "goes on when its caller has left"
	if setup.Source.DropsAbandoned {
		work = "ends when its caller leaves"
	}
	return append([]result.Parameter{
		{Name: "users", Value: fmt.Sprintf("%s requests a second, Poisson, %s keys", short(setup.Rate), short(float64(setup.Keys.Keys())))},
		{Name: "nodes", Value: short(float64(setup.Nodes))},
		{Name: "caller", Value: fmt.Sprintf("deadline %v, up to %s at once one after the other on timeout", setup.Deadline, counted(setup.Tries, "call"))},
		{Name: "expiry", Value: fmt.Sprintf("soft %v, hard %v, absence %v; jitter %s where there is any", setup.TTL.Soft, setup.TTL.Hard, setup.TTL.Negative, short(setup.Jitter))},
		{Name: "source", Value: fmt.Sprintf("%d workers, lognormal around %v, %s loads a second; work %s", setup.Source.Workers, setup.Source.Mean, short(capacity(setup)), work)},
		{Name: "seed", Value: fmt.Sprint(setup.Seed)},
	}, special...)
}

// describeScript writes down a service whose callers follow a script: users by chance and their retries do not exist there.
func describeScript(setup sim.Setup, callers string, special ...result.Parameter) []result.Parameter {
	list := slices.DeleteFunc(describe(setup), func(p result.Parameter) bool { return p.Name == "users" || p.Name == "caller" })
	return append(append([]result.Parameter{{Name: "callers", Value: callers}}, list...), special...)
}

// capacity is how many loads a second the source can do.
func capacity(setup sim.Setup) float64 {
	return float64(setup.Source.Workers) / setup.Source.Mean.Seconds()
}

// permits is how many loads the regions of a run may have at once, all nodes together.
func permits(setup sim.Setup, contender string) float64 {
	policy := policyOf(contender)
	if setup.Policy != nil {
		setup.Policy(&policy)
	}
	return float64(policy.SourceConcurrency * setup.Nodes)
}

// counted writes a number of things: 1 node, 2 nodes.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func seconds(d time.Duration) string { return short(d.Seconds()) + " s" }
