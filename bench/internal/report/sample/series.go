package sample

import (
	"fmt"
	"math"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// Each plot of time runs from 0 to 90 s, with the trigger from 20 to 30 s.
const seconds = 90

func trigger() []result.Band {
	return []result.Band{{From: 20, To: 30, Name: "source 10 x slower"}}
}

// overTime makes a line of steps for each contender.
func overTime(value func(contender, second int) float64) []result.Line {
	var lines []result.Line
	for i, run := range names() {
		line := result.Line{Name: run.Contender + " " + run.Name, Contender: run.Contender, Steps: true}
		for second := range seconds {
			line.Data = append(line.Data, result.Point{X: float64(second), Y: value(i, second)})
		}
		lines = append(lines, line)
	}
	return lines
}

// ripple is noise that is always the same.
func ripple(contender, second int) float64 {
	return math.Sin(float64(contender*31+second*17)) * math.Cos(float64(second*second%23+contender))
}

// good is goodput: plain ways fall in two steps, the second to nothing; others come back, or hardly notice.
func good(contender, second int) float64 {
	after := float64(second - 20)
	switch {
	case second < 20:
		return 1
	case contender < 2 && second < 62:
		return 0.34 - 0.02*float64(contender) + 0.03*ripple(contender, second)
	case contender < 2:
		return 0
	case contender < 6 && second < 30+contender*5:
		return 0.3 + 0.08*float64(contender) + 0.02*ripple(contender, second)
	case contender == 6 && second < 31:
		return 0.82 + after/100
	case contender == 7 && second < 30:
		return 0.999
	default:
		return 1
	}
}

func goodput() result.Plot {
	return result.Plot{
		ID: "s4-goodput", Title: "S4: goodput over time, two retries",
		Caption: "The plain ways fall in two steps, the second to nothing one TTL after the first: the trigger is long over.",
		X:       result.Axis{Label: "time (s)"}, Y: result.Axis{Label: "goodput (part of the requests)"}, Lines: overTime(good), Shaded: trigger(),
	}
}

func sourceCalls() result.Plot {
	calls := func(contender, second int) float64 {
		return 220 + 900*(1-good(contender, second)) + 40*ripple(contender, second)
	}
	return result.Plot{
		ID: "s4-source-calls", Title: "S4: loads begun at the source", Caption: "Above its capacity, the source's queue grows.",
		X: result.Axis{Label: "time (s)"}, Y: result.Axis{Label: "loads (1/s)"}, Lines: overTime(calls), Shaded: trigger(),
		Marks: []result.Mark{{Y: 800, Name: "capacity of the source, 800/s"}, {Y: 80, Name: "capacity while slow, 80/s"}},
	}
}

func outstanding() result.Plot {
	waiting := func(contender, second int) float64 {
		if second < 20 || good(contender, second) > 0.995 {
			return math.Max(0, math.Round(6*ripple(contender, second)))
		}
		if contender > 5 {
			return 16
		}
		return float64(second-19) * 4000 / math.Pow(3, float64(contender))
	}
	return result.Plot{
		ID: "s4-outstanding", Title: "S4: loads outstanding at the source", Caption: "On a logarithmic axis; its foot is zero.",
		X: result.Axis{Label: "time (s)"}, Y: result.Axis{Label: "loads outstanding", Log: true}, Lines: overTime(waiting), Shaded: trigger(),
		Marks: []result.Mark{{Y: 16, Name: "workers"}},
	}
}

func recovery() result.Plot {
	plot := result.Plot{
		ID: "s4-recovery", Title: "S4: time to recover by length of the slow-down", Caption: "Lines end where there was no recovery within 90 s.",
		X: result.Axis{Label: "length of the slow-down (s)", Log: true}, Y: result.Axis{Label: "time to recover (s)"},
	}
	for i, run := range names() {
		for _, retries := range []int{0, 2} {
			line := result.Line{
				Name: fmt.Sprintf("%s, %d retries", run.Contender, retries), Contender: run.Contender, Dashed: retries == 0, Points: true,
			}
			for _, length := range []float64{0.5, 1, 1.5, 3, 5, 10, 20, 30} {
				if time := length * float64(9-i) / 6 * float64(retries+2) / 2; time < 40 {
					line.Data = append(line.Data, result.Point{X: length, Y: time})
				}
			}
			plot.Lines = append(plot.Lines, line)
		}
	}
	return plot
}
