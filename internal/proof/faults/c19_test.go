package faults_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// TestC19_TimedOutCallsLeaveNeitherGoroutinesNorConnections lets two hundred callers leave while every reply is held, and counts what they left.
// It counts goroutines, and so must not run beside other tests.
func TestC19_TimedOutCallsLeaveNeitherGoroutinesNorConnections(t *testing.T) {
	const poolSize, callers, patience = 4, 200, 30 * time.Millisecond
	p := newPlace(t, redistest.Start(t, redistest.Options{}).Client(), longLimit)
	p.config.TTL.Soft = p.config.TTL.Hard
	options := redistest.ClientOptions(p.proxy.Addr())
	options.PoolSize = poolSize
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	r := newRegion(t, open(t, client, p.config))
	s := &source{value: "value"}
	if a := <-get(r, s.load); a.result.Record.Certainty != cacheaside.RecordApplied {
		t.Fatalf("%v %v, record %+v", a.result.Status, a.err, a.result.Record)
	}
	wantHits(t, r, 20)
	before := runtime.NumGoroutine()

	p.proxy.Inject(redistest.Fault{Kind: redistest.Hold, Commands: []string{"GETRANGE"}})
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			begun := time.Now()
			result, err := cacheaside.Get(ctx, r, key, s.load)
			// The socket may notice the deadline just before the context does, and a source that answers at once is still in time then.
			inTime := result.Status == cacheaside.StatusLoaded && err == nil && result.Value == s.value
			if !inTime && (result.Status != cacheaside.StatusCancelled || !errors.Is(err, context.DeadlineExceeded)) {
				t.Errorf("%v, %v", result.Status, err)
			}
			if took := time.Since(begun); took > patience+slack {
				t.Errorf("took %v", took)
			}
		})
	}
	all.Wait()
	p.proxy.Heal()

	wantHits(t, r, 20)
	eventually(t, "all connections are idle", func() bool {
		stats := client.PoolStats()
		return stats.TotalConns == stats.IdleConns && stats.TotalConns > 0
	})
	if stats := client.PoolStats(); stats.TotalConns > poolSize {
		t.Errorf("%d connections, the pool has %d", stats.TotalConns, poolSize)
	}
	// A connection of the proxy is two goroutines here, and each of the pool may have become one.
	eventually(t, "the goroutines are gone", func() bool { return runtime.NumGoroutine() <= before+2*poolSize })
	eventually(t, "nothing is left in the region", func() bool {
		stats := r.Stats()
		return stats.InFlightKeys+stats.Waiters+stats.RunningLoads+stats.RunningRecords == 0
	})
}

// wantHits reads the entry n times.
func wantHits(t *testing.T, r *region, n int) {
	t.Helper()
	for range n {
		result, err := cacheaside.Get(context.Background(), r, key, func(context.Context, string) cacheaside.SourceOutcome[string] {
			t.Error("the source was called for an entry that is there")
			return cacheaside.PermanentFailure[string]("unexpected", nil)
		})
		if err != nil || result.Status != cacheaside.StatusFresh || result.Value != "value" {
			t.Fatalf("%v %q, %v", result.Status, result.Value, err)
		}
	}
}
