package tune

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/cacheaside"
)

// Conclude makes a part of the report of the runs that were made. Interrupted ones are listed and neither judged nor drawn. Call it on what
// [Config.Under] gives where flags changed anything.
func (c Config) Conclude(runs []result.Run) result.Scenario {
	var entire []result.Run
	var advice []string
	for _, run := range runs {
		if run.Nodes > 0 {
			c.setup.Nodes = run.Nodes // permits are counted on those that there were
		}
		if run.Interrupted {
			continue
		}
		entire = append(entire, run)
		if run.Contender == Mine {
			advice = c.advise(run)
		}
	}
	return result.Scenario{
		ID: Mine, Title: "The region " + c.name, Question: c.question(), Mode: "sim",
		Parameters: c.parameters(), Runs: runs, Checks: c.checks(entire), Plots: c.plots(entire), Notes: advice,
	}
}

func (c Config) question() string {
	if len(c.troubles) == 0 {
		return "How does this policy do under these users, with nothing wrong?"
	}
	var what []string
	for _, t := range c.troubles {
		what = append(what, t.String())
	}
	return "How does this policy come through " + strings.Join(what, ", ") + ", and what does it do to the source?"
}

// checks holds runs on this library against what they must keep whatever the policy, and shows what is the user's own to judge.
func (c Config) checks(runs []result.Run) []result.Check {
	var list []result.Check
	for _, run := range runs {
		held := func(what, bound string, measured int64, holds bool) {
			verdict := result.Fail
			if holds {
				verdict = result.Pass
			}
			list = append(list, result.Check{Contender: run.Contender, What: what, Bound: bound, Measured: fmt.Sprint(measured), Verdict: verdict})
		}
		shown := func(what, measured string) {
			list = append(list, result.Check{Contender: run.Contender, What: what, Measured: measured, Verdict: result.Shown})
		}
		if permits, ours := c.permits(run.Contender); ours {
			// The nodes' own count: work that a load has given up goes on at the source, where no policy can end it.
			loads := int64(run.Extra[LoadsAtOnce])
			held("loads at once at the source", fmt.Sprintf("<= %d", permits), loads, loads <= permits)
			held("stale answers at or past hard expiry", "0", run.PastHard, run.PastHard == 0)
		}
		c.show(run, shown)
	}
	return list
}

func (c Config) show(run result.Run, shown func(what, measured string)) {
	if len(c.troubles) == 0 {
		shown("goodput", share(run.Goodput))
	} else {
		if during, asked := c.goodput(run, c.troubled); asked {
			shown("goodput in the faults", share(during))
		}
		if after, asked := c.goodput(run, func(from, _ time.Duration) bool { return from >= c.trigger().To }); asked {
			shown("goodput after the faults", share(after))
		}
		for _, end := range c.ends() {
			what := "recovers after the faults, s"
			if len(c.troubles) > 1 {
				what = fmt.Sprintf("recovers after %v, s", end)
			}
			shown(what, recovery(run, end.to))
		}
	}
	shown("loads at once at the source, given up ones included", fmt.Sprint(run.SourceOutstanding))
	shown("p99, ms", figure(run.Latency.P99))
	if run.StaleAge.Count > 0 {
		shown("stale answers, part of all calls", share(ratio(run.Endings["stale"], run.Attempts)))
		shown("oldest stale answer, s", figure(run.StaleAge.Max/1000))
	}
	for _, reason := range slices.Sorted(maps.Keys(run.Reasons)) {
		shown("refused or failed: "+reason, fmt.Sprint(run.Reasons[reason]))
	}
}

// ends gives the troubles after which nothing else is wrong for the moment, one of those that end together.
func (c Config) ends() []trouble {
	var list []trouble
	for n, t := range c.troubles {
		covered := slices.ContainsFunc(c.troubles, func(other trouble) bool { return other.from <= t.to && t.to < other.to })
		later := slices.ContainsFunc(c.troubles[n+1:], func(other trouble) bool { return other.to == t.to })
		if !covered && !later {
			list = append(list, t)
		}
	}
	return list
}

// soonest is how many whole seconds it takes to see a recovery.
const soonest = 5

// recovery counts from the end of a trouble. It says never only of a run that was watched for long enough to tell.
func recovery(run result.Run, end time.Duration) string {
	watched := len(run.Seconds) - int(math.Ceil(end.Seconds()))
	seconds := measure.Recovery(run.Seconds, end)
	switch {
	case seconds >= 0:
		return figure(seconds)
	case watched < soonest:
		return fmt.Sprintf("not known: %d s are left of the run, %d are needed", max(watched, 0), soonest)
	}
	return "never"
}

// permits is how many loads a contender on this library may have at once, all nodes together.
func (c Config) permits(id string) (int64, bool) {
	concurrency := 0
	switch id {
	case Mine:
		concurrency = c.policy.SourceConcurrency
	case "P6":
		concurrency = cacheaside.StrictPolicy().SourceConcurrency
	case "P7", "P8":
		concurrency = cacheaside.SurvivePolicy().SourceConcurrency
	default:
		return 0, false
	}
	return int64(concurrency * c.setup.Nodes), true
}

// goodput is that of all seconds of a run that are wanted, and tells whether there was a request in any.
func (c Config) goodput(run result.Run, wanted func(from, to time.Duration) bool) (float64, bool) {
	var sum result.Second
	for n, second := range run.Seconds {
		if from := time.Duration(n) * time.Second; wanted(from, from+time.Second) {
			sum.Offered += second.Offered
			sum.Good += second.Good
		}
	}
	return sum.Goodput(), sum.Offered > 0
}

// troubled tells whether something is wrong in a stretch of time. A moment counts for the second that it falls into.
func (c Config) troubled(from, to time.Duration) bool {
	return slices.ContainsFunc(c.troubles, func(t trouble) bool {
		return t.from < to && t.to > from || t.kind.moment && t.from >= from && t.from < to
	})
}

func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// figure writes a number with four digits at most.
func figure(x float64) string {
	if x == float64(int64(x)) {
		return fmt.Sprint(int64(x))
	}
	return fmt.Sprintf("%.4g", x)
}

// share writes a part so that 0.99997 is not 1.
func share(x float64) string {
	if x == 0 || x == 1 {
		return figure(x)
	}
	return fmt.Sprintf("%.5f", x)
}

func percent(x float64) string { return fmt.Sprintf("%.3g %%", 100*x) }
