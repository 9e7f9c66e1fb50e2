package live

import (
	"math"
	"strconv"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// trouble is when something was wrong, and what.
type trouble struct {
	measure.Trigger
	name string
}

func (t trouble) bands() []result.Band {
	if t.From == t.To {
		return nil
	}
	return []result.Band{{From: t.From.Seconds(), To: t.To.Seconds(), Name: t.name}}
}

// plots draws runs that differ in nothing but the contender. suffix is a word for what they have in common, or nothing.
func plots(scenario, suffix string, runs []result.Run, wrong trouble, capacity float64) []result.Plot {
	if len(runs) == 0 {
		return nil
	}
	id, of := "live-"+scenario, ""
	if suffix != "" {
		id, of = id+"-"+slug(suffix), ", "+suffix
	}
	seconds := result.Axis{Label: "time (s)"}
	goodput := result.Plot{
		ID: id + "-goodput", Title: scenario + ": goodput over time" + of,
		Caption: "The part of the requests of each second that was answered within the caller's deadline, counted from the intended arrival.",
		X:       seconds, Y: result.Axis{Label: "goodput", Max: 1}, Shaded: wrong.bands(),
		Lines: overTime(runs, result.Second.Goodput),
	}
	calls := result.Plot{
		ID: id + "-source", Title: scenario + ": source calls over time" + of,
		Caption: "Loads that began at the source in each second, of all processes together.",
		X:       seconds, Y: result.Axis{Label: "source calls (1/s)"}, Shaded: wrong.bands(),
		Lines: overTime(runs, func(s result.Second) float64 { return float64(s.SourceCalls) }),
	}
	if capacity > 0 {
		calls.Marks = []result.Mark{{Y: capacity, Name: "capacity of the source"}}
	}
	return []result.Plot{goodput, calls, tailPlot(id, scenario, of, runs)}
}

func tailPlot(id, scenario, of string, runs []result.Run) result.Plot {
	p := result.Plot{
		ID: id + "-tail", Title: scenario + ": latency tail" + of,
		Caption: "The part of all calls that took longer than each time, both axes logarithmic: further down and to the left is better.",
		X:       result.Axis{Label: "latency (ms)", Log: true}, Y: result.Axis{Label: "part of calls above", Log: true},
	}
	for _, run := range runs {
		var points []result.Point
		for _, at := range run.Latency.Tail {
			if at.X > 0 && at.Y > 0 { // else it has no place on a logarithmic axis
				points = append(points, at)
			}
		}
		p.Lines = append(p.Lines, result.Line{Name: nameOf(run), Contender: run.Contender, Data: points})
	}
	return p
}

func overTime(runs []result.Run, figure func(result.Second) float64) []result.Line {
	var lines []result.Line
	for _, run := range runs {
		line := result.Line{Name: nameOf(run), Contender: run.Contender, Steps: true}
		for n, second := range run.Seconds {
			line.Data = append(line.Data, result.Point{X: float64(n), Y: figure(second)})
		}
		lines = append(lines, line)
	}
	return lines
}

func nameOf(run result.Run) string { return run.Contender + " " + run.Name }

// slug makes a text fit for a file name.
func slug(text string) string {
	out := []byte(text)
	for i, c := range out {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			out[i] = '-'
		}
	}
	return string(out)
}

// quotient writes a ratio, where there is one.
func quotient(a, b float64) string {
	if b == 0 || math.IsNaN(a/b) {
		return "–"
	}
	return strconv.FormatFloat(a/b, 'f', 2, 64)
}
