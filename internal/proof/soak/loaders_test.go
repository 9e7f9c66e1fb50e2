package soak_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

var errSource = errors.New("the source failed")

// outcome is what a loader gives.
type outcome = cacheaside.SourceOutcome[value]

// manner is a way in which a loader behaves.
type manner struct {
	name   string
	weight int
	// end is how it ends that has found what it was to give; ended is closed with the run.
	end func(ctx context.Context, dice *rand.Rand, found outcome, ended <-chan struct{}) outcome
}

func manners() []manner {
	at := func(out outcome) func(context.Context, *rand.Rand, outcome, <-chan struct{}) outcome {
		return func(context.Context, *rand.Rand, outcome, <-chan struct{}) outcome { return out }
	}
	return []manner{
		{"prompt", 60, func(_ context.Context, _ *rand.Rand, found outcome, _ <-chan struct{}) outcome { return found }},
		{"slow", 14, func(ctx context.Context, dice *rand.Rand, found outcome, _ <-chan struct{}) outcome {
			return heeding(ctx, between(dice, 5, 150), found)
		}},
		{"too slow", 4, func(ctx context.Context, dice *rand.Rand, found outcome, _ <-chan struct{}) outcome {
			return heeding(ctx, between(dice, 250, 600), found)
		}},
		{"hung", 3, func(_ context.Context, dice *rand.Rand, found outcome, ended <-chan struct{}) outcome {
			select { // whatever its context says
			case <-time.After(between(dice, 220, 900)):
			case <-ended:
			}
			return found
		}},
		{"transient", 8, at(cacheaside.TransientFailure[value]("down", errSource))},
		{"permanent", 2, at(cacheaside.PermanentFailure[value]("denied", errSource))},
		{"plain", 2, at(cacheaside.Unclassified[value](errSource))},
		{"cancelled", 1, at(cacheaside.Cancelled[value](errSource))},
		{"empty", 1, at(outcome{})},
		{"panicking", 2, func(context.Context, *rand.Rand, outcome, <-chan struct{}) outcome { panic("a loader of the soak") }},
		{"exiting", 2, func(context.Context, *rand.Rand, outcome, <-chan struct{}) outcome {
			runtime.Goexit()
			return outcome{}
		}},
	}
}

// heeding waits and gives what was found, or the context's error.
func heeding(ctx context.Context, wait time.Duration, found outcome) outcome {
	select {
	case <-time.After(wait):
		return found
	case <-ctx.Done():
		return cacheaside.Unclassified[value](ctx.Err())
	}
}

// between draws a time in milliseconds.
func between(dice *rand.Rand, least, most int) time.Duration {
	return time.Duration(least+dice.IntN(most-least+1)) * time.Millisecond
}

// draw picks a manner by its weight.
func draw(dice *rand.Rand, from []manner) manner {
	sum := 0
	for _, m := range from {
		sum += m.weight
	}
	for left := dice.IntN(sum); ; {
		for _, m := range from {
			if left < m.weight {
				return m
			}
			left -= m.weight
		}
	}
}

// load is the loader of a process. It reads the row first and behaves afterwards, so that what is slow gives old rows. It counts the loads that run,
// those that the library has let go included.
func (p *process) load(ctx context.Context, key string) outcome {
	running := int(p.running.Add(1))
	defer p.running.Add(-1)
	if most := p.policy.SourceConcurrency; running > most {
		p.ledger.breach(ruleLoads, "%d loads of process %d at once, %d permits", running, p.id, most)
	}
	dice := p.dice()
	how := draw(dice, p.manners)
	p.ledger.tell(func(s *summary) {
		s.loads[how.name]++
		s.mostLoads = max(s.mostLoads, running)
	})
	return how.end(ctx, dice, p.find(key), p.ended)
}

// find is what the source has.
func (p *process) find(key string) outcome {
	of := p.source.read(key)
	if of.absent {
		return cacheaside.AuthoritativeAbsent[value]("gone", "")
	}
	return cacheaside.Loaded(value{
		Key: key, Version: of.version, Since: of.since.UnixNano(), Load: int64(p.id)<<40 | p.loads.Add(1), Padding: padding(of.version),
	}, "")
}

// heldTogether is the end of a loader that waits for the others.
func heldTogether(here *sync.WaitGroup) func(context.Context, *rand.Rand, outcome, <-chan struct{}) outcome {
	return func(_ context.Context, _ *rand.Rand, found outcome, _ <-chan struct{}) outcome {
		here.Done()
		here.Wait()
		return found
	}
}
