package live

import (
	"context"
	"fmt"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// Listed is a scenario by its name.
type Listed struct{ ID, Title string }

// List gives the scenarios that can be run live, in order.
func List() []Listed {
	var list []Listed
	for _, s := range scenarios() {
		list = append(list, Listed{s.id, s.title})
	}
	return list
}

// scenario is one question and how it is put.
type scenario struct {
	id, title, question string
	// runs is how many steps of progress there are, run puts the question; what it has found belongs into the result, also where it fails.
	steps func(Options) int
	run   func(context.Context, *stage, *result.Scenario) error
}

func scenarios() []scenario {
	return []scenario{hotKey(), outage(), coldKey(), leaderLeaves(), hungLoader(), holderDies(), hitPath()}
}

// Run puts the question of one scenario to all contenders and gives what was found. progress, unless nil, is told how far it is, on the caller's
// goroutine.
//
// When ctx ends, the processes are stopped, what was measured by then is given with Interrupted set, and the error is the context's. No process
// and no key of a run outlives the call. Other errors: *[OptionError], [ErrNoServer], *[redisstore.UnreachableError], *[WorkerError]; what was
// measured before them is given too.
func Run(ctx context.Context, o Options, id string, progress func(done, total float64)) (found result.Scenario, err error) {
	for _, s := range scenarios() {
		if s.id == id {
			return s.put(ctx, o.withDefaults(), progress)
		}
	}
	return result.Scenario{}, &OptionError{"scenario", fmt.Sprintf("%q", id), "must be one of those listed"}
}

func (s scenario) put(ctx context.Context, o Options, progress func(done, total float64)) (found result.Scenario, err error) {
	found = result.Scenario{ID: s.id, Title: s.title, Question: s.question, Mode: "live"}
	if err := o.validate(); err != nil {
		return found, err
	}
	where, err := prepare(ctx, o, progress)
	if err != nil {
		return found, err
	}
	defer func() {
		if ended := context.Cause(ctx); ended != nil {
			err = ended // what else failed, failed because of it
		}
		if struck := where.strike(); err == nil {
			err = struck
		}
	}()
	where.total = float64(s.steps(o))
	where.progress(0, where.total)
	err = s.run(ctx, where, &found)
	if err == nil {
		err = where.failed
	}
	found.Notes = append(found.Notes, where.notes...)
	found.Parameters = append(found.Parameters, parameters("server", where.version)...)
	return found, err
}
