package sim_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/cacheaside"
)

// lookups lets one caller after the other look up a key through the port of this library, and gives how long each took and what it was.
func lookups(t *testing.T, setup sim.Setup, limit time.Duration, at ...time.Duration) (took []time.Duration, kinds []cacheaside.LookupKind) {
	t.Helper()
	took, kinds = make([]time.Duration, len(at)), make([]cacheaside.LookupKind, len(at))
	c := reading(func(ctx context.Context, node contender.Node, key uint64) contender.Answer {
		begun := time.Now()
		kinds[key] = node.Cache.Lookup(ctx, key).Kind
		took[key] = time.Since(begun)
		return contender.Answer{Ending: contender.Hit}
	})
	play(t, setup, c, func(s sim.Stage) {
		for n, begins := range at {
			s.At(begins, func() { s.CallWithin(limit, 0, uint64(n)) })
		}
	})
	return took, kinds
}

func every(step time.Duration, from, to time.Duration) (at []time.Duration) {
	for ; from < to; from += step {
		at = append(at, from)
	}
	return at
}

func TestTheBreakerOpensAfterThreeFailuresAndAsksOnceASecond(t *testing.T) {
	setup := stage()
	setup.StoreFaults = []sim.StoreFault{{Kind: sim.BlackHole, To: 2500 * ms}}
	took, kinds := lookups(t, setup, 500*ms, every(200*ms, 0, 4*time.Second)...)
	// The third fails at 500 ms. The probe of 1500 ms is given up at 1600 ms, and that of a second later finds the store.
	for n, one := range took {
		began := time.Duration(n) * 200 * ms
		want, kind := time.Duration(0), cacheaside.LookupUnavailable
		switch {
		case began < 500*ms:
			want = 100 * ms
		case began > 2601*ms:
			want, kind = one, cacheaside.LookupMiss
		}
		if one != want || kinds[n] != kind {
			t.Errorf("the lookup at %v took %v and was %v, want %v and %v", began, one, kinds[n], want, kind)
		}
	}
}

func TestACallersOwnEndTellsTheBreakerNothing(t *testing.T) {
	setup := stage()
	setup.StoreFaults = []sim.StoreFault{{Kind: sim.BlackHole, To: time.Hour}}
	took, _ := lookups(t, setup, 50*ms, every(100*ms, 0, time.Second)...)
	for n, one := range took {
		if one != 50*ms {
			t.Errorf("lookup %d took %v, want the caller's own 50 ms: the breaker has nothing to count", n, one)
		}
	}
}

func TestStoreFaultsTakeAsLongAsTheySayAndEndWhenTheySay(t *testing.T) {
	get := func(took []time.Duration) contender.Contender {
		return reading(func(ctx context.Context, node contender.Node, key uint64) contender.Answer {
			begun := time.Now()
			_, _, err := node.Store.Get(ctx, key)
			took[key] = time.Since(begun)
			if err != nil {
				return contender.Answer{Ending: contender.Failed}
			}
			return contender.Answer{Ending: contender.Hit}
		})
	}
	tests := []struct {
		name      string
		kind      sim.StoreFaultKind
		least     time.Duration // of the median call
		most      time.Duration
		failing   bool
		afterward time.Duration
	}{
		{"refuses", sim.Refuse, 250 * time.Microsecond, 350 * time.Microsecond, true, 450 * time.Microsecond},
		{"black hole", sim.BlackHole, 3 * time.Second, 3 * time.Second, true, 450 * time.Microsecond},
		{"slow", sim.Slow, 190 * ms, 210 * ms, false, 450 * time.Microsecond},
		{"flush takes no time", sim.Flush, 250 * time.Microsecond, 350 * time.Microsecond, false, 450 * time.Microsecond},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			const calls = 1000
			setup := stage()
			setup.StoreFaults = []sim.StoreFault{{Kind: test.kind, From: time.Second, To: 2 * time.Second}}
			took := make([]time.Duration, calls+2)
			failed := make([]bool, calls+2)
			play(t, setup, get(took), func(s sim.Stage) {
				ask := func(at time.Duration, key uint64) {
					s.At(at, func() {
						answer, _ := s.CallWithin(time.Minute, 0, key)
						failed[key] = answer.Ending == contender.Failed
					})
				}
				ask(time.Second-1, calls)
				ask(2*time.Second, calls+1)
				for n := range uint64(calls) {
					ask(time.Second+time.Duration(n)*ms*999/calls, n)
				}
			})
			for _, outside := range []int{calls, calls + 1} {
				if took[outside] > test.afterward || failed[outside] {
					t.Errorf("a call outside of the trouble took %v, failed %v", took[outside], failed[outside])
				}
			}
			inside := slices.Sorted(slices.Values(took[:calls]))
			if median := inside[calls/2]; median < test.least || median > test.most || failed[0] != test.failing {
				t.Errorf("the median call took %v, failed %v; want %v to %v, %v", median, failed[0], test.least, test.most, test.failing)
			}
		})
	}
}

