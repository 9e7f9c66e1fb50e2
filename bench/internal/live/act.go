package live

import (
	"context"
	"errors"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/bench/internal/live/remote"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// act is one run: a contender on some nodes, told to do one thing.
type act struct {
	contender contender.Contender
	variant   string
	nodes     int
	job       job // what is alike for all nodes
	model     remote.Model
	fault     remote.Fault // of the source, from the beginning
	trigger   measure.Trigger
	length    time.Duration // that the figures are of; 0 = the job's
	onCall    func(key uint64, at time.Time)
	disturb   func(ctx context.Context, start time.Time) error // beside the run; must end with ctx
	dies      func(ctx context.Context) bool                   // returns when the first node is to be killed; false if it is not, as at ctx' end
}

// perform runs it. When ctx ends, the figures are of what was measured by then and say so.
func (s *stage) perform(ctx context.Context, a act) (run result.Run, found facts, err error) {
	if ctx.Err() != nil {
		return result.Run{}, facts{}, context.Cause(ctx)
	}
	source, err := remote.Serve(a.model, a.onCall)
	if err != nil {
		return result.Run{}, facts{}, err
	}
	defer source.Close()
	space := redisstore.New(s.url)
	defer func() {
		// The entries go also where the run was interrupted; a server that is gone has none.
		if _, swept := space.Sweep(context.WithoutCancel(ctx)); swept != nil && err == nil && s.server == nil {
			err = swept
		}
	}()
	var workers fleet
	defer func() { err = errors.Join(err, workers.dismiss()) }()
	if err := workers.assemble(ctx, a.jobs(space, source.Addr(), s.options.Seed)); err != nil {
		return result.Run{}, facts{}, err
	}
	start := workers.begin()
	counts := measure.New(start, a.job.Deadline)
	source.Count(counts)
	source.Set(a.fault)
	var sum report
	disturbed := make(chan error, 1)
	running, ended := context.WithCancel(ctx)
	defer ended()
	go func() { disturbed <- errors.Join(a.disturbance(running, start), a.killing(running, &workers)) }()
	sum, err = s.await(a.job.Length, func() (report, error) { return workers.reports(ctx, start.Add(a.job.Length)) })
	took := time.Since(start)
	ended()
	if err = errors.Join(err, <-disturbed); err != nil {
		return result.Run{}, facts{}, err
	}
	source.Count(nil)
	sum.Tally.Add(counts.Tally())
	return a.figures(sum, took), sum.Facts, nil
}

const tellEvery = 250 * time.Millisecond

// await waits for a run of about that length, and tells meanwhile how far it is.
func (s *stage) await(length time.Duration, run func() (report, error)) (sum report, err error) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		sum, err = run()
	}()
	ticker := time.NewTicker(tellEvery)
	defer ticker.Stop()
	for begun := time.Now(); ; {
		select {
		case <-ended:
			return sum, err
		case <-ticker.C:
			s.progress(s.done+min(time.Since(begun).Seconds()/length.Seconds(), 1), s.total)
		}
	}
}

func (a act) disturbance(ctx context.Context, start time.Time) error {
	if a.disturb == nil {
		return nil
	}
	return a.disturb(ctx, start)
}

func (a act) killing(ctx context.Context, workers *fleet) error {
	if a.dies == nil || !a.dies(ctx) {
		return nil
	}
	return workers.members[0].kill()
}

func (a act) jobs(space redisstore.Space, source string, seed uint64) []job {
	jobs := make([]job, a.nodes)
	for node := range jobs {
		j := a.job
		j.Contender, j.Node, j.Nodes, j.Seed = a.contender.ID, node, a.nodes, seed
		j.Space, j.Source, j.BodyBytes = space, source, a.model.BodyBytes
		jobs[node] = j
	}
	return jobs
}

func (a act) figures(sum report, took time.Duration) result.Run {
	length := a.length
	if length == 0 {
		length = a.job.Length
	}
	if sum.Stopped {
		length = min(length, took.Truncate(time.Second))
	}
	run := sum.Tally.Figures(a.trigger, length)
	if a.trigger.From == a.trigger.To {
		run.RecoverySeconds = 0 // there was nothing to recover from
	}
	run.Contender, run.Name, run.Variant, run.Nodes = a.contender.ID, a.contender.Name, a.variant, a.nodes
	run.Goroutines, run.HeapBytes, run.Interrupted = sum.Goroutines, sum.HeapBytes, sum.Stopped
	return run
}
