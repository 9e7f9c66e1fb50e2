package measure

import (
	"math"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// Trigger is the stretch of a run, from its start, in which something is wrong; From and To are equal where nothing is.
type Trigger struct{ From, To time.Duration }

// Figures puts a tally into the words of a report. Seconds that the run did not reach the end of are left out by giving its length.
func (t *Tally) Figures(trigger Trigger, length time.Duration) result.Run {
	run := result.Run{
		Offered: t.offered, Good: t.good, Attempts: t.attempts,
		Endings: make(map[string]int64), Reasons: t.reasons, ByEnding: make(map[string]result.Latency),
		SourceCalls: t.sourceCalls, SourceConcurrency: t.concurrency, SourceOutstanding: t.outstanding, SourceWasted: t.wasted,
		CallersPeak: t.peak, Violations: t.violations, ViolationsStored: t.stored, PastHard: t.pastHard,
		Latency: distribution(t.all, true), StaleAge: distribution(t.staleAge, true),
	}
	hits := int64(0)
	for _, ending := range t.endings() {
		h := t.byEnding[ending]
		run.Endings[ending.String()] = h.TotalCount()
		run.ByEnding[ending.String()] = distribution(h, false)
		if ending == contender.Hit || ending == contender.Stale {
			hits += h.TotalCount()
		}
	}
	if t.attempts > 0 {
		run.HitRatio = float64(hits) / float64(t.attempts)
		run.StoreOperations = float64(t.storeOps) / float64(t.attempts)
	}
	for n, s := range t.seconds {
		if time.Duration(n+1)*time.Second <= length {
			run.Seconds = append(run.Seconds, s.figures())
		}
	}
	run.Goodput = Goodput(run.Seconds, trigger.From, length)
	run.LostAreaSeconds = LostArea(run.Seconds, trigger.From)
	if trigger != (Trigger{}) { // else there is nothing to recover from
		run.RecoverySeconds = Recovery(run.Seconds, trigger.To)
	}
	return run
}

func (s *second) figures() result.Second {
	f := result.Second{
		Offered: s.offered, Good: s.good, Stale: s.stale, Rejected: s.rejected, Failed: s.failed,
		SourceCalls: s.sourceCalls, SourceOutstanding: s.outstanding,
	}
	if s.latency != nil {
		f.P50Milliseconds = milliseconds(float64(s.latency.ValueAtQuantile(50)))
		f.P99Milliseconds = milliseconds(float64(s.latency.ValueAtQuantile(99)))
	}
	return f
}

// Goodput is the part of the requests in the seconds that begin in [from, to) that was answered in time; 1 where there was none.
func Goodput(seconds []result.Second, from, to time.Duration) float64 {
	var sum result.Second
	for n, s := range seconds {
		if begins := time.Duration(n) * time.Second; begins >= from.Truncate(time.Second) && begins < to {
			sum.Offered += s.Offered
			sum.Good += s.Good
		}
	}
	return sum.Goodput()
}

// SourceCalls is how many loads began in the seconds that begin in [from, to).
func SourceCalls(seconds []result.Second, from, to time.Duration) int64 {
	var sum int64
	for n, s := range seconds {
		if begins := time.Duration(n) * time.Second; begins >= from.Truncate(time.Second) && begins < to {
			sum += s.SourceCalls
		}
	}
	return sum
}

const (
	recovered      = 0.99 // goodput
	recoveredFor   = 5    // seconds in a row
	neverRecovered = -1.0
)

// Recovery is how long after the end of the trigger the first of five seconds begins in each of which 99 % of the requests were answered in time,
// or -1 where there is none.
func Recovery(seconds []result.Second, triggerEnd time.Duration) float64 {
	first := int(math.Ceil(triggerEnd.Seconds()))
	good := 0
	for n := first; n < len(seconds); n++ {
		if seconds[n].Goodput() < recovered {
			good = 0
			continue
		}
		if good++; good == recoveredFor {
			return float64(n-recoveredFor+1) - triggerEnd.Seconds()
		}
	}
	return neverRecovered
}

// LostArea is the sum of what was missing to full goodput, in seconds of full load, from the trigger on.
func LostArea(seconds []result.Second, from time.Duration) float64 {
	lost := 0.0
	for n := int(from.Truncate(time.Second) / time.Second); n < len(seconds); n++ {
		lost += 1 - seconds[n].Goodput()
	}
	return lost
}
