package scenario

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// overTime draws goodput and source calls of some runs, second by second, with the trouble shaded.
func overTime(id, title string, runs []result.Run, trouble measure.Trigger, capacity float64) []result.Plot {
	if len(runs) == 0 {
		return nil
	}
	shaded := []result.Band{{From: trouble.From.Seconds(), To: trouble.To.Seconds(), Name: "trouble"}}
	if trouble.From == trouble.To {
		shaded[0].To += 0.5 // a moment, made wide enough to be seen
	}
	goodput := result.Plot{
		ID: id + "-goodput", Title: title + ": goodput", Caption: "The part of the requests of each second that was answered within 500 ms of its arrival.",
		X: result.Axis{Label: "time (s)"}, Y: result.Axis{Label: "goodput (part of requests)", Max: 1.05}, Shaded: shaded,
	}
	calls := result.Plot{
		ID: id + "-source", Title: title + ": calls of the source", Caption: "Loads that began in each second, against what the source can do.",
		X: result.Axis{Label: "time (s)"}, Y: result.Axis{Label: "source calls (1/s)", Log: true}, Shaded: shaded,
	}
	if capacity > 0 {
		calls.Marks = []result.Mark{{Y: capacity, Name: "capacity of the source"}}
	}
	for _, run := range runs {
		good, asked := result.Line{Name: label(run), Contender: run.Contender}, result.Line{Name: label(run), Contender: run.Contender}
		for n, s := range run.Seconds {
			good.Data = append(good.Data, result.Point{X: float64(n) + 0.5, Y: s.Goodput()})
			asked.Data = append(asked.Data, result.Point{X: float64(n) + 0.5, Y: float64(s.SourceCalls)})
		}
		goodput.Lines, calls.Lines = append(goodput.Lines, good), append(calls.Lines, asked)
	}
	return []result.Plot{goodput, calls}
}

func label(run result.Run) string { return run.Contender + " " + run.Name }

// tails draws the part of the calls that took longer than each time.
func tails(id, title string, runs []result.Run) []result.Plot {
	if len(runs) == 0 {
		return nil
	}
	plot := result.Plot{
		ID: id + "-latency", Title: title + ": latency", Caption: "The part of all calls that took longer than so long, from their intended arrival.",
		X: result.Axis{Label: "latency (ms)", Log: true}, Y: result.Axis{Label: "part of calls above", Log: true, Max: 1},
	}
	for _, run := range runs {
		plot.Lines = append(plot.Lines, result.Line{Name: label(run), Contender: run.Contender, Data: run.Latency.Tail, Steps: true})
	}
	return []result.Plot{plot}
}

// ages draws the age of stale answers against the hard bound.
func ages(id, title string, runs []result.Run, hard time.Duration) []result.Plot {
	plot := result.Plot{
		ID: id + "-age", Title: title + ": age of stale answers", Caption: "The part of all stale answers whose row had been read longer ago than so long. None may lie beyond the hard expiry, jitter included.",
		X: result.Axis{Label: "age (s)"}, Y: result.Axis{Label: "part of stale answers above", Max: 1.02},
		Shaded: []result.Band{{From: hard.Seconds() * 0.9, To: hard.Seconds() * 1.1, Name: "hard expiry with jitter"}},
	}
	for _, run := range runs {
		if run.StaleAge.Count == 0 {
			continue
		}
		line := result.Line{Name: label(run), Contender: run.Contender, Steps: true}
		for _, p := range run.StaleAge.Tail {
			line.Data = append(line.Data, result.Point{X: p.X / 1000, Y: p.Y})
		}
		plot.Lines = append(plot.Lines, line)
	}
	if len(plot.Lines) == 0 {
		return nil
	}
	return []result.Plot{plot}
}

// inVariant gives the runs of one variant.
func inVariant(runs []result.Run, variant string) []result.Run {
	var its []result.Run
	for _, run := range runs {
		if run.Variant == variant {
			its = append(its, run)
		}
	}
	return its
}
