package contender_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

func TestACrowdForOneColdKeyCallsTheSourceAsItsPolicySays(t *testing.T) {
	const callers = 20
	tests := []struct {
		id    string
		calls int64
		last  time.Duration // when the last is answered, trips of the store left aside
	}{
		{"P0", callers, 100 * ms}, {"P1", 1, 100 * ms}, {"P2", 1, 100 * ms}, {"P3", 1, 100 * ms}, {"P4", 1, 100 * ms}, {"P5", callers, 100 * ms},
		{"P6", 1, 100 * ms}, {"P7", 1, 100 * ms},
	}
	for _, test := range tests {
		t.Run(test.id, func(t *testing.T) {
			answers, found := staged(t, test.id, unchanged, crowd(callers, time.Second)...)
			last := time.Duration(0)
			for n, one := range answers {
				if !one.ending.Answered() {
					t.Errorf("caller %d: %v", n, one.ending)
				}
				last = max(last, one.at)
			}
			if found.SourceCalls != test.calls || last < test.last || last > test.last+5*ms {
				t.Errorf("%d calls and the last answer at %v, want %d and %v", found.SourceCalls, last, test.calls, test.last)
			}
		})
	}
}

func TestALeaderThatLeavesTakesAFlightOnItsContextAlongAndNoOther(t *testing.T) {
	tests := []struct {
		id       string
		follower contender.Ending
		reason   string
		at       time.Duration
		calls    int64
	}{
		{"P1", contender.Failed, "another caller's context", 10 * ms, 2}, // the call after it starts anew
		{"P2", contender.Loaded, "", 100 * ms, 1},
		{"P3", contender.Loaded, "", 110 * ms, 2}, // its turn comes, and it loads for itself
		{"P7", contender.Loaded, "", 100 * ms, 1},
	}
	for _, test := range tests {
		t.Run(test.id, func(t *testing.T) {
			answers, found := staged(t, test.id, unchanged, ask{limit: 10 * ms}, ask{at: ms, limit: time.Second}, ask{at: 20 * ms, limit: time.Second})
			follower := answers[1]
			if answers[0].ending != contender.TimedOut || follower.ending != test.follower || follower.reason != test.reason ||
				follower.at < test.at-ms || follower.at > test.at+5*ms || found.SourceCalls != test.calls {
				t.Errorf("the leader: %v, the follower: %+v, %d calls; want %+v", answers[0].ending, follower, found.SourceCalls, test)
			}
			if !answers[2].ending.Answered() {
				t.Errorf("who came after: %v", answers[2].ending)
			}
		})
	}
}

func TestAHungLoadKeepsTheKeyOfADetachedFlightForEver(t *testing.T) {
	hang := func(s *sim.Setup) {
		s.SourceFaults = []sim.SourceFault{{To: time.Hour, Hangs: func(key, turn uint64) bool { return key == 0 && turn == 0 }}}
	}
	asks := []ask{{limit: 500 * ms}}
	for at := time.Second; at < 50*time.Second; at += time.Second {
		asks = append(asks, ask{at: at, limit: 500 * ms})
	}
	asks = append(asks, ask{at: 30 * time.Second, key: 1, limit: time.Second})
	for id, dead := range map[string]bool{"P2": true, "P6": false, "P7": false} {
		answers, found := staged(t, id, hang, asks...)
		late := answers[len(answers)-2]
		if (late.ending == contender.TimedOut) != dead || dead && found.SourceCalls != 2 {
			t.Errorf("%s: after 49 s the key is %v with %d calls, want it dead: %v", id, late.ending, found.SourceCalls, dead)
		}
		if other := answers[len(answers)-1]; other.ending != contender.Loaded {
			t.Errorf("%s: another key is %v", id, other.ending)
		}
	}
}

func TestAConvoyFailsOneCallerAfterTheOtherInTheOrderOfArrival(t *testing.T) {
	fails := func(s *sim.Setup) { s.SourceFaults = []sim.SourceFault{{To: time.Hour, Errors: 1}} }
	asks := []ask{{limit: time.Minute}, {at: ms, limit: time.Minute}, {at: 2 * ms, limit: time.Minute}, {at: 3 * ms, limit: time.Minute}, {at: 4 * ms, limit: time.Minute}}
	asks = append(asks, ask{at: 50 * ms, key: 1, limit: time.Minute})
	answers, found := staged(t, "P3", fails, asks...)
	for n, one := range answers[:5] {
		if want := time.Duration(n+1) * 100 * ms; one.ending != contender.Failed || one.at < want || one.at > want+5*ms {
			t.Errorf("caller %d: %v at %v, want failed at %v", n, one.ending, one.at, want)
		}
	}
	if other := answers[5]; other.at > 155*ms || found.SourceCalls != 6 {
		t.Errorf("a caller of another key waited until %v; %d calls, want 6", other.at, found.SourceCalls)
	}
}

