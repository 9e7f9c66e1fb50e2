package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/remote"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/internal/redistest"
)

const (
	refuses   = "refuses"
	blackHole = "black hole"
)

// outage is S7: the store is gone for a while.
func outage() scenario {
	return scenario{
		id: "S7", title: "Store outage",
		question: "Redis is killed, or suspended so that it answers nothing, and comes back. What are users answered meanwhile, what does the source " +
			"have to take, and what does it take to recover?",
		steps: func(o Options) int { return 2 * len(o.Contenders) },
		run:   runOutage,
	}
}

func runOutage(ctx context.Context, s *stage, found *result.Scenario) error {
	o := s.options
	model := remote.Default(o.Seed)
	ttl := contender.TTL{Soft: time.Minute, Hard: 10 * time.Minute, Negative: time.Minute}
	third := o.Duration / 3
	if whole := third.Round(time.Second); whole > 0 {
		third = whole // figures are by the second
	}
	trigger := measure.Trigger{From: third, To: 2 * third}
	length := trigger.To + o.Duration*4/3 // a recovery is five good seconds
	found.Parameters = parameters("nodes", count(o.Nodes), "rate", perSecond(o.Rate), "keys", count(o.Keys)+", Zipf 1.0, 5 % of them absent",
		"outage", fmt.Sprintf("from %v to %v of %v", trigger.From, trigger.To, length), "source", describe(model), "lifetimes", describeTTL(ttl),
		"caller deadline", patience.String(), "calls of a user at most", count(tries))
	if s.server == nil {
		found.Notes = append(found.Notes, "Not run: the Redis was given by its URL, and only one that the lab has started itself is killed or suspended.")
		return nil
	}
	found.Notes = append(found.Notes, "A killed Redis comes back empty, a suspended one with all that it had. "+
		"The plain contenders have a client with its default settings, which tries again and waits for seconds.")
	for _, kind := range []string{refuses, blackHole} {
		runs, err := s.each(ctx, func(contender.Contender) act {
			return act{
				variant: kind, nodes: o.Nodes, model: model, trigger: trigger, disturb: takeAway(s.server, kind, trigger),
				job: job{Play: "load", Rate: o.Rate, Keys: o.Keys, Zipf: 1, Deadline: patience, Tries: tries, Length: length, TTL: ttl},
			}
		}, func(c contender.Contender, run result.Run, _ facts) {
			found.Checks = append(found.Checks, outageChecks(c, run, trigger, model.Capacity()/o.Rate)...)
		})
		found.Runs = append(found.Runs, runs...)
		found.Plots = append(found.Plots, plots("S7", kind, runs, trouble{trigger, "Redis " + word(kind)}, model.Capacity())...)
		if err != nil {
			return err
		}
	}
	return nil
}

func word(kind string) string {
	if kind == refuses {
		return "killed"
	}
	return "suspended"
}

// takeAway takes the server away for the time of the trigger, and gives it back in any case.
func takeAway(server *redistest.Process, kind string, trigger measure.Trigger) func(context.Context, time.Time) error {
	take, give := server.Pause, server.Resume
	if kind == refuses {
		take = server.Kill
		give = func() error { return server.Restart(context.Background()) }
	}
	return func(ctx context.Context, start time.Time) error {
		if !sleepUntil(ctx, start.Add(trigger.From)) {
			return nil
		}
		if err := take(); err != nil {
			return errors.Join(err, give())
		}
		sleepUntil(ctx, start.Add(trigger.To))
		return give()
	}
}

func outageChecks(c contender.Contender, run result.Run, trigger measure.Trigger, reachable float64) []result.Check {
	policy, _ := preset(c)
	most := run.Nodes * policy.SourceConcurrency
	meanwhile := measure.Goodput(run.Seconds, trigger.From, trigger.To)
	return []result.Check{
		check(c, run, "loads at the source at once, at most", fmt.Sprintf("<= %d, %d for each of %d nodes", most, policy.SourceConcurrency, run.Nodes),
			count(run.SourceOutstanding), judge(c, run, run.SourceOutstanding <= most)),
		check(c, run, "goodput in the outage", ">= "+ratio(0.95*min(1, reachable))+", 0.95 x capacity / demand", ratio(meanwhile), result.Shown),
		check(c, run, "time to recover after the return", "<= 2 s", recovery(run.RecoverySeconds), result.Shown),
	}
}

func recovery(seconds float64) string {
	if seconds < 0 {
		return "not within the run"
	}
	return fmt.Sprintf("%.1f s", seconds)
}
