package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/hitpath"
	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// What a hit may cost beyond a raw GET and a decode.
const (
	extraNanoseconds    = 1500.0
	extraPerByte        = 0.9
	extraPerByteSlowSHA = 2.3 // on a processor without instructions for SHA-256
	extraAllocations    = 6
)

// loopbackBounds is how much longer a read may take over loopback with one goroutine, by shape; others have no bound.
func loopbackBounds() map[string]float64 {
	return map[string]float64{"200 B struct": 1.05, "10 KB struct": 1.12}
}

// hitPath is S18: what a hit costs.
func hitPath() scenario {
	return scenario{
		id: "S18", title: "Hit path",
		question: "What does a read of a warm key cost through this library, beyond a raw GET and a decode of the same value in msgpack?",
		steps:    func(o Options) int { return hitpath.Figures*len(hitters(o)) + 1 },
		run:      runHitPath,
	}
}

// hitters are the contenders whose hits are measured: StrictPolicy always, and leases where they take part.
func hitters(o Options) []contender.Contender {
	var list []contender.Contender
	for _, c := range contender.All() {
		leases := slices.ContainsFunc(o.Contenders, func(one contender.Contender) bool { return one.ID == c.ID && one.Fenced })
		if c.ID == "P6" || leases {
			list = append(list, c)
		}
	}
	return list
}

func runHitPath(ctx context.Context, s *stage, found *result.Scenario) error {
	each := s.options.Duration / 3
	perByte := extraPerByte
	if hitpath.LacksSHA() {
		perByte = extraPerByteSlowSHA
	}
	found.Parameters = parameters("keys", "1, warm", "policy", "StrictPolicy, under leases for P8", "one measurement", each.String(), "turn", "64 reads", "order", "raw, library, raw")
	found.Notes = append(found.Notes,
		"One process; the ways are measured in short turns within one run. Raw against raw is the same code twice: where that leaves 0.98 to 1.02, the "+
			"machine was too busy for the figure beside it to be judged.",
		"Processor time, garbage collection included, is of reads over a connection that answers by itself, so that it is this process's own work.")
	if !hitpath.CountsProcessorTime {
		found.Notes = append(found.Notes, "This system does not tell the processor time of a process; elapsed time stands for it, and is not judged.")
	}
	var figures []hitpath.Figure
	for _, c := range hitters(s.options) {
		of, err := s.measureHits(ctx, c, each, func(f hitpath.Figure) { found.Checks = append(found.Checks, hitChecks(c, f, perByte)...) })
		if figures == nil {
			figures = of
		}
		if err != nil {
			found.Plots = append(found.Plots, hitPlot(figures))
			return err
		}
	}
	if len(figures) > 0 {
		found.Plots = append(found.Plots, hitPlot(figures))
	}
	return s.measureMisses(ctx, each, found)
}

// measureHits measures the hits of one contender on keys of its own, which it sweeps.
func (s *stage) measureHits(ctx context.Context, c contender.Contender, each time.Duration, found func(hitpath.Figure)) (figures []hitpath.Figure, err error) {
	space := redisstore.New(s.url)
	defer func() {
		_, swept := space.Sweep(context.WithoutCancel(ctx))
		err = errors.Join(err, swept)
	}()
	err = hitpath.Measure(ctx, space, c.Fenced, each, func(f hitpath.Figure) {
		figures = append(figures, f)
		found(f)
		s.step()
	})
	return figures, err
}

