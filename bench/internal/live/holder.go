package live

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/remote"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/redisadapter"
)

const (
	killedStale = "an old value is stored"
	killedCold  = "a cold key"

	heirsEvery = 20 * time.Millisecond // calls of the key, of all nodes together
	shortSoft  = 50 * time.Millisecond // over before the run begins
)

// holderDies is S13: the process that loads for all others is killed.
func holderDies() scenario {
	return scenario{
		id: "S13", title: "The lease holder dies",
		question: "A process that loads a key for its fleet is killed in the middle of it, as kill -9 does. Does another load meanwhile, what are callers " +
			"of the others answered, and when is there a fresh value again?",
		steps: func(o Options) int { return 2 * len(o.Contenders) },
		run:   runHolder,
	}
}

func runHolder(ctx context.Context, s *stage, found *result.Scenario) error {
	o := s.options
	nodes := max(o.Nodes, 2)
	model := remote.Model{Slots: 1 << 16, Mean: o.Load, BodyBytes: 1 << 10, Seed: o.Seed}
	change := tuning{LoadDeadline: max(3*o.Load, 300*time.Millisecond)}
	lease := change.lease()
	length := 2*lease + 2*o.Load
	ttl := contender.TTL{Soft: shortSoft, Hard: 10 * time.Minute, Negative: time.Minute}
	killAt := o.Load / 3
	found.Parameters = parameters("nodes", count(nodes), "load", o.Load.String(), "the first node is killed at", killAt.String()+" of its load",
		"calls of the key on the other nodes", "one every "+heirsEvery.String(), "caller deadline", patience.String(), "calls of a user", "1",
		"load deadline", change.LoadDeadline.String()+" for P6 to P8", "life of a grant", lease.String()+" for P8",
		"lifetimes", describeTTL(ttl), "length", length.String())
	found.Notes = append(found.Notes, "The figures are of the nodes that live on: what the killed one counted died with it.",
		"The lock of P4 outlives its holder too, by the life that P4 gives it.")
	for _, variant := range []string{killedStale, killedCold} {
		plan := job{Play: "holder", Keys: 1, Deadline: patience, Tries: 1, Length: length, TTL: ttl, Tuning: change, CancelAt: killAt}
		key := plan.coldKey()
		if plan.Warm = variant == killedStale; plan.Warm {
			key = 0
		}
		var calls *loads
		runs, err := s.each(ctx, func(contender.Contender) act {
			calls = newLoads(key)
			first := calls.first
			return act{
				variant: variant, nodes: nodes, model: model, job: plan, onCall: calls.called,
				dies: func(ctx context.Context) bool {
					select {
					case at := <-first:
						return sleepUntil(ctx, at.Add(killAt))
					case <-ctx.Done():
						return false
					}
				},
			}
		}, func(c contender.Contender, run result.Run, seen facts) {
			found.Checks = append(found.Checks, holderChecks(c, run, seen, calls.within(lease/2), lease)...)
		})
		found.Runs = append(found.Runs, runs...)
		found.Plots = append(found.Plots, plots("S13", variant, runs, trouble{measure.Trigger{To: lease}, "a grant lives"}, 0)...)
		if err != nil {
			return err
		}
	}
	return nil
}

// lease is how long a grant lives under P8's policy, changed like that.
func (t tuning) lease() time.Duration {
	policy := contender.FleetPolicy()
	t.apply(&policy)
	return policy.AdmissionWait + policy.LoadDeadline + 2*redisadapter.DefaultRecordTimeout
}

func holderChecks(c contender.Contender, run result.Run, seen facts, others int, lease time.Duration) []result.Check {
	again := "not within the run"
	if seen.FirstGood >= 0 {
		again = quotient(seen.FirstGood, lease.Seconds())
	}
	unanswered := run.Attempts - run.Endings[contender.Hit.String()] - run.Endings[contender.Loaded.String()] - run.Endings[contender.Stale.String()]
	list := []result.Check{
		check(c, run, "a fresh value again, in lives of a grant", "within the run", again, judge(c, run, seen.FirstGood >= 0)),
		check(c, run, "callers without an answer", "", fmt.Sprintf("%d of %d", unanswered, run.Attempts), result.Shown),
	}
	if c.Fenced {
		list = append(list, check(c, run, "loads by others in the first half of the grant's life", "0", count(others), judge(c, run, others == 0)))
		if run.Variant == killedStale {
			stale := run.Endings[contender.Stale.String()]
			list = append(list, check(c, run, "callers answered with the old value meanwhile", ">= 1", count(stale), judge(c, run, stale > 0)))
		}
	}
	return list
}

// loads are the times of one key's calls at the source. It is safe for concurrent use.
type loads struct {
	key   uint64
	first chan time.Time // gets the first

	mu    sync.Mutex
	times []time.Time
}

func newLoads(key uint64) *loads { return &loads{key: key, first: make(chan time.Time, 1)} }

func (l *loads) called(key uint64, at time.Time) {
	if key != l.key {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.times = append(l.times, at); len(l.times) == 1 {
		l.first <- at
	}
}

// within counts those that came within a time after the first.
func (l *loads) within(d time.Duration) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, at := range l.times {
		if i > 0 && at.Sub(l.times[0]) < d {
			n++
		}
	}
	return n
}

// playHolder is one caller on the first node, which then waits for its end, and callers one after the other on the others, from when it is dead.
func playHolder(ctx context.Context, n *node) facts {
	key := n.job.coldKey()
	if n.job.Warm {
		key = 0
	}
	end := n.start.Add(n.job.Length)
	if n.job.Node == 0 {
		sleepUntil(ctx, n.start)
		n.once(ctx, key, time.Now())
		sleepUntil(ctx, end)
		return facts{FirstGood: -1}
	}
	found := facts{FirstGood: -1}
	var mu sync.Mutex
	var callers sync.WaitGroup
	others := time.Duration(n.job.Nodes - 1)
	begin := n.start.Add(n.job.CancelAt + 2*heirsEvery)
	for at := begin.Add(time.Duration(n.job.Node) * heirsEvery); at.Before(end) && sleepUntil(ctx, at); at = at.Add(others * heirsEvery) {
		callers.Go(func() {
			answer := n.once(ctx, key, at)
			if answer.Ending != contender.Hit && answer.Ending != contender.Loaded {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if since := time.Since(n.start).Seconds(); found.FirstGood < 0 || since < found.FirstGood {
				found.FirstGood = since
			}
		})
	}
	callers.Wait()
	mu.Lock()
	defer mu.Unlock()
	return found
}
