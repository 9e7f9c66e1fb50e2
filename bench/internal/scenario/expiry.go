package scenario

import (
	"fmt"
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// S2: everything was written within one second, and so would expire within one.
func synchronizedExpiry() Scenario {
	return Scenario{
		ID: "S2", Title: "Synchronized expiry",
		Question:   "All keys are written within one second. How many loads does the source see when they expire, at each jitter?",
		plan:       planExpiry,
		conclude:   concludeExpiry,
		parameters: func(o Options) []result.Parameter { return describe(expirySetup(o, 0.5)) },
		notes: []string{
			"Jitter spreads the first expiry over the time that it stretches lifetimes by; the contenders that do not have it are shown at jitter 0 only.",
			"The bound is for jitter 0.5, from 60 s to 240 s after the write: the busiest second against the average one. A tenth of that is the chance of random arrivals.",
		},
	}
}

// refillFrom and refillTo are the time that counts.
const (
	refillFrom = 60 * time.Second
	refillTo   = 240 * time.Second
)

func expirySetup(o Options, jitter float64) sim.Setup {
	setup := base(expirySize(o))
	setup.Prefill, setup.Jitter, setup.WarmUp = sim.AllAtOnce, jitter, 0
	setup.Length = watched(o, refillTo-10*time.Second, 10*time.Second) // never shorter: the bound is for all of that time
	return setup
}

// expirySize is the whole service even in a short run: the busiest second of fewer users is more of a chance.
func expirySize(o Options) Options {
	if o.Size == Short {
		o.Size = Full
	}
	return o
}

func planExpiry(o Options) []Task {
	if o.Size == Quarter {
		return each(only(o.Contenders, survive), jitterName(0.5), expirySetup(o, 0.5))
	}
	tasks := each(some(o, "P0", survive), jitterName(0), expirySetup(o, 0))
	for _, jitter := range []float64{0.1, 0.25, 0.5} {
		tasks = append(tasks, each(only(o.Contenders, survive), jitterName(jitter), expirySetup(o, jitter))...)
	}
	return tasks
}

func jitterName(jitter float64) string { return fmt.Sprintf("jitter %.0f %%", 100*jitter) }

func concludeExpiry(o Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	plot := result.Plot{
		ID: "S2-refill", Title: "S2: loads after a synchronized write", Caption: "All keys were written within the second before 0 and live for 60 s, stretched or shortened by the jitter.",
		X: result.Axis{Label: "time since the write (s)"}, Y: result.Axis{Label: "source calls (1/s)"},
		Marks: []result.Mark{{Y: capacity(expirySetup(o, 0)), Name: "capacity of the source"}},
	}
	for _, run := range runs {
		peak, mean := refill(run, expirySize(o).Size.parts())
		what := "busiest second over the mean one, 60 to 240 s"
		if run.Contender == survive && run.Variant == jitterName(0.5) {
			c.atMost(run, what, peak/mean, 1.5)
		} else {
			c.show(run, what, short(peak/mean))
		}
		line := result.Line{Name: label(run) + ", " + run.Variant}
		for n, s := range run.Seconds {
			line.Data = append(line.Data, result.Point{X: float64(n) + 0.5, Y: float64(s.SourceCalls)})
		}
		plot.Lines = append(plot.Lines, line)
	}
	if len(runs) == 0 {
		return c, nil
	}
	return c, []result.Plot{plot}
}

// refill gives the most and the average loads a second. A part of the service is looked at for as many seconds together as it is small, so that
// chance weighs the same.
func refill(run result.Run, together int) (peak, mean float64) {
	step := time.Duration(together) * time.Second
	for at := refillFrom; at+step <= refillTo; at += step {
		peak = max(peak, float64(measure.SourceCalls(run.Seconds, at, at+step))/float64(together))
	}
	return peak, float64(measure.SourceCalls(run.Seconds, refillFrom, refillTo)) / (refillTo - refillFrom).Seconds()
}
