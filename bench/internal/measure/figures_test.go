package measure_test

import (
	"math"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// seconds gives one second of 100 requests for each number, which is how many of them were good; -1 is a second without requests.
func seconds(good ...int64) []result.Second {
	var list []result.Second
	for n, g := range good {
		s := result.Second{Offered: 100, Good: g, SourceCalls: int64(n)}
		if g < 0 {
			s.Offered, s.Good = 0, 0
		}
		list = append(list, s)
	}
	return list
}

func TestARecoveryIsTheFirstOfFiveGoodSecondsAfterTheTrigger(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		good []int64
		end  time.Duration
		want float64
	}{
		{"at once", []int64{0, 99, 99, 99, 99, 99}, time.Second, 0},
		{"after two", []int64{0, 98, 98, 99, 100, 99, 100, 99}, time.Second, 2},
		{"four and a bad one", []int64{0, 99, 99, 99, 99, 98, 99, 99, 99, 99}, time.Second, -1},
		{"a bad one starts anew", []int64{0, 99, 98, 99, 99, 99, 99, 99}, time.Second, 2},
		{"too short", []int64{0, 100, 100, 100, 100}, time.Second, -1},
		{"good before the end does not count", []int64{100, 100, 100, 100, 100, 0}, 5 * time.Second, -1},
		{"seconds without requests are good", []int64{0, -1, -1, -1, -1, -1}, time.Second, 0},
		{"an end within a second", []int64{0, 0, 100, 100, 100, 100, 100}, 1500 * time.Millisecond, 0.5},
		{"no seconds", nil, time.Second, -1},
	} {
		if got := measure.Recovery(seconds(test.good...), test.end); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestSumsAreOfTheSecondsThatBeginInAStretch(t *testing.T) {
	t.Parallel()
	list := seconds(100, 50, 0, 100, -1)
	for _, test := range []struct {
		from, to time.Duration
		goodput  float64
		calls    int64
	}{
		{0, 5 * time.Second, 0.625, 10},
		{time.Second, 3 * time.Second, 0.25, 3},
		{1500 * time.Millisecond, 2500 * time.Millisecond, 0.25, 3},
		{4 * time.Second, time.Hour, 1, 4},
		{9 * time.Second, time.Hour, 1, 0},
	} {
		if got := measure.Goodput(list, test.from, test.to); math.Abs(got-test.goodput) > 1e-9 {
			t.Errorf("goodput from %v to %v is %v, want %v", test.from, test.to, got, test.goodput)
		}
		if got := measure.SourceCalls(list, test.from, test.to); got != test.calls {
			t.Errorf("source calls from %v to %v are %d, want %d", test.from, test.to, got, test.calls)
		}
	}
	for from, want := range map[time.Duration]float64{0: 1.5, 2 * time.Second: 1, 3 * time.Second: 0, time.Hour: 0} {
		if got := measure.LostArea(list, from); math.Abs(got-want) > 1e-9 {
			t.Errorf("lost from %v on is %v, want %v", from, got, want)
		}
	}
}

func TestFiguresLeaveOutASecondThatTheRunDidNotReachTheEndOf(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, time.Second)
	for _, intended := range []int{100, 1100, 2100} {
		attempt(c, intended, intended+1, hit(1))
	}
	tally := c.Tally()
	for length, want := range map[time.Duration]int{0: 0, 1999 * time.Millisecond: 1, 2 * time.Second: 2, time.Hour: 3} {
		if run := tally.Figures(measure.Trigger{}, length); len(run.Seconds) != want || run.Offered != 3 {
			t.Errorf("of %v: %d seconds and %d requests, want %d and all 3", length, len(run.Seconds), run.Offered, want)
		}
	}
}

func TestDurationsOutsideTheRangeAreHeldToIt(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, time.Second)
	c.End(c.Begin(1, at(10)), hit(1), at(5)) // a clock that went back
	c.End(c.Begin(1, at(10)), hit(1), at(10).Add(24*time.Hour))
	run := c.Tally().Figures(measure.Trigger{}, time.Second)
	if run.Latency.Count != 2 || run.Latency.Max < 599_000 || run.Latency.Max > 601_000 {
		t.Errorf("%+v, want 2 values up to ten minutes", run.Latency)
	}
}

func TestTheTailFallsFromNearlyAllToNone(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, time.Second)
	for ms := 1; ms <= 1000; ms++ {
		attempt(c, 0, ms, hit(1))
	}
	tail := c.Tally().Figures(measure.Trigger{}, time.Second).Latency.Tail
	if len(tail) < 50 || len(tail) >= 1000 {
		t.Fatalf("%d points, want enough to draw and fewer than values", len(tail))
	}
	for i := 1; i < len(tail); i++ {
		if tail[i].X <= tail[i-1].X || tail[i].Y >= tail[i-1].Y {
			t.Errorf("point %d does not fall: %v, %v", i, tail[i-1], tail[i])
		}
	}
	if last := tail[len(tail)-1]; last.Y != 0 || last.X < 999 {
		t.Errorf("the last point is %v, want the largest value with none above it", last)
	}
	for _, p := range tail {
		if above := (1000 - p.X) / 1000; math.Abs(p.Y-above) > 0.01 {
			t.Errorf("%v of all values are above %v ms, want %v", p.Y, p.X, above)
		}
	}
}

func TestARunWithoutAnythingHasFiguresWithoutNaN(t *testing.T) {
	t.Parallel()
	run := measure.New(zero, time.Second).Tally().Figures(measure.Trigger{}, time.Minute)
	for name, figure := range map[string]float64{
		"goodput": run.Goodput, "hit ratio": run.HitRatio, "operations": run.StoreOperations, "latency": run.Latency.P99, "lost": run.LostAreaSeconds,
	} {
		if math.IsNaN(figure) || math.IsInf(figure, 0) {
			t.Errorf("the %s is %v", name, figure)
		}
	}
	if run.Goodput != 1 || run.RecoverySeconds != 0 || len(run.Endings) != 0 {
		t.Errorf("goodput %v, recovery %v, endings %v", run.Goodput, run.RecoverySeconds, run.Endings)
	}
}

func TestEveryEndingHasAFigureOfItsOwnAndASecondsColumn(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, time.Second)
	for e := contender.Hit; e <= contender.TimedOut; e++ {
		attempt(c, 0, int(e), contender.Answer{Ending: e, Row: contender.Row{ReadAt: zero.UnixMicro()}})
	}
	run := c.Tally().Figures(measure.Trigger{}, time.Second)
	if len(run.Endings) != 7 || len(run.ByEnding) != 7 {
		t.Errorf("endings %v", run.Endings)
	}
	for e := contender.Hit; e <= contender.TimedOut; e++ {
		if run.Endings[e.String()] != 1 || run.ByEnding[e.String()].Count != 1 {
			t.Errorf("%v is counted %d times", e, run.Endings[e.String()])
		}
	}
	if s := run.Seconds[0]; s.Stale != 1 || s.Rejected != 1 || s.Failed != 2 || s.Offered != 7 || s.Good != 4 {
		t.Errorf("the second is %+v", s)
	}
}
