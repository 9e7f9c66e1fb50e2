package sim_test

import (
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// longRun is how many loads a second a service has in the long run: of each key, one in its life and the wait for the next request.
func longRun(setup sim.Setup) float64 {
	rate := 0.0
	for key := range uint64(setup.Keys.Keys()) {
		asked := setup.Rate * setup.Keys.Share(key)
		rate += asked / (1 + asked*setup.TTL.Soft.Seconds())
	}
	return rate
}

func TestAPrefilledStoreIsTheOneOfAServiceThatHasRunForLong(t *testing.T) {
	for _, id := range []string{"P0", "P7"} {
		const seeds = 3
		want, first := 0.0, 0.0
		for seed := range uint64(seeds) {
			setup := quarter(seed)
			setup.Length, setup.WarmUp = 20*time.Second, time.Second
			found := run(t, setup, one(t, id))
			want = longRun(setup)
			first += float64(measure.SourceCalls(found.Seconds, 0, 20*time.Second)) / 20 / seeds
		}
		// 3000 loads in all, by chance to about one in fifty.
		if first < 0.965*want || first > 1.035*want {
			t.Errorf("%s: %.1f loads a second at first, want the %.1f of the long run", id, first, want)
		}
	}
}

func TestAStoreWrittenAllAtOnceExpiresWithinASecondForEveryContender(t *testing.T) {
	for _, id := range []string{"P0", "P7"} {
		setup := quarter(1)
		setup.Prefill, setup.WarmUp, setup.Jitter, setup.Length, setup.Absent = sim.AllAtOnce, 0, 0, 62*time.Second, nil
		setup.KeyOf = func(request uint64) uint64 { return request % 5000 } // every key once in 10 s
		setup.Source.Workers = 1000
		found := run(t, setup, one(t, id))
		early := measure.SourceCalls(found.Seconds, 0, 59*time.Second)
		during := measure.SourceCalls(found.Seconds, 59*time.Second, 60*time.Second)
		after := measure.SourceCalls(found.Seconds, 60*time.Second, 62*time.Second)
		// In the second of the expiry half of the keys asked for have expired already, on average, and then all.
		if early != 0 || during < 200 || during > 300 || after < 900 {
			t.Errorf("%s: %d loads before 59 s, %d in the second to 60 s, %d in the two after it; want 0, about 250, about 1000", id, early, during, after)
		}
	}
}

func TestTheSameSeedMakesTheSameRunWhateverElseIsRun(t *testing.T) {
	for _, id := range []string{"P0", "P4", "P5", "P7"} {
		setup := quarter(3)
		setup.Length, setup.WarmUp, setup.Writes, setup.Store.KeepsLog = 8*time.Second, time.Second, 20, true
		setup.Trigger = measure.Trigger{From: 2 * time.Second, To: 4 * time.Second}
		setup.SourceFaults = []sim.SourceFault{{From: 2 * time.Second, To: 4 * time.Second, Slower: 10, Errors: 0.2}}
		setup.StoreFaults = []sim.StoreFault{{Kind: sim.Slow, From: 5 * time.Second, To: 6 * time.Second}, {Kind: sim.Failover, From: 7 * time.Second}}
		first := run(t, setup, one(t, id))
		second := run(t, setup, one(t, id))
		if first.Offered != second.Offered || first.Good != second.Good || first.SourceCalls != second.SourceCalls || first.Attempts != second.Attempts ||
			first.Latency.P99 != second.Latency.P99 || first.Violations != second.Violations {
			first.Seconds, second.Seconds = nil, nil
			t.Errorf("%s: one run gave %+v and the next %+v", id, first, second)
		}
		setup.Seed++
		if other := run(t, setup, one(t, id)); other.Offered == first.Offered && other.SourceCalls == first.SourceCalls {
			t.Errorf("%s: another seed gave the same run", id)
		}
	}
}
