package sim_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// waits answers each call when so much time has passed, or the caller's deadline.
func waits(takes func(call int) time.Duration, ending contender.Ending) contender.Contender {
	calls := newCalls()
	return reading(func(ctx context.Context, _ contender.Node, key uint64) contender.Answer {
		timer := time.NewTimer(takes(calls.next(key)))
		defer timer.Stop()
		select {
		case <-timer.C:
			return contender.Answer{Ending: ending}
		case <-ctx.Done():
			return contender.Answer{Ending: contender.TimedOut}
		}
	})
}

func TestARunIsCountedInWholeSecondsUntilItsVeryEnd(t *testing.T) {
	for _, rate := range []float64{0, 0.2, 1, 50} {
		setup := quarter(1)
		setup.Rate, setup.Length, setup.Prefill = rate, 20*time.Second, sim.Empty
		found := run(t, setup, waits(func(int) time.Duration { return ms }, contender.Hit))
		if len(found.Seconds) != 20 {
			t.Errorf("at %v requests a second %d seconds were counted, want 20", rate, len(found.Seconds))
		}
		var offered int64
		for _, s := range found.Seconds {
			offered += s.Offered
		}
		if offered != found.Offered || found.Good != found.Offered || math.Abs(float64(offered)-20*rate) > 4*math.Sqrt(20*rate)+1 {
			t.Errorf("at %v requests a second %d were offered, %d in whole seconds, and %d good", rate, found.Offered, offered, found.Good)
		}
	}
}

