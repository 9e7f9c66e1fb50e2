package soak_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
)

// await asks until something is so, for at most a patience; the last error tells why it is not.
func await(patience time.Duration, so func() error) error {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	over := time.After(patience)
	for {
		err := so()
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-over:
			return err
		}
	}
}

// atRest tells what a region without callers still holds.
func atRest(r *cacheaside.Region[string, value]) error {
	s := r.Stats()
	if s.InFlightKeys+s.Waiters+s.RunningLoads+s.OverdueLoads+s.RememberedFailures+s.RunningRecords != 0 {
		return fmt.Errorf("%d keys, %d waiters, %d loads, %d overdue, %d failures, %d records are left",
			s.InFlightKeys, s.Waiters, s.RunningLoads, s.OverdueLoads, s.RememberedFailures, s.RunningRecords)
	}
	return nil
}

// permitsBack shows that as many loaders as there are permits can run at once. A busy machine may keep them from meeting in time, a lost permit
// always does: they try for as long as the patience lasts.
func permitsBack(r *cacheaside.Region[string, value], permits int, patience time.Duration) error {
	meeting := 0
	return await(patience, func() error {
		meeting++
		return meet(r, permits, meeting)
	})
}

// meet starts so many loaders, of keys that nobody had before, of which each waits for all.
func meet(r *cacheaside.Region[string, value], permits, meeting int) error {
	var mu sync.Mutex
	here, met := 0, make(chan struct{})
	load := func(ctx context.Context, _ string) outcome {
		mu.Lock()
		if here++; here == permits {
			close(met)
		}
		mu.Unlock()
		select {
		case <-met:
			return cacheaside.AuthoritativeAbsent[value]("met", "")
		case <-ctx.Done():
			return cacheaside.TransientFailure[value]("alone", ctx.Err())
		}
	}
	ends := make(chan error, permits)
	for i := range permits {
		go func() {
			_, err := cacheaside.Get(context.Background(), r, fmt.Sprintf("meeting-%d-%d", meeting, i), load)
			ends <- err
		}()
	}
	var failed error
	for range permits {
		if err := <-ends; !errors.Is(err, cacheaside.ErrAbsent) {
			failed = errors.Join(failed, fmt.Errorf("of %d loaders one was left alone: %w", permits, err))
		}
	}
	return failed
}

// allIdle tells whether every connection is back in its pool.
func allIdle(client redis.UniversalClient) error {
	if stats := client.PoolStats(); stats.TotalConns != stats.IdleConns {
		return fmt.Errorf("%d connections, %d of them idle", stats.TotalConns, stats.IdleConns)
	}
	return nil
}
