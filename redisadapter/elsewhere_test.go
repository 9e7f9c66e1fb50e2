package redisadapter_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
)

// written is the truth about one key: the version that the source has, and the newest that an invalidation had settled.
type written struct{ latest, settled atomic.Int64 }

func (w *written) settle(version int64) {
	for {
		old := w.settled.Load()
		if old >= version || w.settled.CompareAndSwap(old, version) {
			return
		}
	}
}

func (w *written) load(context.Context, string) cacheaside.SourceOutcome[string] {
	return loads(strconv.FormatInt(w.latest.Load(), 10))
}

func TestACallerOverRedisThatSeesAnotherProcessesTombstoneDoesNotJoinALoadFromBeforeIt(t *testing.T) {
	server, client := started(t)
	cfg := patient(base())
	here, there := region(t, client, cfg), region(t, server.Client(), cfg)
	old := hold(loads("v1"))
	ended := old.begin(here, "key")
	invalidate(t, there, "key")
	read(t, here, "key", newSource(loads("v2")).load, cacheaside.StatusLoaded, "v2")
	read(t, there, "key", notCalled(t), cacheaside.StatusFresh, "v2")
	close(old.finish)
	if result := <-ended; result.Value != "v1" || result.Record.Reason != cacheaside.RecordSuperseded {
		t.Fatalf("the caller from before the invalidation got %+v", result)
	}
	read(t, here, "key", notCalled(t), cacheaside.StatusFresh, "v2")
}

// TestNobodyIsAnsweredOverRedisWithWhatAnotherProcessHadInvalidatedBefore lets readers and writers of few rows meet in two processes, each with a
// client of its own. No lookup fails, so that there is no excuse.
func TestNobodyIsAnsweredOverRedisWithWhatAnotherProcessHadInvalidatedBefore(t *testing.T) {
	const actors, steps, keys = 16, 150, 3
	server, client := started(t)
	cfg := patient(base())
	processes := []*cacheaside.Region[string, string]{region(t, client, cfg), region(t, server.Client(), cfg)}
	var rows [keys]written
	var refused atomic.Int64
	seed := rand.Uint64()
	var all sync.WaitGroup
	for actor := range actors {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(actor)))
			for range steps {
				process, n := processes[rng.IntN(len(processes))], rng.IntN(keys)
				key, truth := strconv.Itoa(n), &rows[n]
				if rng.IntN(8) == 0 {
					version := truth.latest.Add(1)
					if err := cacheaside.Invalidate(context.Background(), process, key); err != nil {
						t.Errorf("seed %d: Invalidate: %v", seed, err)
						continue
					}
					truth.settle(version)
					continue
				}
				settled := truth.settled.Load()
				result, err := cacheaside.Get(context.Background(), process, key, truth.load)
				if errors.Is(err, cacheaside.ErrRejected) {
					refused.Add(1) // more invalidations at once than a key may have loads
					continue
				}
				if version, _ := strconv.ParseInt(result.Value, 10, 64); err != nil || version < settled {
					t.Errorf("seed %d: %v %q, %v, for a row that was settled at %d before", seed, result.Status, result.Value, err, settled)
				}
			}
		})
	}
	all.Wait()
	if n := refused.Load(); n > actors*steps/20 {
		t.Errorf("seed %d: %d of %d calls were refused", seed, n, actors*steps)
	}
	for n := range rows {
		want := strconv.FormatInt(rows[n].latest.Load(), 10)
		for _, process := range processes {
			if result, err := cacheaside.Get(context.Background(), process, strconv.Itoa(n), rows[n].load); err != nil || result.Value != want {
				t.Errorf("seed %d: at rest %v %q, %v; want %q", seed, result.Status, result.Value, err, want)
			}
		}
	}
	for _, process := range processes {
		if g := process.Stats(); g.InFlightKeys+g.Waiters+g.RunningLoads+g.OverdueLoads+g.RememberedFailures != 0 {
			t.Errorf("seed %d: not at rest: %+v", seed, g)
		}
	}
}
