package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cacheaside/resilience/bench/internal/report/draw"
	"github.com/cacheaside/resilience/bench/internal/report/figure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// figures is one run in words, as the page and the terminal show it.
type figures struct {
	contender, variant                    string
	nodes, goodput, hits                  string
	calls, concurrency, outstanding       string
	wasted, operations                    string
	p50, p99, p999, max                   string
	stale, staleAge, rejected, failed     string
	recovery, lost, violations, pastHard  string
	goroutines, heap, offered, callerPeak string
}

func figuresOf(r result.Run) figures {
	variant := figure.Clean(r.Variant)
	if r.Interrupted {
		variant = strings.TrimSpace(variant + " (interrupted)")
	}
	f := figures{
		contender: figure.Clean(r.Contender), variant: variant,
		nodes: figure.Count(int64(r.Nodes)), offered: figure.Count(r.Offered), goodput: figure.Percent(r.Goodput), hits: figure.Percent(r.HitRatio),
		calls: figure.Count(r.SourceCalls), concurrency: figure.Count(int64(r.SourceConcurrency)), outstanding: figure.Count(int64(r.SourceOutstanding)),
		wasted: figure.Count(r.SourceWasted), operations: figure.Number(r.StoreOperations), callerPeak: figure.Count(int64(r.CallersPeak)),
		p50: latency(r.Latency, r.Latency.P50), p99: latency(r.Latency, r.Latency.P99), p999: latency(r.Latency, r.Latency.P999),
		max: latency(r.Latency, r.Latency.Max), staleAge: latency(r.StaleAge, r.StaleAge.Max), stale: figure.Part(r.Endings["stale"], r.Attempts),
		rejected: figure.Count(r.Endings["rejected"]), failed: figure.Count(r.Endings["failed"] + r.Endings["timed out"]),
		recovery: figure.Recovery(r.RecoverySeconds), lost: figure.Seconds(r.LostAreaSeconds), violations: figure.Count(r.Violations),
		pastHard: figure.Count(r.PastHard),
	}
	if r.Goroutines > 0 {
		f.goroutines = figure.Count(int64(r.Goroutines))
	}
	if r.HeapBytes > 0 {
		f.heap = figure.Bytes(r.HeapBytes)
	}
	return f
}

// latency is a figure of a distribution, and none of one without values.
func latency(l result.Latency, milliseconds float64) string {
	if l.Count == 0 {
		return figure.None
	}
	return figure.Milliseconds(milliseconds)
}

func runsGrid(runs []result.Run, palette *draw.Palette) grid {
	number := func(name, hint string) column { return column{Name: name, Hint: hint, Number: true} }
	optional := func(name, hint string) column { return column{Name: name, Hint: hint, Number: true, Optional: true} }
	g := grid{Columns: []column{
		{Name: "contender"}, {Name: "variant", Optional: true},
		number("goodput", "answered within the caller's deadline, of all offered, from the trigger to the end"),
		number("recovery", "from the end of the trigger to the first of five seconds with a goodput of 99% or more"),
		number("source calls", "loads begun at the source"),
		number("peak outstanding", "most loads being worked on or waiting in the source's queue"),
		number("hit ratio", "hits and stale answers, of all attempts"),
		number("p50", "latency of all attempts, from the intended arrival"), number("p99", ""), number("p99.9", ""), number("max", ""),
		number("stale", "stale answers, of all attempts"), number("rejected", "attempts refused by a bound"),
		number("failed", "attempts that failed or timed out"),
		number("violations", "answers older than what an invalidation, or the source itself, had settled before"),
		optional("oldest stale", "greatest age of a stale row when it was answered"),
		number("lost", "the sum of one less goodput over the seconds after the trigger"),
		number("peak at work", "most loads being worked on at once"),
		number("wasted loads", "loads that nobody waited for any more when they ended"), number("store ops", "of the store, for each Get"),
		number("callers", "most calls under way at once"), number("past hard", "stale answers at or past their hard expiry"),
		number("offered", "requests that users made, their retries not counted"), number("nodes", "processes that share the store"),
		optional("goroutines", "peak"), optional("heap", "peak"),
		{Name: "figures of this scenario", Optional: true, Wide: true},
	}}
	for _, r := range runs {
		f := figuresOf(r)
		row := []cell{{Text: figure.Name(r.Contender, r.Name), Swatch: swatch(palette, r.Contender)}}
		for _, text := range []string{
			f.variant, f.goodput, f.recovery, f.calls, f.outstanding, f.hits, f.p50, f.p99, f.p999, f.max, f.stale, f.rejected, f.failed,
			f.violations, f.staleAge, f.lost, f.concurrency, f.wasted, f.operations, f.callerPeak, f.pastHard, f.offered, f.nodes,
			f.goroutines, f.heap, extra(r.Extra),
		} {
			row = append(row, cell{Text: text})
		}
		g.Rows = append(g.Rows, row)
	}
	return g.compact(figure.None)
}

// endingsGrid tells how the attempts of each run ended, and how long that took.
func endingsGrid(runs []result.Run) grid {
	g := grid{Columns: []column{
		{Name: "contender"}, {Name: "variant", Optional: true}, {Name: "ending"}, {Name: "attempts", Number: true}, {Name: "share", Number: true},
		{Name: "p50", Number: true}, {Name: "p99", Number: true}, {Name: "max", Number: true}, {Name: "reasons in the run", Optional: true},
	}}
	for _, r := range runs {
		f := figuresOf(r)
		for i, ending := range slices.Sorted(maps.Keys(r.Endings)) {
			took := r.ByEnding[ending]
			row := []cell{{Text: f.contender}, {Text: f.variant}, {Text: figure.Clean(ending)}, {Text: figure.Count(r.Endings[ending])},
				{Text: figure.Part(r.Endings[ending], r.Attempts)}, {Text: latency(took, took.P50)}, {Text: latency(took, took.P99)},
				{Text: latency(took, took.Max)}, {}}
			if i == 0 {
				row[len(row)-1].Text = reasons(r.Reasons)
			}
			g.Rows = append(g.Rows, row)
		}
	}
	return g.compact()
}

// extra writes figures by names that say their unit.
func extra(values map[string]float64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, fmt.Sprintf("%s: %s", figure.Clean(name), figure.Number(values[name])))
	}
	return strings.Join(parts, "; ")
}

func reasons(counts map[string]int64) string {
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %s", figure.Clean(reason), figure.Count(counts[reason])))
	}
	return strings.Join(parts, ", ")
}