func TestARunThatIsCutShortCountsNoSecondItDidNotLive(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	setup := quarter(1)
	setup.Length, setup.Deadline = 30*time.Second, 5*time.Second
	found, err := sim.Run(ctx, bubble.Of(t), setup, waits(func(int) time.Duration { return 4 * time.Second }, contender.Hit), func(part float64) {
		if part > 0.4 {
			cancel()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if !found.Interrupted || len(found.Seconds) < 8 || len(found.Seconds) > 12 {
		t.Fatalf("interrupted %v after %d seconds, want true after about 10", found.Interrupted, len(found.Seconds))
	}
	for n, s := range found.Seconds {
		if s.Offered == 0 {
			t.Errorf("second %d is counted, in which no user came", n)
		}
	}
}

func TestLatencyAndGoodputCountFromTheFirstIntendedArrival(t *testing.T) {
	tests := []struct {
		name     string
		takes    []time.Duration // of the first call and the next ones of a user
		ending   contender.Ending
		tries    int
		attempts float64 // for each user
		good     float64
	}{
		{"in time", []time.Duration{499 * ms}, contender.Loaded, 3, 1, 1},
		{"at the deadline itself", []time.Duration{500 * ms}, contender.Loaded, 1, 1, -1},
		{"late once, then quick: late for the user", []time.Duration{time.Second, ms}, contender.Loaded, 3, 2, 0},
		{"late always", []time.Duration{time.Second}, contender.Loaded, 3, 3, 0},
		{"one call only", []time.Duration{time.Second, ms}, contender.Loaded, 1, 1, 0},
		{"a failure answers nothing", []time.Duration{ms}, contender.Failed, 3, 1, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			setup := quarter(1)
			setup.Rate, setup.WarmUp, setup.Length, setup.Tries, setup.Prefill = 20, 0, 10*time.Second, test.tries, sim.Empty
			setup.KeyOf = func(request uint64) uint64 { return request }
			found := run(t, setup, waits(func(call int) time.Duration { return test.takes[min(call, len(test.takes))-1] }, test.ending))
			if got := float64(found.Attempts) / float64(found.Offered); got != test.attempts {
				t.Errorf("%v calls for each user, want %v", got, test.attempts)
			}
			if got := float64(found.Good) / float64(found.Offered); test.good >= 0 && got != test.good {
				t.Errorf("goodput %v, want %v", got, test.good)
			}
			if found.Latency.Max > 501 {
				t.Errorf("a call took %v ms, and its deadline is 500", found.Latency.Max)
			}
		})
	}
}

func TestAnAnswerToTheSecondCallIsGoodWithinTheDeadlineOfTheFirst(t *testing.T) {
	calls := newCalls()
	flaky := reading(func(_ context.Context, _ contender.Node, key uint64) contender.Answer {
		if calls.next(key) == 1 {
			return contender.Answer{Ending: contender.Failed}
		}
		return contender.Answer{Ending: contender.Hit}
	})
	setup := quarter(1)
	setup.Rate, setup.Length, setup.RetryFailures = 20, 10*time.Second, true
	setup.KeyOf = func(request uint64) uint64 { return request }
	if found := run(t, setup, flaky); found.Good != found.Offered || found.Attempts != 2*found.Offered {
		t.Errorf("%d of %d users were answered in time by %d calls, want all by two each", found.Good, found.Offered, found.Attempts)
	}
}

func TestUsersOfALoadThatHangsAreLetGoWhenTheRunIsOver(t *testing.T) {
	setup := quarter(1)
	setup.Rate, setup.Length, setup.WarmUp = 5, 3*time.Second, 0
	setup.SourceFaults = []sim.SourceFault{{To: time.Hour, Hangs: func(uint64, uint64) bool { return true }}}
	setup.Prefill = sim.Empty
	for _, c := range contender.All() {
		if found := run(t, setup, c); found.Goodput > 0 || found.Offered == 0 {
			t.Errorf("%s: goodput %v while every load hangs", c.ID, found.Goodput)
		}
	}
}

func TestEveryContenderRunsOnExtremeServices(t *testing.T) {
	trouble := measure.Trigger{From: time.Second, To: time.Second}
	tests := []struct {
		name   string
		change func(*sim.Setup)
		holds  func(result.Run) bool
	}{
		{"one request a second", func(s *sim.Setup) { s.Rate, s.Length = 1, 10*time.Second }, func(r result.Run) bool { return r.Good == r.Offered }},
		{"a rush of 20000 requests in one second", func(s *sim.Setup) { s.Rate, s.Length, s.WarmUp = 20_000, time.Second, 0 },
			func(r result.Run) bool { return r.Offered > 19_000 && len(r.Seconds) == 1 }},
		{"one key", func(s *sim.Setup) { s.KeyOf = func(uint64) uint64 { return 0 } }, func(r result.Run) bool { return r.Goodput > 0.99 }},
		{"a deadline of one millisecond", func(s *sim.Setup) { s.Deadline = ms }, func(r result.Run) bool { return r.Goodput > 0.5 && r.Latency.Max < 2 }},
		{"64 nodes", func(s *sim.Setup) { s.Nodes = 64 }, func(r result.Run) bool { return r.Nodes == 64 && r.Goodput > 0.99 }},
		{"trouble of no length", func(s *sim.Setup) {
			s.Trigger, s.SourceFaults = trouble, []sim.SourceFault{{From: trouble.From, To: trouble.To, Down: true}}
			s.Length = 8 * time.Second
		}, func(r result.Run) bool { return r.RecoverySeconds == 0 && r.LostAreaSeconds < 0.05 }},
		{"trouble until the end", func(s *sim.Setup) {
			s.Trigger = measure.Trigger{From: time.Second, To: s.Length}
			s.StoreFaults = []sim.StoreFault{{Kind: sim.BlackHole, From: time.Second, To: time.Hour}}
		}, func(r result.Run) bool { return r.RecoverySeconds == -1 && len(r.Seconds) == 3 }},
	}
	for _, test := range tests {
		for _, c := range contender.All() {
			t.Run(test.name+" "+c.ID, func(t *testing.T) {
				setup := quarter(1)
				setup.Rate, setup.WarmUp, setup.Length = 200, time.Second, 3*time.Second
				test.change(&setup)
				if found := run(t, setup, c); !test.holds(found) {
					found.Seconds, found.Latency.Tail, found.StaleAge.Tail = nil, nil, nil
					t.Errorf("%+v", found)
				}
			})
		}
	}
}
