package measure_test

import (
	"sync"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
)

// zero is when the runs of these tests start.
var zero = time.UnixMilli(1_700_000_000_000)

func at(ms int) time.Time { return zero.Add(time.Duration(ms) * time.Millisecond) }

func hit(version uint64) contender.Answer {
	return contender.Answer{Ending: contender.Hit, Row: contender.Row{Version: version}}
}

// attempt counts a call and the request that it is for, and tells whether it was in time.
func attempt(c *measure.Collector, intended, ended int, answer contender.Answer) bool {
	good := c.End(c.Begin(1, at(intended)), answer, at(ended))
	c.Request(at(intended), good)
	return good
}

func TestLatencyCountsFromTheIntendedArrival(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, 500*time.Millisecond)
	for _, test := range []struct {
		intended, ended int
		ending          contender.Ending
		good            bool
	}{
		{0, 500, contender.Hit, true},
		{0, 501, contender.Hit, false},
		{100, 200, contender.Loaded, true},
		{100, 200, contender.Stale, true},
		{100, 200, contender.Absent, true},
		{100, 200, contender.Rejected, false},
		{100, 200, contender.Failed, false},
		{100, 600, contender.TimedOut, false},
	} {
		if good := attempt(c, test.intended, test.ended, contender.Answer{Ending: test.ending, Row: contender.Row{ReadAt: zero.UnixMicro()}}); good != test.good {
			t.Errorf("%v from %d to %d ms is good: %t, want %t", test.ending, test.intended, test.ended, good, test.good)
		}
	}
	run := c.Tally().Figures(measure.Trigger{}, time.Second)
	if run.Offered != 8 || run.Good != 4 || run.Attempts != 8 || run.Endings["hit"] != 2 {
		t.Errorf("%d offered, %d good, %d attempts, endings %v; want 8, 4, 8 and 2 hits", run.Offered, run.Good, run.Attempts, run.Endings)
	}
	if got := run.ByEnding["hit"].P50; got < 499 || got > 501 {
		t.Errorf("half of the hits take %v ms, want 500", got)
	}
	if got := run.Latency.Max; got < 500 || got > 502 {
		t.Errorf("the longest call takes %v ms, want 501", got)
	}
}

func TestWhatHappensBeforeTheStartIsNotCounted(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, time.Second)
	attempt(c, -10, 5, hit(1))
	for _, now := range []time.Time{at(-1), at(0)} {
		c.SourceCall(now)
		c.SourceLevel(now, 3, 7)
		c.SourceWasted(now)
		c.StoreOperation(now)
	}
	attempt(c, 0, 5, hit(1))
	run := c.Tally().Figures(measure.Trigger{}, time.Second)
	if run.Offered != 1 || run.Attempts != 1 || run.SourceCalls != 1 || run.SourceWasted != 1 || run.StoreOperations != 1 || run.CallersPeak != 1 {
		t.Errorf("counted are %d requests, %d attempts, %d loads, %d wasted, %v operations a read, %d callers at once; want 1 of each",
			run.Offered, run.Attempts, run.SourceCalls, run.SourceWasted, run.StoreOperations, run.CallersPeak)
	}
}

func TestPeaksAreOfWhatWasUnderWayAtOnce(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, time.Second)
	first, second := c.Begin(1, at(0)), c.Begin(2, at(1))
	c.End(first, hit(1), at(2))
	c.End(c.Begin(3, at(3)), hit(1), at(4))
	c.End(second, hit(1), at(5))
	c.SourceLevel(at(0), 1, 1)
	c.SourceLevel(at(1), 2, 9)
	c.SourceLevel(at(1200), 1, 4)
	run := c.Tally().Figures(measure.Trigger{}, 2*time.Second)
	if run.CallersPeak != 2 || run.SourceConcurrency != 2 || run.SourceOutstanding != 9 {
		t.Errorf("peaks of %d callers, %d loads and %d with those that wait; want 2, 2, 9", run.CallersPeak, run.SourceConcurrency, run.SourceOutstanding)
	}
	if run.Seconds[0].SourceOutstanding != 9 || run.Seconds[1].SourceOutstanding != 4 {
		t.Errorf("peaks by the second are %+v, want 9 and 4", run.Seconds)
	}
}

