package scenarios

import (
	"context"
	"slices"
	"time"

	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/bench/peers/internal/hitpath"
)

// Options is what to run. None has a default.
type Options struct {
	Addr     string          // of the Redis: host and port. Its keys are left alone but for those of the run, which are deleted
	Peers    []adapters.Peer // at any place
	Nodes    int             // processes at most
	Seed     uint64          // of arrivals, keys and service times
	Duration time.Duration   // of one run under load
}

// ShortestDuration is the least that Options.Duration can be: in S1 entries live a third of it, and some libraries take lifetimes of whole seconds
// only.
const ShortestDuration = 3 * time.Second

// List gives the scenarios that compare libraries, in order. The lab's others would hurt a Redis that is not its own.
func List() []live.Listed {
	var list []live.Listed
	for _, s := range live.List() {
		if slices.Contains([]string{"S1", "S9", "S10", "S11"}, s.ID) {
			list = append(list, s)
		}
	}
	return append(list, live.Listed{ID: hitpath.ID, Title: hitpath.Title})
}

// Run puts the question of one scenario to all libraries and gives what was found, also beside an error: then what was measured before it. When ctx
// ends the error is its cause. progress is told how far it is, on the caller's goroutine. No process and no key outlives the call, but that of a
// library whose process was killed, which expires. A program that calls Run calls [live.Worker] with [Lookup] first in its main.
func Run(ctx context.Context, o Options, id string, progress func(done, total float64)) (result.Scenario, error) {
	if id == hitpath.ID {
		return hitPath(ctx, o, progress)
	}
	found, err := live.Run(ctx, live.Options{
		Redis: "redis://" + o.Addr, Nodes: o.Nodes, Seed: o.Seed, Duration: o.Duration, Contenders: contenders(o.Peers),
	}, id, progress)
	rename(&found)
	found.Notes = append(found.Notes, notes(found, o.Peers)...)
	return found, err
}

func hitPath(ctx context.Context, o Options, progress func(done, total float64)) (result.Scenario, error) {
	space := redisstore.New("redis://" + o.Addr)
	at := adapters.Place{Addr: o.Addr, Namespace: space.Namespace}
	var here []adapters.Peer
	for _, p := range o.Peers {
		if peer, known := adapters.ByID(at, p.ID); known {
			here = append(here, peer)
		}
	}
	found, err := hitpath.Run(ctx, at, here, o.Duration*3/2, progress)
	if _, swept := space.Sweep(context.WithoutCancel(ctx)); swept != nil && err == nil {
		err = swept
	}
	return found, err
}
