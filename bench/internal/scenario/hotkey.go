package scenario

import (
	"fmt"
	"strings"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

// S1: one key that everybody asks for, and that takes half a second to load.
func hotKey() Scenario {
	return Scenario{
		ID: "S1", Title: "A hot key expires",
		Question: "One key is asked for 2000 times a second and takes 500 ms to load. How often is the source called each time the key expires, by how many nodes there are?",
		plan:     planHotKey,
		conclude: concludeHotKey,
		parameters: func(o Options) []result.Parameter {
			list := describe(hotKeySetup(o, 0))
			for n := range list {
				if list[n].Name == "nodes" {
					list[n].Value = strings.Trim(fmt.Sprint(nodesOf(o)), "[]")
				}
			}
			return list
		},
		notes: []string{
			"The source has room for 4096 loads at once here, so that what is counted are the calls and not what they do to it.",
			"One call a node and expiry is what a policy within the process can give. One in all is what leases across the fleet give (P8), however many nodes there are.",
		},
	}
}

func hotKeySetup(o Options, nodes int) sim.Setup {
	if o.Size == Short {
		o.Size = Full // the figure that everybody knows is for 2000 requests a second
	}
	setup := base(o)
	setup.Nodes, setup.Keys, setup.Absent, setup.Prefill = nodes, workload.Zipf(1, 1), nil, sim.Empty
	setup.Deadline, setup.Tries = time.Second, 1
	setup.TTL = contender.TTL{Soft: 10 * time.Second, Hard: 10 * time.Minute, Negative: time.Minute}
	setup.Source = sim.SourceModel{Workers: 4096, Mean: 500 * time.Millisecond}
	setup.Length = watched(o, 0, 35*time.Second)
	return setup
}

const mostNodes = 64

// nodesOf gives the numbers of nodes that are tried.
func nodesOf(o Options) []int {
	nodes := []int{1, 4, 16}
	switch {
	case o.Nodes > 0:
		nodes = []int{o.Nodes}
	case o.Size == Quarter:
		nodes = []int{4}
	case o.Size == Full:
		nodes = []int{1, 2, 4, 8, 16, 32, mostNodes}
	}
	return nodes
}

func planHotKey(o Options) []Task {
	var tasks []Task
	for _, n := range nodesOf(o) {
		tasks = append(tasks, each(some(o, "P0", "P2", strict, survive, fleet), counted(n, "node"), hotKeySetup(o, n))...)
	}
	if o.Nodes == 0 && o.Size != Full { // where the others' figures are only the number of nodes again
		tasks = append(tasks, each(only(o.Contenders, fleet), counted(mostNodes, "node"), hotKeySetup(o, mostNodes))...)
	}
	return tasks
}

func concludeHotKey(_ Options, runs []result.Run) ([]result.Check, []result.Plot) {
	var c checks
	plot := result.Plot{
		ID: "S1-nodes", Title: "S1: source calls for each expiry of one key", Caption: "Plain cache-aside calls the source for as long as one load takes, whoever asks. A flight calls it once a node, a lease once in all.",
		X: result.Axis{Label: "nodes", Log: true}, Y: result.Axis{Label: "source calls per expiry", Log: true},
	}
	lines := map[string]int{}
	for _, run := range runs {
		calls := callsPerExpiry(run)
		if run.Contender == fleet {
			c.atMost(run, "source calls per expiry", calls, 1)
		} else if ours(run) {
			c.atMost(run, "source calls per expiry", calls, float64(run.Nodes))
		} else {
			c.show(run, "source calls per expiry", short(calls))
		}
		if stale, hit := run.ByEnding["stale"], run.ByEnding["hit"]; survives(run) {
			c.atMost(run, "p99 of stale answers over p99 of hits", stale.P99/hit.P99, 2)
		}
		n, drawn := lines[run.Contender]
		if !drawn {
			n = len(plot.Lines)
			lines[run.Contender] = n
			plot.Lines = append(plot.Lines, result.Line{Name: label(run), Contender: run.Contender, Points: true})
		}
		plot.Lines[n].Data = append(plot.Lines[n].Data, result.Point{X: float64(run.Nodes), Y: calls})
	}
	if len(runs) == 0 {
		return c, nil
	}
	return c, []result.Plot{plot}
}

// callsPerExpiry divides the calls by the number of times they came in a row, a second or two each, after seconds without any.
func callsPerExpiry(run result.Run) float64 {
	calls, expiries, quiet := int64(0), 0, true
	for _, s := range run.Seconds {
		calls += s.SourceCalls
		if s.SourceCalls > 0 && quiet {
			expiries++
		}
		quiet = s.SourceCalls == 0
	}
	return float64(calls) / float64(max(expiries, 1))
}