func TestAFailoverLosesExactlyTheLastTenthOfASecond(t *testing.T) {
	at := []time.Duration{0, 500 * ms, 899 * ms, 902 * ms, 950 * ms, 999 * ms}
	want := []bool{true, true, true, false, false, false}
	for _, library := range []bool{false, true} {
		setup := stage()
		setup.Store.KeepsLog, setup.Store.Trip = true, 0
		setup.StoreFaults = []sim.StoreFault{{Kind: sim.Failover, From: time.Second}}
		there := make([]bool, len(at))
		locked := make([]bool, len(at))
		row := contender.Row{Version: 1}
		c := reading(func(ctx context.Context, node contender.Node, call uint64) contender.Answer {
			key := call / 2
			switch {
			case call%2 == 0 && library:
				node.Cache.Record(ctx, key, cacheaside.Entry[contender.Row]{Value: row}, cacheaside.Condition{})
			case call%2 == 0:
				_ = node.Store.Set(ctx, key, contender.Entry{Row: row, ExpiresAt: time.Now().Add(time.Hour)}, time.Hour)
				_, _ = node.Store.Lock(ctx, key, time.Hour)
			case library:
				there[key] = node.Cache.Lookup(ctx, key).Kind == cacheaside.LookupFresh
			default:
				_, there[key], _ = node.Store.Get(ctx, key)
				free, _ := node.Store.Lock(ctx, key, time.Hour)
				locked[key] = !free
			}
			return contender.Answer{Ending: contender.Hit}
		})
		play(t, setup, c, func(s sim.Stage) {
			for n, begins := range at {
				s.At(begins, func() { s.CallWithin(time.Second, 0, uint64(2*n)) })
				s.At(1100*ms, func() { s.CallWithin(time.Second, 0, uint64(2*n+1)) })
			}
		})
		if !slices.Equal(there, want) {
			t.Errorf("library %v: of the writes at %v there are %v, want %v", library, at, there, want)
		}
		if !library && !slices.Equal(locked, want) {
			t.Errorf("of the locks taken at %v there are %v, want %v", at, locked, want)
		}
	}
}

func TestAReplicaKnowsWhenItsEntriesExpireAndWhatWasFlushed(t *testing.T) {
	tests := []struct {
		name   string
		faults []sim.StoreFault
		at     time.Duration // of the lookup
		want   cacheaside.LookupKind
	}{
		{"an entry grows no younger", []sim.StoreFault{{Kind: sim.Failover, From: 10 * time.Second}}, 15 * time.Second, cacheaside.LookupStale},
		{"nor older", []sim.StoreFault{{Kind: sim.Failover, From: 5 * time.Second}}, 9 * time.Second, cacheaside.LookupFresh},
		{"what was flushed stays so", []sim.StoreFault{{Kind: sim.Flush, From: 2 * time.Second}, {Kind: sim.Failover, From: 5 * time.Second}},
			6 * time.Second, cacheaside.LookupMiss},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			setup := stage()
			setup.Jitter, setup.Store.KeepsLog, setup.StoreFaults = 0, true, test.faults
			setup.TTL = contender.TTL{Soft: 20 * time.Second, Hard: time.Hour, Negative: time.Minute}
			var kind cacheaside.LookupKind
			c := reading(func(ctx context.Context, node contender.Node, key uint64) contender.Answer {
				kind = node.Cache.Lookup(ctx, key).Kind
				return contender.Answer{Ending: contender.Hit}
			})
			play(t, setup, c, func(s sim.Stage) {
				s.PutLoaded(7, 10*time.Second)
				s.At(test.at, func() { s.CallWithin(time.Second, 0, 7) })
			})
			if kind != test.want {
				t.Errorf("at %v the entry, loaded 10 s before the beginning and fresh for 20 s, is %v, want %v", test.at, kind, test.want)
			}
		})
	}
}

func TestTheSlowestLookupInAnOutageIsOneThatABreakerShouldHaveSpared(t *testing.T) {
	tests := []struct {
		name  string
		limit time.Duration
		at    []time.Duration
		want  float64 // milliseconds
	}{
		{"busy", time.Second, every(10*ms, 0, time.Second), 0},
		{"one after the other", time.Second, []time.Duration{0, 100 * ms, 200 * ms, 310 * ms}, 0},
		{"two so far", time.Second, []time.Duration{0, 400 * ms, 800 * ms}, 0},
		{"the third is still under way", time.Second, []time.Duration{0, 350 * ms, 400 * ms, 450 * ms}, 0},
		{"a breaker that learns nothing", 50 * ms, every(100*ms, 0, time.Second), 50},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			setup := stage()
			setup.StoreFaults = []sim.StoreFault{{Kind: sim.BlackHole, To: time.Hour}}
			c := reading(func(ctx context.Context, node contender.Node, key uint64) contender.Answer {
				node.Cache.Lookup(ctx, key)
				return contender.Answer{Ending: contender.Hit}
			})
			found := play(t, setup, c, func(s sim.Stage) {
				for n, begins := range test.at {
					s.At(begins, func() { s.CallWithin(test.limit, 0, uint64(n)) })
				}
			})
			if got := found.Extra[sim.SlowLookup]; got != test.want {
				t.Errorf("the slowest is said to have taken %v ms, want %v", got, test.want)
			}
		})
	}
}
