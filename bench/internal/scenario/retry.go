package scenario

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// S16: callers that call again, in layers.
func retryStorm() Scenario {
	return Scenario{
		ID: "S16", Title: "Retry storm",
		Question:   "The source fails for 30 s, and callers try three times in each of two layers: nine calls where there was one. How many of them reach the source?",
		plan:       planRetries,
		conclude:   concludeRetries,
		parameters: func(o Options) []result.Parameter { return describe(retrySetup(o, 9)) },
		notes:      []string{"Amplification is the loads in the trouble over those of the same run with callers that call once. FailureBackoff remembers a key's failure for a second, so that the second call of the same caller is refused at once."},
	}
}

var failing = measure.Trigger{From: 5 * time.Second, To: 35 * time.Second}

func retrySetup(o Options, tries int) sim.Setup {
	setup := base(o)
	setup.Tries, setup.RetryFailures, setup.Trigger = tries, true, failing
	setup.SourceFaults = []sim.SourceFault{{From: failing.From, To: failing.To, Errors: 1}}
	setup.Length = watched(o, failing.To, 15*time.Second)
	return setup
}

func triesName(tries int) string { return counted(tries, "call") + " a user" }

func planRetries(o Options) []Task {
	contenders := some(o, "P0", "P2", strict, survive)
	if o.Size == Quarter {
		contenders = only(o.Contenders, survive)
	}
	return append(each(contenders, triesName(1), retrySetup(o, 1)), each(contenders, triesName(9), retrySetup(o, 9))...)
}

func concludeRetries(o Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	once := map[string]float64{}
	for _, run := range inVariant(runs, triesName(1)) {
		once[run.Contender] = float64(measure.SourceCalls(run.Seconds, failing.From, failing.To))
	}
	for _, run := range inVariant(runs, triesName(9)) {
		if once[run.Contender] == 0 {
			continue
		}
		amplification := float64(measure.SourceCalls(run.Seconds, failing.From, failing.To)) / once[run.Contender]
		what := "loads in the trouble over those without retries"
		if survives(run) {
			c.atMost(run, what, amplification, 1.1)
		} else {
			c.show(run, what, short(amplification))
		}
	}
	return c, overTime("S16", "S16, nine calls a user", inVariant(runs, triesName(9)), failing, capacity(base(o)))
}