func TestALockInTheStoreRunsOutAndIsGivenBackByWhoeverHadIt(t *testing.T) {
	slow := func(s *sim.Setup) {
		s.Source.Mean = 6 * time.Second // longer than the lock lives
		s.SourceFaults = []sim.SourceFault{{To: time.Second, Errors: 1}}
	}
	answers, found := staged(t, "P4", slow,
		ask{limit: time.Minute},                             // holds the lock, and fails at 6 s
		ask{at: ms, node: 1, limit: time.Minute},            // takes it over at 5 s, and is done at 11 s
		ask{at: 5500 * ms, node: 0, limit: 4 * time.Second}, // is let in at 6 s, by the DEL of the first
	)
	if answers[0].ending != contender.Failed || answers[1].ending != contender.Loaded || answers[2].ending != contender.TimedOut {
		t.Fatalf("%+v", answers)
	}
	if took := answers[1].at; took < 11*time.Second || took > 11100*ms || found.SourceCalls != 3 {
		t.Errorf("the second was back at %v, with %d calls in all; want 11 s and a little, and three loads side by side", took, found.SourceCalls)
	}
}

func TestAPollingCallerFindsTheRowAtTheNextLook(t *testing.T) {
	answers, found := staged(t, "P4", unchanged, ask{limit: time.Second}, ask{at: ms, node: 1, limit: time.Second})
	if one := answers[1]; one.ending != contender.Hit || one.at < 101*ms || one.at > 105*ms || found.SourceCalls != 1 {
		t.Errorf("%+v with %d calls, want a hit at the second look, 50 ms each", one, found.SourceCalls)
	}
}

func TestAnEarlyRefreshIsAsLikelyAsItsFormulaSays(t *testing.T) {
	const calls = 20_000
	for _, left := range []time.Duration{10 * ms, 50 * ms, 100 * ms, 200 * ms, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			f := &fixed{entry: contender.Entry{Row: contender.Row{Version: 1}, Cost: 50 * ms, ExpiresAt: time.Now().Add(left)}}
			thrown := uint64(0)
			reader, err := modelled(t, "P5").Open(contender.Node{Source: f, Store: f, TTL: contender.TTL{Soft: time.Minute}, Random: func() float64 {
				thrown++
				return workload.Uniform(1, workload.Dice, thrown)
			}})
			if err != nil {
				t.Fatal(err)
			}
			for range calls {
				reader.Get(t.Context(), 1)
			}
			want := calls * math.Exp(-float64(left)/float64(50*ms))
			if math.Abs(float64(f.loads)-want) > 4*math.Sqrt(want)+1 {
				t.Errorf("with %v left of an entry that cost 50 ms %d of %d calls load, want about %.0f", left, f.loads, calls, want)
			}
		})
	}
}

func TestAnEarlyRefreshThatFailsLosesNothingThatIsStillGood(t *testing.T) {
	f := &fixed{entry: contender.Entry{Row: contender.Row{Version: 1}, Cost: time.Hour, ExpiresAt: time.Now().Add(time.Minute)}, err: contender.ErrSource}
	reader, err := modelled(t, "P5").Open(contender.Node{Source: f, Store: f, Random: func() float64 { return 0.9 }})
	if err != nil {
		t.Fatal(err)
	}
	if answer := reader.Get(t.Context(), 1); answer.Ending != contender.Hit || answer.Row.Version != 1 || f.loads != 1 {
		t.Errorf("%+v after %d loads, want the row that is good for a minute", answer, f.loads)
	}
	f.entry.ExpiresAt = time.Now()
	if answer := reader.Get(t.Context(), 1); answer.Ending != contender.Failed || !errors.Is(f.err, contender.ErrSource) {
		t.Errorf("%+v, want a failure once it has expired", answer)
	}
}

func TestOnlyTheContenderThatMayServesWhatIsOld(t *testing.T) {
	down := func(s *sim.Setup) {
		s.SourceFaults = []sim.SourceFault{{From: time.Second, To: time.Hour, Down: true}}
		s.TTL = contender.TTL{Soft: time.Second, Hard: 10 * time.Second, Negative: time.Second}
	}
	for _, c := range contender.All() {
		answers, _ := staged(t, c.ID, down, ask{limit: time.Second}, ask{at: 3 * time.Second, limit: time.Second}, ask{at: 15 * time.Second, limit: time.Second})
		want := contender.Failed
		if c.ID >= "P7" {
			want = contender.Stale
		}
		if answers[0].ending != contender.Loaded || answers[1].ending != want || answers[2].ending.Answered() {
			t.Errorf("%s: %+v, want loaded, %v, and nothing", c.ID, answers, want)
		}
	}
}

// filled is a store in which the row appears between the first look and the lock.
type filled struct {
	fixed
	looks, unlocks int
}

func (f *filled) Get(context.Context, uint64) (contender.Entry, bool, error) {
	f.looks++
	return f.entry, f.looks > 1, nil
}

func (f *filled) Lock(context.Context, uint64, time.Duration) (bool, error) { return true, nil }

func (f *filled) Unlock(context.Context, uint64) error {
	f.unlocks++
	return nil
}

func TestWhoGetsTheLockLooksOnceMoreBeforeItLoads(t *testing.T) {
	f := &filled{fixed: fixed{entry: contender.Entry{Row: contender.Row{Version: 1}}}}
	reader, err := modelled(t, "P4").Open(contender.Node{Source: f, Store: f})
	if err != nil {
		t.Fatal(err)
	}
	if answer := reader.Get(t.Context(), 1); answer.Ending != contender.Hit || f.loads != 0 || f.unlocks != 1 {
		t.Errorf("%+v with %d loads, the lock given back %d times; want the row that is there, and the lock back", answer, f.loads, f.unlocks)
	}
}
