package sim_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

// reader is a contender made of one function, which sees what a node is given.
type reader struct {
	node contender.Node
	get  func(ctx context.Context, node contender.Node, key uint64) contender.Answer
}

func (r reader) Get(ctx context.Context, key uint64) contender.Answer { return r.get(ctx, r.node, key) }
func (r reader) Invalidate(ctx context.Context, key uint64) error {
	return r.node.Store.Delete(ctx, key)
}
func (r reader) Close(context.Context) error { return nil }

func reading(get func(context.Context, contender.Node, uint64) contender.Answer) contender.Contender {
	return contender.Contender{ID: "T", Name: "test", Open: func(node contender.Node) (contender.Reader, error) {
		return reader{node, get}, nil
	}}
}

// bare calls the source for every request and keeps nothing.
func bare() contender.Contender {
	return reading(func(ctx context.Context, node contender.Node, key uint64) contender.Answer {
		row, err := node.Source.Load(ctx, key)
		switch {
		case err == nil:
			return contender.Answer{Ending: contender.Loaded, Row: row}
		case ctx.Err() != nil:
			return contender.Answer{Ending: contender.TimedOut}
		}
		return contender.Answer{Ending: contender.Failed, Reason: "source"}
	})
}

// quarter is one node with its quarter of the lab's service.
func quarter(seed uint64) sim.Setup {
	setup := sim.Default(seed)
	setup.Nodes, setup.Rate, setup.Source.Workers, setup.Keys = 1, 500, 4, workload.Zipf(5000, 1)
	return setup
}

// stage is a service without users, without a warm-up and with an empty store, whose loads take exactly 20 ms.
func stage() sim.Setup {
	setup := quarter(1)
	setup.WarmUp, setup.Prefill, setup.Absent, setup.Source.Sigma = 0, sim.Empty, nil, 0
	return setup
}

func run(t *testing.T, setup sim.Setup, c contender.Contender) result.Run {
	t.Helper()
	found, err := sim.Run(t.Context(), bubble.Of(t), setup, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func play(t *testing.T, setup sim.Setup, c contender.Contender, script func(sim.Stage)) result.Run {
	t.Helper()
	found, err := sim.Play(bubble.Of(t), setup, c, script)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func one(t *testing.T, id string) contender.Contender {
	t.Helper()
	for _, c := range contender.All() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no contender %s", id)
	return contender.Contender{}
}

// calls counts those of each key.
type calls struct {
	mu    sync.Mutex
	byKey map[uint64]int
}

func newCalls() *calls { return &calls{byKey: map[uint64]int{}} }

// next counts one and tells which it is, from 1.
func (c *calls) next(key uint64) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byKey[key]++
	return c.byKey[key]
}

const ms = time.Millisecond
