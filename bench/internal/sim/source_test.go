package sim_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// answers lets callers ask for keys of their own, so long after the beginning, and gives when each was back and how.
func answers(t *testing.T, setup sim.Setup, limit time.Duration, at ...time.Duration) (ends []time.Duration, endings []contender.Ending, calls int64) {
	t.Helper()
	ends, endings = make([]time.Duration, len(at)), make([]contender.Ending, len(at))
	play(t, setup, bare(), func(s sim.Stage) {
		for n, begins := range at {
			s.At(begins, func() {
				answer, _ := s.CallWithin(limit, 0, uint64(n))
				ends[n], endings[n] = s.Since(), answer.Ending
			})
		}
		s.At(time.Minute, func() { calls = s.SourceCalls() })
	})
	return ends, endings, calls
}

func TestTheSourceServesInTheOrderOfArrivalAndTakesUpCapacityThatComesBack(t *testing.T) {
	fault := func(f sim.SourceFault) []sim.SourceFault { return []sim.SourceFault{f} }
	tests := []struct {
		name    string
		workers int
		faults  []sim.SourceFault
		at      []time.Duration
		want    []time.Duration
	}{
		{"one worker", 1, nil, []time.Duration{0, 1 * ms, 2 * ms}, []time.Duration{20 * ms, 40 * ms, 60 * ms}},
		{"two workers", 2, nil, []time.Duration{0, 1 * ms, 2 * ms}, []time.Duration{20 * ms, 21 * ms, 40 * ms}},
		{"slower from its beginning on, and not after its end", 1, fault(sim.SourceFault{From: 10 * ms, To: 30 * ms, Slower: 10}),
			[]time.Duration{0, 1 * ms, 2 * ms}, []time.Duration{20 * ms, 220 * ms, 240 * ms}},
		{"half of the capacity, taken up again at the very end", 4, fault(sim.SourceFault{To: 30 * ms, Capacity: 0.5}),
			[]time.Duration{0, 0, 0, 0, 0, 0}, []time.Duration{20 * ms, 20 * ms, 40 * ms, 40 * ms, 50 * ms, 50 * ms}},
		{"less than one worker is one", 2, fault(sim.SourceFault{To: time.Hour, Capacity: 0.01}), []time.Duration{0, 0}, []time.Duration{20 * ms, 40 * ms}},
		{"a cut does not stop what is worked on", 2, fault(sim.SourceFault{From: 10 * ms, To: 100 * ms, Capacity: 0.5}),
			[]time.Duration{0, 0, 1 * ms, 1 * ms}, []time.Duration{20 * ms, 20 * ms, 40 * ms, 60 * ms}},
		{"down fails what begins, at once", 1, fault(sim.SourceFault{From: 10 * ms, To: 30 * ms, Down: true}),
			[]time.Duration{0, 15 * ms, 30 * ms}, []time.Duration{20 * ms, 15 * ms, 50 * ms}},
		{"the last of two that overlap", 1, []sim.SourceFault{{To: time.Hour, Slower: 10}, {From: 0, To: 10 * ms, Slower: 2}},
			[]time.Duration{0}, []time.Duration{40 * ms}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			setup := stage()
			setup.Source.Workers, setup.SourceFaults = test.workers, test.faults
			ends, _, calls := answers(t, setup, time.Second, test.at...)
			slices.Sort(ends)
			want := slices.Clone(test.want)
			slices.Sort(want)
			if !slices.Equal(ends, want) {
				t.Errorf("the callers were back at %v, want %v", ends, want)
			}
			if calls != int64(len(test.at)) {
				t.Errorf("%d calls for %d callers", calls, len(test.at))
			}
		})
	}
}

