package hitpath

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// ID and Title are those of the lab's scenario of the same question.
const (
	ID    = "S18"
	Title = "Hit path"
)

const rawName = "raw GET"

// Run puts the question to all libraries and gives what was found, also beside an error. progress is told after each of [Figures].
func Run(ctx context.Context, at adapters.Place, peers []adapters.Peer, lasts time.Duration, progress func(done, total float64)) (result.Scenario, error) {
	var figures []Figure
	err := Measure(ctx, at, peers, lasts, func(f Figure) {
		figures = append(figures, f)
		progress(float64(len(figures)), Figures)
	})
	return scenarioOf(figures, peers, lasts), err
}

func scenarioOf(figures []Figure, peers []adapters.Peer, lasts time.Duration) result.Scenario {
	found := result.Scenario{
		ID: ID, Title: Title, Mode: "live", Runs: []result.Run{},
		Question: "What does a read of a warm key take through each library, beside a raw GET and a decode of the same row?",
		Parameters: []result.Parameter{
			{Name: "rows", Value: "200 B and 10 KB of opaque bytes"},
			{Name: "processes", Value: "1, all libraries in it, on one Redis"},
			{Name: "goroutines", Value: fmt.Sprintf("1 and %d; the time of a read is the time of all over the number of all", many)},
			{Name: "measured in", Value: fmt.Sprintf("turns of about %v in drawn order, the median of which counts", turn)},
			{Name: "measured for", Value: fmt.Sprintf("%v for each size and number of goroutines", lasts)},
			{Name: rawName, Value: "go-redis with its default pool, and msgpack"},
		},
		Notes: notes(figures, peers),
	}
	for _, f := range figures {
		found.Checks = append(found.Checks, f.checks()...)
	}
	for _, goroutines := range []int{1, many} {
		if p := plotOf(figures, goroutines); len(p.Lines) > 0 {
			found.Plots = append(found.Plots, p)
		}
	}
	return found
}

// checks are shown and not judged: a library that asks no network is not better or worse at the same thing, it does another.
func (f Figure) checks() []result.Check {
	var list []result.Check
	for _, h := range f.Hits {
		measured := fmt.Sprintf("%s: %s for %s (raw against raw %.3f)", ratio(h.Ratio), duration(h.Nanoseconds), duration(f.RawNanoseconds), f.RawRatio)
		if h.Misses > 0 {
			measured += fmt.Sprintf("; %d of %d reads were no hits", h.Misses, h.Reads)
		}
		list = append(list, result.Check{
			Contender: h.Library, Variant: f.variant(), What: "time of a hit against raw", Measured: measured, Verdict: result.Shown,
		})
	}
	return list
}

func (f Figure) variant() string { return size(f.Bytes) + ", " + goroutines(f.Goroutines) }

func goroutines(n int) string {
	if n == 1 {
		return "1 goroutine"
	}
	return fmt.Sprintf("%d goroutines", n)
}

func size(bytes int) string {
	if bytes >= 1<<10 {
		return fmt.Sprintf("%d KB", bytes>>10)
	}
	return fmt.Sprintf("%d B", bytes)
}

// plotOf draws the time by the size; the scale is logarithmic, for memory is some hundred times as fast as a network.
func plotOf(figures []Figure, readers int) result.Plot {
	p := result.Plot{
		ID: fmt.Sprintf("peers-S18-%d", readers), Title: "S18: time of a hit, " + goroutines(readers),
		Caption: "The libraries far below the raw GET answer from the memory of their process; those beside it ask Redis each time.",
		X:       result.Axis{Label: "row (B)", Log: true}, Y: result.Axis{Label: "time of a read (µs)", Log: true},
	}
	raw := result.Line{Name: rawName + " and decode", Dashed: true}
	at := map[string]int{}
	for _, f := range figures {
		if f.Goroutines != readers {
			continue
		}
		raw.Data = append(raw.Data, point(f, f.RawNanoseconds))
		for _, h := range f.Hits {
			i, known := at[h.Library]
			if !known {
				i = len(p.Lines)
				at[h.Library] = i
				p.Lines = append(p.Lines, result.Line{Name: h.Library, Contender: h.Library, Points: true})
			}
			p.Lines[i].Data = append(p.Lines[i].Data, point(f, h.Nanoseconds))
		}
	}
	if len(raw.Data) > 0 {
		p.Lines = append(p.Lines, raw)
	}
	return p
}

func point(f Figure, nanoseconds float64) result.Point {
	return result.Point{X: float64(f.Bytes), Y: nanoseconds / float64(time.Microsecond)}
}

// duration writes a time with three figures.
func duration(nanoseconds float64) string {
	if nanoseconds < float64(time.Microsecond) {
		return strconv.FormatFloat(nanoseconds, 'f', 0, 64) + " ns"
	}
	microseconds := nanoseconds / float64(time.Microsecond)
	if microseconds < 10 {
		return strconv.FormatFloat(microseconds, 'f', 2, 64) + " µs"
	}
	return strconv.FormatFloat(microseconds, 'f', 1, 64) + " µs"
}

// ratio writes one with enough figures to be told from nothing.
func ratio(r float64) string {
	if r < 0.1 {
		return strconv.FormatFloat(r, 'f', 3, 64)
	}
	return strconv.FormatFloat(r, 'f', 2, 64)
}