// measureMisses shows what leases cost a miss, where they take part.
func (s *stage) measureMisses(ctx context.Context, lasts time.Duration, found *result.Scenario) (err error) {
	defer s.step()
	if len(hitters(s.options)) == 1 {
		return nil
	}
	space := redisstore.New(s.url)
	defer func() {
		_, swept := space.Sweep(context.WithoutCancel(ctx))
		err = errors.Join(err, swept)
	}()
	miss, err := hitpath.MeasureMiss(ctx, space, lasts)
	if err != nil {
		return err
	}
	shown := func(what, measured string) {
		found.Checks = append(found.Checks, result.Check{Contender: "P8", Variant: "miss, 200 B", What: what, Measured: measured, Verdict: result.Shown})
	}
	shown("commands of a miss with leases, and without", fmt.Sprintf("%.2f, %.2f", miss.FleetCommands, miss.LocalCommands))
	shown("time of a miss over loopback against without leases, 1 goroutine", fmt.Sprintf("%.3f: %.1f µs for %.1f µs (without against without %.3f)",
		miss.Ratio, miss.GetNanoseconds/1e3, miss.RawNanoseconds/1e3, miss.RawRatio))
	return nil
}

func hitChecks(c contender.Contender, f hitpath.Figure, perByte float64) []result.Check {
	add := func(list []result.Check, what, bound, measured string, within, judged bool) []result.Check {
		verdict := result.Fail
		switch {
		case !judged || !f.Quiet():
			verdict = result.Shown
		case within:
			verdict = result.Pass
		}
		measured += fmt.Sprintf(" (raw against raw %.3f)", f.RawRatio)
		return append(list, result.Check{Contender: c.ID, Variant: f.Shape, What: what, Bound: bound, Measured: measured, Verdict: verdict})
	}
	var list []result.Check
	if !f.Processor {
		most, bounded := loopbackBounds()[f.Shape]
		bounded = bounded && f.Goroutines == 1
		bound := ""
		if bounded {
			bound = fmt.Sprintf("<= %.2f", most)
		}
		what := fmt.Sprintf("time over loopback against raw, %s", goroutines(f.Goroutines))
		return add(list, what, bound, fmt.Sprintf("%.3f: %.1f µs for %.1f µs", f.Ratio, f.GetNanoseconds/1e3, f.RawNanoseconds/1e3), f.Ratio <= most, bounded)
	}
	most := extraNanoseconds + perByte*float64(f.Bytes)
	list = add(list, "extra processor time of a hit", fmt.Sprintf("<= %.2f µs, 1.5 µs + %.1f ns for each of %d B", most/1e3, perByte, f.Bytes),
		fmt.Sprintf("%.2f µs: %.2f µs for %.2f µs", f.ExtraNanoseconds/1e3, f.GetNanoseconds/1e3, f.RawNanoseconds/1e3),
		f.ExtraNanoseconds <= most, hitpath.CountsProcessorTime)
	return add(list, "extra allocations of a hit", fmt.Sprintf("<= %d", extraAllocations), fmt.Sprintf("%.0f", f.ExtraAllocations),
		f.ExtraAllocations <= extraAllocations, true)
}

func goroutines(n int) string {
	if n == 1 {
		return "1 goroutine"
	}
	return fmt.Sprintf("%d goroutines", n)
}

// hitPlot draws how long a read takes over loopback with one goroutine.
func hitPlot(figures []hitpath.Figure) result.Plot {
	raw := result.Line{Name: "raw GET and decode", Points: true, Dashed: true}
	get := result.Line{Name: "P6 a hit on this library", Contender: "P6", Points: true}
	for _, f := range figures {
		if !f.Processor && f.Goroutines == 1 && f.Shape != "10 KB opaque" {
			raw.Data = append(raw.Data, result.Point{X: float64(f.Bytes), Y: f.RawNanoseconds / float64(time.Microsecond)})
			get.Data = append(get.Data, result.Point{X: float64(f.Bytes), Y: f.GetNanoseconds / float64(time.Microsecond)})
		}
	}
	return result.Plot{
		ID: "live-S18-time", Title: "S18: time of a hit over loopback", Caption: "One goroutine, structs of many small fields, measured in turns in one process.",
		X: result.Axis{Label: "payload (B)", Log: true}, Y: result.Axis{Label: "time of a read (µs)"}, Lines: []result.Line{raw, get},
	}
}