func TestWorkOfCallersThatLeftGoesOnOrEndsAsTheModelSays(t *testing.T) {
	tests := []struct {
		name                string
		drops               bool
		slow                time.Duration // the first load is one of 200 ms if this is not 0
		last                time.Duration // when the last caller is back
		wasted, outstanding int
	}{
		{"in the queue, work goes on", false, 1 * ms, 320 * ms, 3, 7},
		{"in the queue, work is dropped", true, 1 * ms, 260 * ms, 0, 4},
		{"one in work, work goes on", false, 0, 140 * ms, 3, 6},
		{"one in work, work is dropped", true, 0, 95 * ms, 1, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			setup := stage()
			setup.Source.Workers, setup.Source.DropsAbandoned = 1, test.drops
			setup.SourceFaults = []sim.SourceFault{{To: test.slow, Slower: 10}}
			var last time.Duration
			found := play(t, setup, bare(), func(s sim.Stage) {
				s.At(0, func() { s.CallWithin(time.Second, 0, 9) })
				for n := range 3 {
					begins := 10*ms + time.Duration(n)*time.Microsecond // and the last leaves first, lest one that leaves be begun for a moment
					s.At(begins, func() { s.CallWithin(40*ms-2*begins, 0, uint64(n)) })
					s.At(35*ms, func() {
						s.CallWithin(time.Second, 0, uint64(10+n))
						s.Raise("last", s.Since().Seconds())
					})
				}
			})
			last = time.Duration(found.Extra["last"] * float64(time.Second)).Round(ms)
			if last != test.last || found.SourceWasted != int64(test.wasted) || found.SourceOutstanding != test.outstanding || found.SourceConcurrency != 1 {
				t.Errorf("last caller back at %v, %d wasted, %d outstanding, %d at once; want %v, %d, %d, 1",
					last, found.SourceWasted, found.SourceOutstanding, found.SourceConcurrency, test.last, test.wasted, test.outstanding)
			}
		})
	}
}

func TestNothingIsSentForACallerThatLeftBefore(t *testing.T) {
	play(t, stage(), bare(), func(s sim.Stage) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if answer, took := s.Call(ctx, 0, 1); answer.Ending != contender.TimedOut || took != 0 || s.SourceCalls() != 0 {
			t.Errorf("%v after %v with %d calls, want timed out at once and no call", answer.Ending, took, s.SourceCalls())
		}
	})
}

func TestTheSameLoadOfAKeyTakesAsLongWhateverElseHappens(t *testing.T) {
	took := func(others int) (times []time.Duration) {
		setup := stage()
		setup.Source.Sigma, setup.Source.Workers = 0.5, 1000
		play(t, setup, bare(), func(s sim.Stage) {
			for n := range others {
				s.At(0, func() { s.CallWithin(time.Minute, 0, uint64(n+1)) })
			}
			s.At(0, func() {
				for range 3 {
					_, one := s.CallWithin(time.Minute, 0, 0)
					times = append(times, one)
				}
			})
		})
		return times
	}
	alone, beside := took(0), took(50)
	if !slices.Equal(alone, beside) {
		t.Errorf("the loads of a key took %v alone and %v beside others", alone, beside)
	}
	if alone[0] == alone[1] || alone[1] == alone[2] {
		t.Errorf("the loads of a key took %v: each must have a time of its own", alone)
	}
}

func TestThePartOfLoadsThatFailsIsTheOneAskedFor(t *testing.T) {
	setup := stage()
	setup.Source.Workers = 10_000
	setup.SourceFaults = []sim.SourceFault{{To: time.Hour, Errors: 0.3}}
	at := make([]time.Duration, 10_000)
	_, endings, _ := answers(t, setup, time.Second, at...)
	failed := 0
	for _, ending := range endings {
		if ending == contender.Failed {
			failed++
		}
	}
	if failed < 2850 || failed > 3150 {
		t.Errorf("%d of 10000 loads failed, want about 3000", failed)
	}
}

func TestEverySecondHasTheLoadsThatAreInTheSourceThroughIt(t *testing.T) {
	setup := quarter(1)
	setup.Rate, setup.Length, setup.Prefill, setup.Deadline = 0.0001, 10*time.Second, sim.Empty, time.Minute
	setup.Source = sim.SourceModel{Workers: 1, Mean: 5200 * ms}
	opened := reading(nil)
	opened.Open = func(node contender.Node) (contender.Reader, error) {
		time.AfterFunc(setup.WarmUp+1500*ms, func() { _, _ = node.Source.Load(context.Background(), 1) })
		return reader{node, nil}, nil
	}
	for second, s := range run(t, setup, opened).Seconds {
		want := 0
		if second >= 1 && second <= 6 { // from 1.5 s to 6.7 s
			want = 1
		}
		if s.SourceOutstanding != want {
			t.Errorf("in second %d there are %d loads in the source, want %d", second, s.SourceOutstanding, want)
		}
	}
}
