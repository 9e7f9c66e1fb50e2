package contender_test

import (
	"context"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

const ms = time.Millisecond

func modelled(t *testing.T, id string) contender.Contender {
	t.Helper()
	for _, c := range contender.All() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no contender %s", id)
	return contender.Contender{}
}

// ask is one call of a script: who, when, for what, and for how long.
type ask struct {
	at    time.Duration
	node  int
	key   uint64
	limit time.Duration
}

// told is what a call was told, and when.
type told struct {
	ending contender.Ending
	reason string
	at     time.Duration
}

// staged plays calls on an empty store and a source whose loads take 100 ms each, as many at once as there are.
func staged(t *testing.T, id string, change func(*sim.Setup), asks ...ask) ([]told, result.Run) {
	t.Helper()
	setup := sim.Default(1)
	setup.Nodes, setup.WarmUp, setup.Prefill, setup.Absent, setup.Deadline = 2, 0, sim.Empty, nil, time.Minute
	setup.Keys = workload.Zipf(10, 1)
	setup.Source = sim.SourceModel{Workers: 1000, Mean: 100 * ms}
	setup.Store.Trip = 100 * time.Microsecond
	change(&setup)
	answers := make([]told, len(asks))
	found, err := sim.Play(bubble.Of(t), setup, modelled(t, id), func(s sim.Stage) {
		for n, one := range asks {
			s.At(one.at, func() {
				answer, _ := s.CallWithin(one.limit, one.node, one.key)
				answers[n] = told{answer.Ending, answer.Reason, s.Since()}
			})
		}
		s.At(time.Minute, s.Release)
	})
	if err != nil {
		t.Fatal(err)
	}
	return answers, found
}

func unchanged(*sim.Setup) {}

// crowd is so many calls of one node for one key, 10 µs apart.
func crowd(callers int, limit time.Duration) (asks []ask) {
	for n := range callers {
		asks = append(asks, ask{at: time.Duration(n) * 10 * time.Microsecond, limit: limit})
	}
	return asks
}

// fixed is a store that holds one entry, and a source that answers at once, each counting what is asked of it.
type fixed struct {
	contender.Store
	entry contender.Entry
	err   error
	loads int
}

func (f *fixed) Get(context.Context, uint64) (contender.Entry, bool, error) {
	return f.entry, true, nil
}

func (f *fixed) Set(context.Context, uint64, contender.Entry, time.Duration) error { return nil }

func (f *fixed) Load(context.Context, uint64) (contender.Row, error) {
	f.loads++
	return contender.Row{Version: 2}, f.err
}
