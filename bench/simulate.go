package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/scenario"
)

// part is one scenario, or the map, or a user's own, among the runs of the whole command.
type part struct {
	name     string
	tasks    []scenario.Task
	runs     []*result.Run // by task; nil where it was not made
	conclude func(part, *result.Document)
}

func (o options) scenarioOptions() scenario.Options {
	return scenario.Options{Seed: o.seed, Size: o.size(), Length: o.length, Nodes: o.nodes, Contenders: o.contenders, Named: o.named}
}

// runSim puts the questions to models, all runs of all scenarios side by side on all processors.
func runSim(ctx context.Context, bubbles bubble.Bubbles, o options, document *result.Document, shown *progress) error {
	var parts []part
	chosen := o.scenarioOptions()
	for _, s := range scenario.All() {
		if slices.Contains(o.scenarios, s.ID) {
			parts = append(parts, part{name: s.ID, tasks: s.Plan(chosen), conclude: func(p part, d *result.Document) {
				if made := p.made(); len(made) > 0 {
					d.Scenarios = append(d.Scenarios, s.Conclude(chosen, made))
				}
			}})
		}
	}
	if slices.Contains(o.scenarios, scenario.MapID) {
		m := scenario.NewMap(chosen)
		parts = append(parts, part{name: scenario.MapID, tasks: m.Plan(), conclude: func(p part, d *result.Document) {
			if whole := p.whole(); slices.ContainsFunc(whole, func(r *result.Run) bool { return r != nil }) {
				d.Maps = append(d.Maps, m.Conclude(whole))
			}
		}})
	}
	return runParts(ctx, bubbles, parts, document, shown)
}

func runParts(ctx context.Context, bubbles bubble.Bubbles, parts []part, document *result.Document, shown *progress) error {
	var work []scenario.Work
	var places []place
	for p := range parts {
		parts[p].runs = make([]*result.Run, len(parts[p].tasks))
		for t, task := range parts[p].tasks {
			work = append(work, scenario.Work{Task: task, Index: len(places)})
			places = append(places, place{p, t})
		}
	}
	shown.begin(fmt.Sprintf("runs in virtual time: %d", len(work)))
	// The costly ones first, so that no processor is left alone with one at the end.
	slices.SortStableFunc(work, func(a, b scenario.Work) int { return int(1000 * (b.Cost - a.Cost)) })
	err := scenario.Execute(ctx, bubbles, work, runtime.GOMAXPROCS(0), func(w scenario.Work, run result.Run) {
		at := places[w.Index]
		parts[at.part].runs[at.task] = &run
	}, func(done float64) { shown.set(done, "virtual time") })
	for _, p := range parts {
		p.conclude(p, document)
	}
	return err
}

// place is where a run belongs.
type place struct{ part, task int }

// made gives the runs that were begun, in order.
func (p part) made() []result.Run {
	var made []result.Run
	for _, run := range p.runs {
		if run != nil {
			made = append(made, *run)
		}
	}
	return made
}

// whole gives the runs by task, without those that were cut short.
func (p part) whole() []*result.Run {
	whole := slices.Clone(p.runs)
	for n, run := range whole {
		if run != nil && run.Interrupted {
			whole[n] = nil
		}
	}
	return whole
}
