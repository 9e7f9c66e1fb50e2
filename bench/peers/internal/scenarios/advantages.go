package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cacheaside/resilience/bench/internal/result"
)

const (
	clearly      = 0.9   // by how much a figure must be less to be called so
	goodputNoise = 0.001 // what a few callers make who meet a busy moment of the machine
)

// advantages has a sentence for each library that did better than this one in something, with this library's figure in brackets: than the first
// preset there is, and in goodput than each. Of a scenario that differs in nodes the variant with most of them speaks.
func advantages(runs []result.Run) []string {
	var compared []string // libraries, in order
	better := map[string][]string{}
	against := ""
	for _, run := range runs {
		ours := ownRuns(runs, run)
		if len(ours) == 0 || isOwn(run.Contender) || run.Nodes < mostNodes(runs) || run.Interrupted {
			continue
		}
		against = ours[0].Contender
		if !slices.Contains(compared, run.Contender) {
			compared = append(compared, run.Contender)
		}
		points := betterThan(run, ours[0])
		for _, other := range ours[1:] {
			if run.Goodput > other.Goodput+goodputNoise {
				points = append(points, fmt.Sprintf("goodput %s (%s of %s)", percent(run.Goodput), percent(other.Goodput), other.Contender))
			}
		}
		if len(points) > 0 {
			better[run.Contender] = append(better[run.Contender], variant(run)+strings.Join(points, ", "))
		}
	}
	var list, none []string
	for _, library := range compared {
		if len(better[library]) == 0 {
			none = append(none, library)
			continue
		}
		list = append(list, fmt.Sprintf("%s did better than %s, whose figures are in brackets: %s.", library, against, strings.Join(better[library], "; ")))
	}
	if len(none) > 0 {
		list = append(list, "Not better than "+against+" in goodput, nor, with as many answered, in source calls, latency and commands to Redis: "+
			strings.Join(none, ", ")+".")
	}
	return list
}

func variant(run result.Run) string {
	if run.Variant == "" {
		return ""
	}
	return run.Variant + ": "
}

func mostNodes(runs []result.Run) int {
	most := 0
	for _, r := range runs {
		most = max(most, r.Nodes)
	}
	return most
}

func isOwn(contender string) bool {
	for _, p := range presets() {
		if p.library == contender {
			return true
		}
	}
	return false
}

// ownRuns are the runs of this library to compare with, in the order of the presets.
func ownRuns(runs []result.Run, with result.Run) []result.Run {
	var own []result.Run
	for _, p := range presets() {
		for _, r := range runs {
			if r.Contender == p.library && r.Variant == with.Variant && !r.Interrupted {
				own = append(own, r)
			}
		}
	}
	return own
}

// betterThan lists what a run did clearly better. But for goodput it counts only where as many callers were answered: to refuse is cheap.
func betterThan(run, ours result.Run) []string {
	if run.Goodput < ours.Goodput-goodputNoise {
		return nil
	}
	var list []string
	add := func(better bool, what, theirs, own string) {
		if better {
			list = append(list, fmt.Sprintf("%s %s (%s)", what, theirs, own))
		}
	}
	add(run.Goodput > ours.Goodput+goodputNoise, "goodput", percent(run.Goodput), percent(ours.Goodput))
	add(float64(run.SourceCalls) < clearly*float64(ours.SourceCalls), "source calls", strconv.FormatInt(run.SourceCalls, 10),
		strconv.FormatInt(ours.SourceCalls, 10))
	add(run.Latency.P50 < clearly*ours.Latency.P50, "half of the calls within", milliseconds(run.Latency.P50), milliseconds(ours.Latency.P50))
	add(run.Latency.P99 < clearly*ours.Latency.P99, "99% within", milliseconds(run.Latency.P99), milliseconds(ours.Latency.P99))
	add(run.StoreOperations < clearly*ours.StoreOperations, "commands to Redis a read", figure(run.StoreOperations), figure(ours.StoreOperations))
	return list
}

func percent(part float64) string { return strconv.FormatFloat(100*part, 'f', 1, 64) + "%" }

func milliseconds(ms float64) string { return figure(ms) + " ms" }

// figure writes two decimals, or as many as it takes to tell it from nothing.
func figure(x float64) string {
	if x != 0 && x < 0.1 {
		return strconv.FormatFloat(x, 'f', 4, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}