func TestAnAnswerIsAViolationOnlyIfItIsOlderThanWhatWasSettledBeforeTheCall(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name           string
		before, during uint64 // versions that are settled
		answer         contender.Answer
		want, stored   int64
	}{
		{"nothing is settled", 0, 0, hit(1), 0, 0},
		{"the settled one", 2, 0, hit(2), 0, 0},
		{"a newer one", 2, 0, hit(3), 0, 0},
		{"an older one", 2, 0, hit(1), 1, 1},
		{"settled too late to be known", 0, 2, hit(1), 0, 0},
		{"an older one, stale", 2, 0, contender.Answer{Ending: contender.Stale, Row: contender.Row{Version: 1}}, 1, 1},
		{"an older one of a load", 2, 0, contender.Answer{Ending: contender.Loaded, Row: contender.Row{Version: 1}}, 1, 0},
		{"absent, where there was a row", 2, 0, contender.Answer{Ending: contender.Absent}, 1, 0},
		{"no answer", 2, 0, contender.Answer{Ending: contender.Failed}, 0, 0},
	} {
		c := measure.New(zero, time.Second)
		c.Settled(5, test.before)
		a := c.Begin(5, at(0))
		c.Settled(5, test.during)
		c.Settled(6, 9)
		c.End(a, test.answer, at(1))
		if got := c.Tally().Figures(measure.Trigger{}, time.Second); got.Violations != test.want || got.ViolationsStored != test.stored {
			t.Errorf("%s: %d violations, %d of them stored; want %d and %d", test.name, got.Violations, got.ViolationsStored, test.want, test.stored)
		}
	}
}

func TestSettledVersionsNeverGoBack(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, time.Second)
	c.Settled(5, 3)
	c.Settled(5, 2)
	c.End(c.Begin(5, at(0)), hit(2), at(1))
	if got := c.Tally().Figures(measure.Trigger{}, time.Second).Violations; got != 1 {
		t.Errorf("%d violations, want 1", got)
	}
}

func TestStaleAnswersHaveAnAgeAndAnEnd(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, time.Second)
	stale := func(read, hard int) contender.Answer {
		a := contender.Answer{Ending: contender.Stale, Row: contender.Row{Version: 1, ReadAt: at(read).UnixMicro()}}
		if hard != 0 {
			a.HardExpiresAt = at(hard)
		}
		return a
	}
	attempt(c, 0, 10, stale(-990, 11)) // a millisecond before its end
	attempt(c, 0, 10, stale(-990, 10)) // at its end
	attempt(c, 0, 10, stale(-990, 0))  // no end is known
	run := c.Tally().Figures(measure.Trigger{}, time.Second)
	if run.PastHard != 1 || run.StaleAge.Count != 3 || run.StaleAge.Max < 999 || run.StaleAge.Max > 1001 {
		t.Errorf("%d past their end, ages %+v; want 1 and three of a second", run.PastHard, run.StaleAge)
	}
	if run.HitRatio != 1 {
		t.Errorf("the hit ratio is %v; stale answers are hits", run.HitRatio)
	}
}

func TestReasonsAreCounted(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, time.Second)
	for _, reason := range []string{"source", "source", "KeysFull", ""} {
		attempt(c, 0, 1, contender.Answer{Ending: contender.Failed, Reason: reason})
	}
	run := c.Tally().Figures(measure.Trigger{}, time.Second)
	if len(run.Reasons) != 2 || run.Reasons["source"] != 2 || run.Reasons["KeysFull"] != 1 {
		t.Errorf("reasons are %v", run.Reasons)
	}
}

func TestATallyIsNotTouchedByWhatIsCountedLater(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, time.Second)
	late := c.Begin(1, at(0))
	attempt(c, 0, 1, hit(1))
	tally := c.Tally()
	attempts := func() int64 { return tally.Figures(measure.Trigger{}, time.Minute).Attempts }
	var later sync.WaitGroup
	for range 4 {
		later.Go(func() {
			for range 100 {
				c.StoreOperation(at(2))
				c.SourceCall(at(1100))
				attempt(c, 3, 4, hit(1))
			}
		})
	}
	if meanwhile := attempts(); meanwhile != 1 {
		t.Errorf("%d attempts while others count, want the one before", meanwhile)
	}
	c.End(late, hit(1), at(5))
	later.Wait()
	if run := tally.Figures(measure.Trigger{}, time.Minute); run.Attempts != 1 || run.StoreOperations != 0 || len(run.Seconds) != 1 {
		t.Errorf("%d attempts, %v operations a read and %d seconds; want what was there when it was taken", run.Attempts, run.StoreOperations, len(run.Seconds))
	}
}

func TestManyMayCountAtOnce(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, time.Second)
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for n := range 500 {
				attempt(c, n, n+1, hit(1))
				c.SourceCall(at(n))
			}
		})
	}
	callers.Wait()
	run := c.Tally().Figures(measure.Trigger{}, time.Second)
	if run.Attempts != 4000 || run.SourceCalls != 4000 || run.Seconds[0].Offered != 4000 || run.CallersPeak < 1 || run.CallersPeak > 8 {
		t.Errorf("%d attempts, %d loads, %d in the first second, %d at once", run.Attempts, run.SourceCalls, run.Seconds[0].Offered, run.CallersPeak)
	}
}
