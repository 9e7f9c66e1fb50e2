package sim_test

import (
	"context"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/cacheaside"
)

// fencing gives a contender whose every call is a step of a fenced fill, by the name that the script gives it.
func fencing(step func(ctx context.Context, cache cacheaside.Fencer[uint64, contender.Row], lookup cacheaside.Cache[uint64, contender.Row], key uint64)) contender.Contender {
	c := reading(func(ctx context.Context, node contender.Node, key uint64) contender.Answer {
		cache, _ := node.Cache.(cacheaside.Fencer[uint64, contender.Row])
		step(ctx, cache, node.Cache, key)
		return contender.Answer{Ending: contender.Hit}
	})
	c.Fenced = true
	return c
}

const lease = 10 * time.Second

func TestAFailoverKeepsTheFencesThatTheReplicaHasHeardOf(t *testing.T) {
	tests := []struct {
		name                 string
		acquired, invalidate time.Duration // 0 = never
		want                 cacheaside.Certainty
	}{
		{"granted long before", 500 * ms, 0, cacheaside.RecordApplied},
		{"granted within the last tenth of a second", 950 * ms, 0, cacheaside.RecordNotApplied},
		{"invalidated long before", 500 * ms, 700 * ms, cacheaside.RecordNotApplied},
		{"invalidated where the replica has not heard of it", 500 * ms, 950 * ms, cacheaside.RecordApplied},
	}
	setup := stage()
	setup.Store.KeepsLog, setup.Store.Trip = true, 0
	setup.StoreFaults = []sim.StoreFault{{Kind: sim.Failover, From: time.Second}}
	fences := make([]cacheaside.Fence, len(tests))
	outcomes := make([]cacheaside.RecordOutcome, len(tests))
	c := fencing(func(ctx context.Context, cache cacheaside.Fencer[uint64, contender.Row], _ cacheaside.Cache[uint64, contender.Row], call uint64) {
		key := call / 3
		switch call % 3 {
		case 0:
			fences[key] = cache.Acquire(ctx, key, cacheaside.RequestID{byte(key), 7}, "", lease).Fence
		case 1:
			cache.Invalidate(ctx, key)
		case 2:
			outcomes[key] = cache.Fill(ctx, key, fences[key], cacheaside.Entry[contender.Row]{Value: contender.Row{Version: 1}}, cacheaside.Condition{})
		}
	})
	play(t, setup, c, func(s sim.Stage) {
		for n, test := range tests {
			s.At(test.acquired, func() { s.CallWithin(time.Second, 0, uint64(3*n)) })
			if test.invalidate > 0 {
				s.At(test.invalidate, func() { s.CallWithin(time.Second, 0, uint64(3*n+1)) })
			}
			s.At(1100*ms, func() { s.CallWithin(time.Second, 0, uint64(3*n+2)) })
		}
	})
	for n, test := range tests {
		if fences[n].Token == 0 || outcomes[n].Certainty != test.want {
			t.Errorf("%s: the fill under token %d is %v %v, want %v", test.name, fences[n].Token, outcomes[n].Certainty, outcomes[n].Reason, test.want)
		}
	}
}

func TestAnOutageLeavesAGrantUndecidedOrUnknown(t *testing.T) {
	for kind, want := range map[sim.StoreFaultKind]cacheaside.GrantKind{
		sim.Refuse: cacheaside.GrantUnavailable, sim.BlackHole: cacheaside.GrantIndeterminate, sim.Slow: cacheaside.GrantGranted,
	} {
		setup := stage()
		setup.StoreFaults = []sim.StoreFault{{Kind: kind, To: time.Hour}}
		var grant cacheaside.Grant
		c := fencing(func(ctx context.Context, cache cacheaside.Fencer[uint64, contender.Row], _ cacheaside.Cache[uint64, contender.Row], key uint64) {
			grant = cache.Acquire(ctx, key, cacheaside.RequestID{7}, "", lease)
		})
		play(t, setup, c, func(s sim.Stage) { s.At(0, func() { s.CallWithin(time.Second, 0, 1) }) })
		if grant.Kind != want {
			t.Errorf("fault %d: %v, want %v", kind, grant.Kind, want)
		}
	}
}

func TestAStoreThatIsSmallEvictsAnEntryWithItsFence(t *testing.T) {
	setup := stage()
	setup.Store.MaxEntries = 2
	var outcome cacheaside.RecordOutcome
	var fence cacheaside.Fence
	c := fencing(func(ctx context.Context, cache cacheaside.Fencer[uint64, contender.Row], _ cacheaside.Cache[uint64, contender.Row], key uint64) {
		if key == 9 {
			outcome = cache.Fill(ctx, 1, fence, cacheaside.Entry[contender.Row]{Value: contender.Row{Version: 1}}, cacheaside.Condition{})
			return
		}
		if grant := cache.Acquire(ctx, key, cacheaside.RequestID{7}, "", lease); key == 1 {
			fence = grant.Fence
		}
	})
	play(t, setup, c, func(s sim.Stage) {
		for n, key := range []uint64{1, 2, 3, 9} {
			s.At(time.Duration(n)*10*ms, func() { s.CallWithin(time.Second, 0, key) })
		}
	})
	if outcome.Reason != cacheaside.RecordSuperseded {
		t.Errorf("a fill whose fence was evicted is %v %v", outcome.Certainty, outcome.Reason)
	}
}
