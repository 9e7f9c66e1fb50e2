package live

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/remote"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// hotKey is S1: all users want one key, whose entry expires again and again.
func hotKey() scenario {
	return scenario{
		id: "S1", title: "Hot key expires",
		question: "One key, and every user wants it. How often is the source asked for it each time that its entry expires, and do those who are " +
			"answered with the old value wait?",
		steps: func(o Options) int { return len(o.Contenders) * len(fleets(o.Nodes)) },
		run:   runHotKey,
	}
}

// fleets gives 1, 2, 4 and so on up to the number of nodes.
func fleets(most int) []int {
	var sizes []int
	for n := 1; n <= most; n *= 2 {
		sizes = append(sizes, n)
	}
	return sizes
}

func runHotKey(ctx context.Context, s *stage, found *result.Scenario) error {
	o := s.options
	model := remote.Model{Slots: 1 << 16, Mean: o.Duration / 12, BodyBytes: 1 << 10, Seed: o.Seed}
	ttl := contender.TTL{Soft: o.Duration / 3, Hard: max(10*o.Duration, time.Minute), Negative: time.Minute}
	found.Parameters = parameters("rate", perSecond(o.Rate), "keys", "1", "load", model.Mean.String(), "lifetimes", describeTTL(ttl),
		"caller deadline", patience.String(), "calls of a user at most", count(tries), "length", o.Duration.String())
	found.Notes = append(found.Notes,
		"The source answers any number of loads at once here: it is the number of calls that is asked for, not what becomes of a source under them.",
		"An expiry is told from the next by when the source is called: a call later than half a soft lifetime after the first one of an expiry begins another.")
	for _, nodes := range fleets(o.Nodes) {
		var calls *expiries
		runs, err := s.each(ctx, func(contender.Contender) act {
			calls = newExpiries(ttl.Soft / 2)
			return act{
				variant: fmt.Sprintf("nodes=%d", nodes), nodes: nodes, model: model, onCall: calls.called,
				job: job{Play: "load", Rate: o.Rate, Keys: 1, Deadline: patience, Tries: tries, Length: o.Duration, TTL: ttl},
			}
		}, func(c contender.Contender, run result.Run, _ facts) {
			found.Checks = append(found.Checks, hotKeyChecks(c, run, calls.calls())...)
		})
		found.Runs = append(found.Runs, runs...)
		found.Plots = append(found.Plots, plots("S1", fmt.Sprintf("%d nodes", nodes), runs, trouble{}, 0)...)
		if err != nil {
			return err
		}
	}
	found.Plots = append(found.Plots, callsByNodes(found))
	return nil
}

func hotKeyChecks(c contender.Contender, run result.Run, calls []int) []result.Check {
	most, sum := 0, 0
	for _, n := range calls {
		most, sum = max(most, n), sum+n
	}
	allowed, bound := run.Nodes, fmt.Sprintf("<= %d, one for each node", run.Nodes)
	if c.Fenced {
		allowed, bound = 1, "<= 1, one for all nodes"
	}
	verdict := judge(c, run, most <= allowed)
	if len(calls) == 0 {
		verdict = result.Shown // nothing expired, so nothing is shown either
	}
	stale, hit := run.ByEnding["stale"], run.ByEnding["hit"]
	list := []result.Check{
		check(c, run, "source calls per expiry, at most", bound,
			fmt.Sprintf("%d (%s on average of %d expiries)", most, quotient(float64(sum), float64(len(calls))), len(calls)), verdict),
	}
	if stale.Count > 0 {
		list = append(list, check(c, run, "p99 of stale answers against p99 of hits", "<= 2", quotient(stale.P99, hit.P99), result.Shown))
	}
	return list
}

// callsByNodes draws the calls of a run by how many nodes there are.
func callsByNodes(found *result.Scenario) result.Plot {
	p := result.Plot{
		ID: "live-S1-nodes", Title: "S1: source calls by nodes", Caption: "Loads of the one key over the whole run, by how many processes share the load.",
		X: result.Axis{Label: "nodes"}, Y: result.Axis{Label: "source calls in a run", Log: true},
	}
	at := make(map[string]int)
	for _, run := range found.Runs {
		i, known := at[run.Contender]
		if !known {
			i = len(p.Lines)
			at[run.Contender] = i
			p.Lines = append(p.Lines, result.Line{Name: nameOf(run), Contender: run.Contender, Points: true})
		}
		if run.SourceCalls > 0 {
			p.Lines[i].Data = append(p.Lines[i].Data, result.Point{X: float64(run.Nodes), Y: float64(run.SourceCalls)})
		}
	}
	return p
}

// expiries tells the calls of the source apart by which expiry they are for. It is safe for concurrent use.
type expiries struct {
	apart time.Duration

	mu    sync.Mutex
	first time.Time
	each  []int
}

func newExpiries(apart time.Duration) *expiries { return &expiries{apart: apart} }

func (e *expiries) called(_ uint64, at time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.each) == 0 || at.Sub(e.first) > e.apart {
		e.first = at
		e.each = append(e.each, 0)
	}
	e.each[len(e.each)-1]++
}

// calls gives how many there were for each expiry.
func (e *expiries) calls() []int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]int(nil), e.each...)
}
