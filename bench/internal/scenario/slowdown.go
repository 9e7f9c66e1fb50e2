package scenario

import (
	"fmt"
	"slices"
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// S4: the source is ten times as slow for a while. The classic way into a metastable failure.
func slowDown() Scenario {
	return Scenario{
		ID: "S4", Title: "The source slows down",
		Question: "Every load takes ten times as long for a while, and then as long as before. Does the service come back by itself?",
		plan:     planSlowDown,
		conclude: concludeSlowDown,
		parameters: func(o Options) []result.Parameter {
			return describe(slowSetup(slowRun{o: o, lasts: 10 * time.Second, tries: 3}))
		},
		notes: []string{
			"Goodput falls in two steps: first for the keys that expire in the trouble, and one lifetime later for all that were fresh then. A dashboard that looks well a minute after the trouble proves nothing.",
			"A source that drops the work of callers that have left recovers from this by itself, whatever stands before it: the variants “work dropped” show it. Few databases do.",
			"A slow-down of 1.5 s is at the edge: whether plain cache-aside comes back from it is chance, and another seed may tell otherwise. From 3 s on it did not on any seed that was tried.",
		},
	}
}

const slowFrom = 5 * time.Second

type slowRun struct {
	o     Options
	lasts time.Duration
	tries int
	drops bool
}

func (s slowRun) name() string {
	name := seconds(s.lasts) + ", " + triesName(s.tries)
	if s.drops {
		name += ", work dropped"
	}
	return name
}

func (s slowRun) trouble() measure.Trigger {
	return measure.Trigger{From: slowFrom, To: slowFrom + s.lasts}
}

func slowSetup(s slowRun) sim.Setup {
	setup := base(s.o)
	setup.Tries, setup.Source.DropsAbandoned, setup.Trigger = s.tries, s.drops, s.trouble()
	setup.SourceFaults = []sim.SourceFault{{From: setup.Trigger.From, To: setup.Trigger.To, Slower: 10}}
	setup.Length = watched(s.o, setup.Trigger.To, 95*time.Second)
	if s.o.Size == Quarter && s.name() != collapse(s.o).name() {
		setup.Length = watched(s.o, setup.Trigger.To, 10*time.Second)
	}
	return setup
}

// collapse is the run that the two-step plot is drawn from.
func collapse(o Options) slowRun { return slowRun{o: o, lasts: 10 * time.Second, tries: 3} }

func planSlowDown(o Options) []Task {
	if o.Size == Quarter {
		return append(planSlow(o, []string{strict}, slowRun{o: o, lasts: 5 * time.Second, tries: 3}), planSlow(o, []string{survive}, collapse(o))...)
	}
	lasting := []time.Duration{1500 * time.Millisecond}
	if o.Size == Full {
		lasting = []time.Duration{500 * time.Millisecond, 1500 * time.Millisecond, 5 * time.Second, 30 * time.Second}
	}
	tasks := planSlow(o, []string{"P0", "P1", "P2", strict, survive}, collapse(o))
	for _, lasts := range lasting {
		tasks = append(tasks, planSlow(o, []string{"P0", survive}, slowRun{o: o, lasts: lasts, tries: 3})...)
		if o.Size == Full {
			tasks = append(tasks, planSlow(o, nil, slowRun{o: o, lasts: lasts, tries: 1})...)
		}
	}
	patient := collapse(o)
	patient.tries = 1
	dropping := collapse(o)
	dropping.drops = true
	tasks = append(tasks, planSlow(o, []string{"P0", strict}, patient)...)
	return append(tasks, planSlow(o, []string{"P0", strict}, dropping)...)
}

func planSlow(o Options, short []string, s slowRun) []Task {
	return each(some(o, short...), s.name(), slowSetup(s))
}

func concludeSlowDown(o Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	for _, run := range runs {
		switch run.Contender {
		case survive, fleet:
			c.atLeast(run, "goodput from the trouble on", run.Goodput, 0.999)
		case strict:
			c.recovered(run, 1)
		default:
			c.show(run, "recovers after the trouble, s", recovery(run.RecoverySeconds))
		}
	}
	twoSteps := collapse(o)
	shown := inVariant(runs, twoSteps.name())
	var plots []result.Plot
	if chosen := slices.DeleteFunc(slices.Clone(shown), func(run result.Run) bool {
		return !slices.Contains([]string{"P0", "P1", strict, survive, fleet}, run.Contender)
	}); len(chosen) > 0 {
		plots = overTime("S4", "S4, ten times as slow for 10 s", chosen, twoSteps.trouble(), capacity(base(o)))
	}
	if watchesSecondStep := slowSetup(twoSteps).Length >= twoSteps.trouble().To+sim.Default(0).TTL.Soft+10*time.Second; watchesSecondStep && len(plots) > 0 {
		plots[0].Caption = "Two steps down: the second comes one lifetime (60 s) after the trouble, when what was fresh then expires into a queue that never empties."
	}
	return c, append(plots, recoveries(runs)...)
}

// recoveries draws the time to recover by how long the trouble lasted.
func recoveries(runs []result.Run) []result.Plot {
	const never = 100 // drawn above all that was waited for
	plot := result.Plot{
		ID: "S4-recovery", Title: "S4: time to recover", Caption: "By how long the source was slow, with three calls a user. What is drawn at 100 s did not recover while it was watched.",
		X: result.Axis{Label: "the source was slow for (s)", Log: true}, Y: result.Axis{Label: "time to recover (s)", Max: never + 5},
		Marks: []result.Mark{{Y: never, Name: "never"}},
	}
	for _, id := range []string{"P0", "P1", "P2", "P3", "P4", "P5", strict, survive, fleet} {
		line := result.Line{Contender: id, Points: true, Dashed: true} // nothing was measured between the points
		for _, run := range of(runs, id) {
			var lasts float64
			var tries int
			if n, _ := fmt.Sscanf(run.Variant, "%g s, %d calls a user", &lasts, &tries); n != 2 || run.Variant != (slowRun{lasts: time.Duration(lasts * 1e9), tries: 3}).name() {
				continue
			}
			y := run.RecoverySeconds
			if y < 0 {
				y = never
			}
			line.Name = label(run)
			line.Data = append(line.Data, result.Point{X: lasts, Y: y})
		}
		slices.SortFunc(line.Data, func(a, b result.Point) int { return int(1000 * (a.X - b.X)) })
		if len(line.Data) > 1 {
			plot.Lines = append(plot.Lines, line)
		}
	}
	if len(plot.Lines) == 0 {
		return nil
	}
	return []result.Plot{plot}
}
