package live

import (
	"context"
	"sync"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

// coldKey is the key of the plays about one key; the warm-up leaves it out, for it is past all keys.
func (j job) coldKey() uint64 { return uint64(j.Keys)*20 + 1 }

// plays is what a worker can be told to do once the run has begun.
func plays() map[string]func(context.Context, *node) facts {
	return map[string]func(context.Context, *node) facts{
		"load": playLoad, "cold": playCold, "leader": playLeader, "hung": playHung, "holder": playHolder,
	}
}

// playCold is many callers of one key that is not there, all at once.
func playCold(ctx context.Context, n *node) facts {
	var callers sync.WaitGroup
	sleepUntil(ctx, n.start)
	for range n.job.Callers {
		callers.Go(func() { n.once(ctx, n.job.coldKey(), time.Now()) })
	}
	callers.Wait()
	return facts{}
}

// once is a user who does not ask again.
func (n *node) once(ctx context.Context, key uint64, intended time.Time) contender.Answer {
	counts := n.counts()
	answer, inTime := n.call(ctx, counts, key, intended)
	counts.Request(intended, inTime)
	return answer
}

// playLeader is one caller whose load begins, all others behind it, and then the end of the first one's context.
func playLeader(ctx context.Context, n *node) facts {
	sleepUntil(ctx, n.start)
	leader, leave := context.WithCancel(ctx)
	defer leave()
	var callers sync.WaitGroup
	callers.Go(func() { n.once(leader, n.job.coldKey(), time.Now()) })
	select {
	case <-n.source.asked:
	case <-ctx.Done():
		callers.Wait()
		return facts{}
	}
	leaves := time.AfterFunc(n.job.CancelAt, leave)
	defer leaves.Stop()
	for range n.job.Callers - 1 {
		callers.Go(func() { n.once(ctx, n.job.coldKey(), time.Now()) })
	}
	callers.Wait()
	return facts{}
}

const probeEvery = 50 * time.Millisecond

// playHung is users of all keys beside callers of the one key whose load hangs. What those callers are answered is no part of the tally.
func playHung(ctx context.Context, n *node) facts {
	found := facts{FirstGood: -1}
	var mu sync.Mutex
	var probes sync.WaitGroup
	probes.Go(func() {
		for at := n.start; at.Sub(n.start) < n.job.Length && sleepUntil(ctx, at); at = at.Add(probeEvery) {
			probes.Go(func() {
				read, cancel := context.WithDeadline(ctx, at.Add(n.job.Deadline))
				defer cancel()
				good := n.probe(read)
				mu.Lock()
				defer mu.Unlock()
				found.Probes++
				if good {
					found.ProbesGood++
					if since := time.Since(n.start).Seconds(); found.FirstGood < 0 || since < found.FirstGood {
						found.FirstGood = since
					}
				}
			})
		}
	})
	late := n.users(ctx, workload.Zipf(n.job.Keys, n.job.Zipf))
	probes.Wait()
	mu.Lock()
	defer mu.Unlock()
	found.LateSeconds = late.Seconds()
	return found
}

// probe asks for the key whose load hangs, and leaves at the end of its context whatever the reader does.
func (n *node) probe(ctx context.Context) bool {
	answered := make(chan bool, 1)
	go func() { answered <- n.reader.Get(ctx, n.job.coldKey()).Ending.Answered() }()
	select {
	case good := <-answered:
		return good
	case <-ctx.Done():
		return false
	}
}
