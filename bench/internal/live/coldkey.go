package live

import (
	"context"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/remote"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// coldKey is S9: many want a key that is not there, and the source fails.
func coldKey() scenario {
	return scenario{
		id: "S9", title: "Failing cold key",
		question: "Many callers want one key at once that is not in the store, and the source fails. How often is it asked, and when does the last of them know?",
		steps:    func(o Options) int { return len(o.Contenders) },
		run: func(ctx context.Context, s *stage, found *result.Scenario) error {
			return s.oneKey(ctx, found, "cold", remote.Fault{Errors: 1}, coldKeyChecks)
		},
	}
}

// leaderLeaves is S10: the caller whose load all others wait for goes away.
func leaderLeaves() scenario {
	return scenario{
		id: "S10", title: "Leader cancelled",
		question: "A caller starts a load and goes away while all others wait for it. Is the load begun anew, and what do the others get?",
		steps:    func(o Options) int { return len(o.Contenders) },
		run: func(ctx context.Context, s *stage, found *result.Scenario) error {
			return s.oneKey(ctx, found, "leader", remote.Fault{}, leaderChecks)
		},
	}
}

// oneKey runs a play about many callers of one key in one process.
func (s *stage) oneKey(
	ctx context.Context, found *result.Scenario, play string, fault remote.Fault, checks func(Options, contender.Contender, result.Run) []result.Check,
) error {
	o := s.options
	model := remote.Model{Slots: remote.Default(0).Slots, Mean: o.Load, BodyBytes: 1 << 10, Seed: o.Seed}
	ttl := contender.TTL{Soft: time.Minute, Hard: 10 * time.Minute, Negative: time.Minute}
	cancelAt := o.Load / 10
	found.Parameters = parameters("callers", count(o.Callers), "load", o.Load.String(), "source", describe(model),
		"caller deadline", o.Duration.String(), "calls of a user", "1", "waiters per key", count(o.Callers)+" for P6 to P8")
	if play == "leader" {
		found.Parameters = append(found.Parameters, parameters("leader leaves at", cancelAt.String()+" of its load")...)
	}
	runs, err := s.each(ctx, func(contender.Contender) act {
		return act{
			nodes: 1, model: model, fault: fault,
			job: job{
				Play: play, Keys: 1, Callers: o.Callers, Deadline: o.Duration, Tries: 1, Length: o.Duration, TTL: ttl, CancelAt: cancelAt,
				Tuning: tuning{MaxWaitersPerKey: o.Callers},
			},
		}
	}, func(c contender.Contender, run result.Run, _ facts) {
		found.Checks = append(found.Checks, checks(o, c, run)...)
	})
	found.Runs = runs
	if len(runs) > 0 {
		found.Plots = append(found.Plots, tailPlot("live-"+found.ID, found.ID, "", runs))
	}
	return err
}

func coldKeyChecks(o Options, c contender.Contender, run result.Run) []result.Check {
	told := run.Attempts - run.Endings[contender.TimedOut.String()]
	return []result.Check{
		check(c, run, "source calls", "1", count(run.SourceCalls), judge(c, run, run.SourceCalls == 1)),
		check(c, run, "callers who know before their deadline", count(o.Callers), count(told), judge(c, run, told == int64(o.Callers))),
		check(c, run, "last answer, in loads", "<= 1.2", quotient(run.Latency.Max, o.Load.Seconds()*1e3), result.Shown),
	}
}

func leaderChecks(o Options, c contender.Contender, run result.Run) []result.Check {
	answered := run.Endings[contender.Loaded.String()] + run.Endings[contender.Hit.String()]
	followers := int64(o.Callers - 1)
	return []result.Check{
		check(c, run, "source calls", "1", count(run.SourceCalls), judge(c, run, run.SourceCalls == 1)),
		check(c, run, "followers with an answer", count(followers), fmt.Sprintf("%d of %d", answered, followers), judge(c, run, answered == followers)),
		check(c, run, "last answer, in loads", "<= 1.2", quotient(run.Latency.Max, o.Load.Seconds()*1e3), result.Shown),
	}
}
