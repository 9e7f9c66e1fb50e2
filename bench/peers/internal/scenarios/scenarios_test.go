package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/bench/peers/internal/scenarios"
)

func TestScenariosThatCompareLibrariesAreListed(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, s := range scenarios.List() {
		ids = append(ids, s.ID)
		if s.Title == "" {
			t.Errorf("%s has no title", s.ID)
		}
	}
	if want := []string{"S1", "S9", "S10", "S11", "S18"}; !slices.Equal(ids, want) {
		t.Errorf("listed are %v, want %v", ids, want)
	}
}

func TestAWorkerFindsEveryLibraryAndThisOneAsTheLabsPresets(t *testing.T) {
	t.Parallel()
	at := live.Endpoint{URL: "redis://127.0.0.1:1", Namespace: "n", Operation: func() {}}
	for _, id := range []string{"P6", "P7", "otter", "sturdyc", "go-redis/cache", "rueidisaside", "go-zero", "failsafe-go"} {
		c, known := scenarios.Lookup(id, at)
		if !known || c.ID != id || c.Library != strings.HasPrefix(id, "P") {
			t.Errorf("%s: %+v, %t", id, c, known)
		}
	}
	for _, id := range []string{adapters.Survive, adapters.Strict, "P0", ""} {
		if c, known := scenarios.Lookup(id, at); known {
			t.Errorf("%q gives %s", id, c.ID)
		}
	}
}

func TestWhatComesOfARunHasTheNamesOfTheComparison(t *testing.T) {
	t.Parallel()
	line := func(id string, points int) result.Line {
		return result.Line{Name: id + " with many words", Contender: id, Data: make([]result.Point, points)}
	}
	seconds := result.Axis{Label: "time (s)"}
	found := result.Scenario{
		Runs:       []result.Run{{Contender: "P7"}, {Contender: "otter"}},
		Checks:     []result.Check{{Contender: "P6"}, {Contender: "otter"}},
		Parameters: []result.Parameter{{Name: "waiters per key", Value: "200 for P6 to P8"}},
		Plots: []result.Plot{
			{ID: "tail", Lines: []result.Line{line("P7", 2), {Name: "a mark"}}},
			{ID: "short", X: seconds, Lines: []result.Line{line("P7", 3)}},
			{ID: "long", X: seconds, Lines: []result.Line{line("P7", 3), line("otter", 6)}},
		},
	}
	scenarios.Rename(&found)
	if found.Runs[0].Contender != adapters.Survive || found.Runs[1].Contender != "otter" || found.Checks[0].Contender != adapters.Strict ||
		found.Parameters[0].Value != "200 for this library" {
		t.Errorf("%+v", found)
	}
	if len(found.Plots) != 2 || found.Plots[1].ID != "long" {
		t.Fatalf("%d plots, want those that show something", len(found.Plots))
	}
	if lines := found.Plots[0].Lines; lines[0].Name != adapters.Survive || lines[0].Contender != adapters.Survive || lines[1].Name != "a mark" {
		t.Errorf("%+v", lines)
	}
}

func TestNotesTellWhereAnotherLibraryDidBetter(t *testing.T) {
	t.Parallel()
	run := func(contender string, nodes int, goodput float64, calls int64, p50, commands float64) result.Run {
		return result.Run{
			Contender: contender, Nodes: nodes, Variant: map[int]string{1: "nodes=1", 2: "nodes=2"}[nodes], Goodput: goodput, SourceCalls: calls,
			Latency: result.Latency{P50: p50, P99: 10 * p50}, StoreOperations: commands,
		}
	}
	ours, strict := run(adapters.Survive, 2, 1, 4, 0.5, 1), run(adapters.Strict, 2, 0.85, 4, 0.5, 1)
	tests := []struct {
		name string
		runs []result.Run
		want string // "" is no sentence that begins with the name of the library
	}{
		{"no network", []result.Run{ours, run("otter", 2, 1, 4, 0.05, 0)}, "otter did better than resilience-survive, whose figures are in brackets: nodes=2: " +
			"half of the calls within 0.0500 ms (0.50 ms), 99% within 0.50 ms (5.00 ms), commands to Redis a read 0.00 (1.00)."},
		{"one load in the fleet", []result.Run{ours, run("rueidisaside", 2, 1, 2, 0.5, 1)}, "rueidisaside did better than resilience-survive, whose figures are " +
			"in brackets: nodes=2: source calls 2 (4)."},
		{"more answered than by one preset", []result.Run{ours, strict, run("otter", 2, 1, 4, 0.5, 1)}, "otter did better than resilience-survive, whose " +
			"figures are in brackets: nodes=2: goodput 100.0% (85.0% of resilience-strict)."},
		{"more answered", []result.Run{strict, run("otter", 2, 1, 4, 0.5, 1)}, "otter did better than resilience-strict, whose figures are in brackets: " +
			"nodes=2: goodput 100.0% (85.0%)."},
		{"quick to refuse", []result.Run{ours, run("failsafe-go", 2, 0.5, 1, 0.01, 0.1)}, "Not better than resilience-survive in goodput, nor, with as many " +
			"answered, in source calls, latency and commands to Redis: failsafe-go."},
		{"a little better is noise", []result.Run{ours, run("go-zero", 2, 1, 4, 0.48, 0.97)}, "Not better than resilience-survive in goodput, nor"},
		{"the largest fleet speaks", []result.Run{run(adapters.Survive, 1, 1, 4, 0.5, 1), run("otter", 1, 1, 1, 0.1, 0), ours, run("otter", 2, 1, 4, 0.5, 1)},
			"Not better than resilience-survive in goodput, nor"},
	}
	for _, test := range tests {
		notes := scenarios.Notes(result.Scenario{Runs: test.runs}, nil)
		if !strings.HasPrefix(notes[0], test.want) {
			t.Errorf("%s: %q, want %q", test.name, notes[0], test.want)
		}
	}
	cut := run("otter", 2, 1, 1, 0.1, 0)
	cut.Interrupted = true
	for name, runs := range map[string][]result.Run{"an interrupted run": {ours, cut}, "nobody to compare with": {run("otter", 2, 1, 1, 0.1, 0)}} {
		if notes := scenarios.Notes(result.Scenario{Runs: runs}, nil); len(notes) != 1 {
			t.Errorf("%s is compared: %q", name, notes)
		}
	}
}

func TestNotesTellWhoReadsAKeyAgainWhoseLoadHangs(t *testing.T) {
	t.Parallel()
	check := func(contender, measured string) result.Check {
		return result.Check{Contender: contender, What: "the key can be read again", Measured: measured}
	}
	notes := scenarios.Notes(result.Scenario{ID: "S11", Checks: []result.Check{
		check(adapters.Survive, "after 0.4 s"), check("otter", "never"), check("failsafe-go", "after 0.1 s"),
	}}, adapters.Peers(adapters.Place{}))
	all := strings.Join(notes, "\n")
	if !strings.Contains(all, "can be read again with others too: failsafe-go after 0.1 s.") || !strings.Contains(all, "Every process of otter and sturdyc") {
		t.Errorf("%s", all)
	}
}
