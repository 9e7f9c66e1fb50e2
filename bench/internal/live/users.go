package live

import (
	"context"
	"sync"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

// playLoad is users who arrive as they like, each for one key.
func playLoad(ctx context.Context, n *node) facts {
	return facts{LateSeconds: n.users(ctx, workload.Zipf(n.job.Keys, n.job.Zipf)).Seconds()}
}

// users sends this node's share of the arrivals until the run ends, and returns when each user has been answered or has given up. An arrival that
// could not be sent in time is sent late, with its latency counted from when it was due; late is by how much that was at most.
func (n *node) users(ctx context.Context, keys workload.Distribution) (late time.Duration) {
	rate := n.job.Rate / float64(n.job.Nodes)
	counts := n.counts()
	var waiting sync.WaitGroup
	defer waiting.Wait()
	due := n.start
	for number := uint64(n.job.Node); ; number += uint64(n.job.Nodes) {
		gap := workload.Exponential(workload.Uniform(n.job.Seed, workload.Arrivals, number)) / rate
		due = due.Add(time.Duration(gap * float64(time.Second)))
		if due.Sub(n.start) >= n.job.Length || !sleepUntil(ctx, due) {
			return late
		}
		late = max(late, time.Since(due))
		key := keys.Key(workload.Uniform(n.job.Seed, workload.Keys, number))
		intended := due
		waiting.Go(func() { n.user(counts, key, intended) })
	}
}

// user asks for a key, and asks again at once when its patience ends. It is on its own once it has begun: the end of the run does not cut it short.
func (n *node) user(counts *measure.Collector, key uint64, intended time.Time) {
	at := intended
	for call := range n.job.Tries {
		answer, inTime := n.call(context.Background(), counts, key, at)
		if call == 0 {
			counts.Request(intended, inTime)
		}
		if answer.Ending != contender.TimedOut {
			return
		}
		at = time.Now()
	}
}

// call is one call. Whoever calls leaves at its deadline, also where the reader does not notice; the reader's goroutine then goes on by itself.
func (n *node) call(ctx context.Context, counts *measure.Collector, key uint64, intended time.Time) (contender.Answer, bool) {
	attempt := counts.Begin(key, intended)
	ctx, cancel := context.WithDeadline(ctx, intended.Add(n.job.Deadline))
	answers := make(chan contender.Answer, 1)
	go func() {
		defer cancel()
		answers <- n.reader.Get(ctx, key)
	}()
	var answer contender.Answer
	select {
	case answer = <-answers:
	case <-ctx.Done():
		select {
		case answer = <-answers: // both at once, of which the answer counts
		default:
			answer = contender.Answer{Ending: contender.TimedOut}
		}
	}
	return answer, counts.End(attempt, answer, time.Now())
}

// sleepUntil tells whether the time came before the context ended. A time that has passed takes no sleep.
func sleepUntil(ctx context.Context, at time.Time) bool {
	for {
		wait := time.Until(at)
		if wait <= 0 {
			return ctx.Err() == nil
		}
		// The wall clock may be set back meanwhile, by as much as the timer has run ahead of it.
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
	}
}
