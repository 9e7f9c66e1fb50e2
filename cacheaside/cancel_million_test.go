package cacheaside_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// TestAMillionCallersJoiningAndLeavingOneBlockedLoadLeaveNothingBehind brings them in crowds of a thousand, each with a millisecond of patience.
// Under the race detector, and in short runs, forty crowds have to do: what a caller leaves behind shows in them as well.
func TestAMillionCallersJoiningAndLeavingOneBlockedLoadLeaveNothingBehind(t *testing.T) {
	const crowd, allowed = 1000, 1 << 20
	rounds := 1000
	if underRace || testing.Short() {
		rounds = 40
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.MaxWaitersPerKey, p.LoadDeadline = crowd, time.Hour }))
		source := newGate(cacheaside.Loaded("value", ""))
		leader := goGet(context.Background(), r, "key", source.load)
		synctest.Wait()

		var left, other atomic.Int64
		leave := func(rounds int) {
			var all sync.WaitGroup
			for range crowd {
				all.Go(func() {
					for range rounds {
						ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
						result, _ := cacheaside.Get(ctx, r, "key", source.load)
						cancel()
						if result.Status == cacheaside.StatusCancelled {
							left.Add(1)
						} else {
							other.Add(1)
						}
					}
				})
			}
			all.Wait()
		}
		leave(2) // whatever the runtime keeps for a thousand goroutines is no growth
		left.Store(0)
		before := heap()
		leave(rounds)
		grown := int64(heap()) - int64(before)
		t.Logf("the heap grew by %d bytes over %d callers", grown, left.Load())
		if grown > allowed {
			t.Errorf("the heap grew by %d bytes, more than %d", grown, allowed)
		}
		if left.Load() != int64(crowd*rounds) || other.Load() != 0 {
			t.Errorf("%d callers left, %d did not", left.Load(), other.Load())
		}
		if s := r.Stats(); s.Waiters != 0 || s.InFlightKeys != 1 {
			t.Errorf("after all have left: %+v", s)
		}
		close(source.open)
		wantValue(t, <-leader, cacheaside.StatusLoaded, "value")
		if calls, _ := source.counts(); calls != 1 {
			t.Errorf("%d loads", calls)
		}
		wantAtRest(t, r, 16)
	})
}

// heap is what is reachable now.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
