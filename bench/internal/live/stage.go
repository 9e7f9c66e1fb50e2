package live

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/internal/redistest"
)

// ErrNoServer says that there is no redis-server to be started.
var ErrNoServer = errors.New("live: no redis-server is on PATH; install one, or give the URL of a Redis that runs")

// stage is what the runs of a scenario have in common: the options and the Redis.
type stage struct {
	options Options
	url     string
	version string             // of the Redis, where it tells
	server  *redistest.Process // nil: the Redis is somebody else's

	progress    func(done, total float64)
	done, total float64
	notes       []string // on what went on beside the runs
	failed      error    // of contenders whose processes failed
}

// tooLate is how late arrivals may be sent before a reader is told that the machine was busy.
const tooLate = 100 * time.Millisecond

// prepare finds the Redis before anything else is started. The caller strikes the stage.
func prepare(ctx context.Context, o Options, progress func(done, total float64)) (*stage, error) {
	if progress == nil {
		progress = func(float64, float64) {}
	}
	s := &stage{options: o, url: o.Redis, progress: progress}
	if o.Redis != Auto {
		if err := redisstore.Check(ctx, o.Redis); err != nil {
			return nil, err
		}
		s.version = redisstore.Version(ctx, s.url)
		return s, nil
	}
	server, err := redistest.StartProcess(ctx, redistest.Options{})
	if errors.Is(err, redistest.ErrNoServer) {
		return nil, ErrNoServer
	}
	if err != nil {
		return nil, fmt.Errorf("live: a redis-server cannot be started: %w", err)
	}
	s.server, s.url = server, server.URL()
	s.version = redisstore.Version(ctx, s.url)
	return s, nil
}

func (s *stage) strike() error {
	if s.server == nil {
		return nil
	}
	return s.server.Stop()
}

// step tells how far the scenario is.
func (s *stage) step() {
	s.done++
	s.progress(s.done, s.total)
}

// each performs what plan gives for each contender, and hands over what came of it. It gives the runs that there are, also with an error. A
// contender whose process fails has no run, which is kept for the end, and the others have theirs.
func (s *stage) each(ctx context.Context, plan func(contender.Contender) act, found func(contender.Contender, result.Run, facts)) ([]result.Run, error) {
	var runs []result.Run
	for _, c := range s.options.Contenders {
		a := plan(c)
		a.contender = c
		run, seen, err := s.perform(ctx, a)
		if _, ofWorker := errors.AsType[*WorkerError](err); ofWorker && ctx.Err() == nil {
			s.failed = errors.Join(s.failed, err)
			s.notes = append(s.notes, strings.TrimSpace(c.ID+" "+a.variant)+": not measured: "+strings.TrimPrefix(err.Error(), "live: ")+".")
			s.step()
			continue
		}
		if err != nil {
			return runs, err
		}
		runs = append(runs, run)
		found(c, run, seen)
		if seen.LateSeconds > tooLate.Seconds() {
			s.notes = append(s.notes, strings.TrimSpace(c.ID+" "+a.variant)+fmt.Sprintf(
				": the machine was too busy to send all arrivals in time, the latest by %.2f s. That time is part of the latencies.", seen.LateSeconds))
		}
		s.step()
	}
	return runs, nil
}
