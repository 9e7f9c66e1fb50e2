package tune

import (
	"fmt"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// plots draws what happened over time, the tail of the latency, and the age of stale answers where there are any.
func (c Config) plots(runs []result.Run) []result.Plot {
	if len(runs) == 0 {
		return nil
	}
	overTime := result.Axis{Label: "time (s)"}
	shaded := c.shades()
	goodput := result.Plot{
		ID: Mine + "-goodput", Title: c.name + ": goodput",
		Caption: fmt.Sprintf("The part of the requests of each second that was answered within %v of its arrival.", c.setup.Deadline),
		X:       overTime, Y: result.Axis{Label: "goodput (part of requests)", Max: 1.05}, Shaded: shaded,
	}
	calls := result.Plot{
		ID: Mine + "-source", Title: c.name + ": calls of the source",
		Caption: "Loads that began in each second, against what the source can do with nothing wrong.",
		X:       overTime, Y: result.Axis{Label: "source calls (1/s)", Log: true}, Shaded: shaded,
		Marks: []result.Mark{{Y: c.capacity(), Name: "capacity of the source"}},
	}
	tail := result.Plot{
		ID: Mine + "-latency", Title: c.name + ": latency", Caption: "The part of all calls that took longer than so long, from their intended arrival.",
		X: result.Axis{Label: "latency (ms)", Log: true}, Y: result.Axis{Label: "part of calls above", Log: true, Max: 1},
	}
	for _, run := range runs {
		good, asked := line(run), line(run)
		for n, second := range run.Seconds {
			middle := float64(n) + 0.5
			good.Data = append(good.Data, result.Point{X: middle, Y: second.Goodput()})
			asked.Data = append(asked.Data, result.Point{X: middle, Y: float64(second.SourceCalls)})
		}
		above := line(run)
		above.Steps, above.Data = true, run.Latency.Tail
		goodput.Lines, calls.Lines, tail.Lines = append(goodput.Lines, good), append(calls.Lines, asked), append(tail.Lines, above)
	}
	return append([]result.Plot{goodput, calls, tail}, c.ages(runs)...)
}

// narrowestBand keeps the band visible where there is no jitter, as a part of the hard expiry.
const narrowestBand = 0.005

func (c Config) ages(runs []result.Run) []result.Plot {
	hard, jitter := c.setup.TTL.Hard.Seconds(), max(c.setup.Jitter, narrowestBand)
	plot := result.Plot{
		ID: Mine + "-age", Title: c.name + ": age of stale answers",
		Caption: "The part of all stale answers whose row had been read longer ago than so long. None may lie beyond the hard expiry, jitter included.",
		X:       result.Axis{Label: "age (s)"}, Y: result.Axis{Label: "part of stale answers above", Max: 1.02},
		Shaded: []result.Band{{From: hard * (1 - jitter), To: hard * (1 + jitter), Name: "hard expiry with jitter"}},
	}
	for _, run := range runs {
		if run.StaleAge.Count == 0 {
			continue
		}
		aged := line(run)
		aged.Steps = true
		for _, p := range run.StaleAge.Tail {
			aged.Data = append(aged.Data, result.Point{X: p.X / 1000, Y: p.Y})
		}
		plot.Lines = append(plot.Lines, aged)
	}
	if len(plot.Lines) == 0 {
		return nil
	}
	return []result.Plot{plot}
}

func line(run result.Run) result.Line {
	return result.Line{Name: run.Contender + " " + run.Name, Contender: run.Contender}
}

// momentWidth makes what happens at once wide enough to be seen, in seconds.
const momentWidth = 0.5

func (c Config) shades() []result.Band {
	var bands []result.Band
	for _, t := range c.troubles {
		band := result.Band{From: t.from.Seconds(), To: t.to.Seconds(), Name: t.kind.name}
		if t.kind.moment {
			band.To += momentWidth
		}
		bands = append(bands, band)
	}
	return bands
}

// capacity is how many loads a second the source can do with nothing wrong.
func (c Config) capacity() float64 {
	return float64(c.setup.Source.Workers) / c.setup.Source.Mean.Seconds()
}
