package sample

import (
	"math"

	"github.com/cacheaside/resilience/bench/internal/result"
)

func perExpiry() result.Plot {
	plot := result.Plot{
		ID: "s1-per-expiry", Title: "S1: loads per expiry by number of nodes", Caption: "With leases, one for the whole fleet.",
		X: result.Axis{Label: "nodes", Log: true}, Y: result.Axis{Label: "loads per expiry", Log: true},
	}
	for _, c := range []struct {
		name, contender string
		calls           func(float64) float64
	}{
		{"P0 plain cache-aside", "P0", func(float64) float64 { return 1004 }},
		{"P7 SurvivePolicy", "P7", func(n float64) float64 { return n }},
		{"P8 SurvivePolicy, leases", "P8", func(float64) float64 { return 1 }},
	} {
		line := result.Line{Name: c.name, Contender: c.contender, Points: true}
		for nodes := 1.0; nodes <= 64; nodes *= 2 {
			line.Data = append(line.Data, result.Point{X: nodes, Y: c.calls(nodes)})
		}
		plot.Lines = append(plot.Lines, line)
	}
	return plot
}

func tails() result.Plot {
	plot := result.Plot{
		ID: "s1-latency", Title: "S1: latency, the part of the calls that took longer", Caption: "Counted from the intended arrival.",
		X: result.Axis{Label: "latency (ms)", Log: true}, Y: result.Axis{Label: "part of the calls above", Log: true},
		Marks: []result.Mark{{Y: 0.01, Name: "p99"}},
	}
	for i, run := range names() {
		line := result.Line{Name: run.Contender, Contender: run.Contender}
		for step := range 60 {
			part := math.Pow(10, -float64(step)/10)
			line.Data = append(line.Data, result.Point{X: 0.4 * math.Exp(float64(step)/float64(7+i)), Y: part})
		}
		plot.Lines = append(plot.Lines, line)
	}
	return plot
}

func staleAge() result.Plot {
	ages := func(name string, factor float64, dashed bool) result.Line {
		line := result.Line{Name: name, Contender: "P7", Dashed: dashed}
		for second := 0.0; second <= 150; second++ {
			age := math.Min(59.99, math.Max(0, second-10)) * factor
			if second > 130 {
				age = 0
			}
			line.Data = append(line.Data, result.Point{X: second, Y: age})
		}
		return line
	}
	return result.Plot{
		ID: "s6-stale-age", Title: "S6: age of stale answers against the hard bound", Caption: "Never at the bound, to the millisecond.",
		X: result.Axis{Label: "time (s)"}, Y: result.Axis{Label: "age (s)"},
		Lines:  []result.Line{ages("P7, oldest", 1, false), ages("P7, median", 0.6, true)},
		Shaded: []result.Band{{From: 10, To: 130, Name: "source down"}, {From: 130, To: 134, Name: "source back, full within 2 s"}},
		Marks:  []result.Mark{{Y: 60, Name: "hard TTL"}},
	}
}

func refill() result.Plot {
	plot := result.Plot{
		ID: "s2-refill", Title: "S2: refills per second after 20 000 keys were written in one second", Caption: "With jitter the spike is spread.",
		X: result.Axis{Label: "time (s)"}, Y: result.Axis{Label: "refills (1/s)"}, Marks: []result.Mark{{Y: 800, Name: "capacity of the source"}},
	}
	for _, jitter := range []struct {
		name  string
		width float64
	}{
		{"no jitter", 3}, {"jitter 10%", 10}, {"jitter 25%", 25}, {"jitter 50%", 50},
	} {
		line := result.Line{Name: jitter.name}
		for second := 0.0; second <= 120; second++ {
			line.Data = append(line.Data, result.Point{X: second, Y: 20_000 / jitter.width / 2.5 * math.Exp(-math.Pow((second-60)/jitter.width, 2))})
		}
		plot.Lines = append(plot.Lines, line)
	}
	return plot
}

func metastability() result.Map {
	m := result.Map{
		ID: "metastability", Title: "How long until recovered from a tenfold slow-down of the source",
		Caption:      "Two caller retries. Black: never within 90 s.",
		Utilisations: []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, Triggers: []float64{0.5, 1, 1.5, 3, 5, 10, 20, 30}, LimitSeconds: 90,
	}
	for i, run := range names() {
		panel := result.MapPanel{Contender: run.Contender, Name: run.Name}
		black := 0
		for _, length := range m.Triggers {
			var row []float64
			for _, utilisation := range m.Utilisations {
				time := math.Round(length*utilisation*10/(1.02-utilisation)*math.Pow(0.55, float64(i))*10) / 10
				if time > 60-float64(i) {
					time = -1
					black++
				}
				row = append(row, time)
			}
			panel.Cells = append(panel.Cells, row)
		}
		panel.Black = float64(black) / float64(len(m.Triggers)*len(m.Utilisations))
		m.Panels = append(m.Panels, panel)
	}
	m.Panels[8].Cells[7][8], m.Panels[8].Cells[7][7] = -2, -2
	return m
}
