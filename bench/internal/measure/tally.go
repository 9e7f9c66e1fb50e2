package measure

import (
	"maps"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// Tally is what was counted of a run so far. The zero value is of no use; it is not safe for concurrent use.
type Tally struct {
	offered, good, attempts        int64
	byEnding                       map[contender.Ending]*hdrhistogram.Histogram
	all, staleAge                  *hdrhistogram.Histogram
	reasons                        map[string]int64
	pastHard, violations, stored   int64
	sourceCalls, wasted, storeOps  int64
	concurrency, outstanding, peak int
	seconds                        []*second
}

type second struct {
	offered, good, stale, rejected, failed, sourceCalls int64
	outstanding                                         int
	latency                                             *hdrhistogram.Histogram
}

func newTally() *Tally {
	return &Tally{
		byEnding: make(map[contender.Ending]*hdrhistogram.Histogram), all: newHistogram(wholeDigits), staleAge: newHistogram(wholeDigits),
		reasons: make(map[string]int64),
	}
}

// at gives the second in which something happened, that many after the start; what happened before the start has none.
func (t *Tally) at(sinceStart time.Duration) *second {
	if sinceStart < 0 {
		return nil
	}
	n := int(sinceStart / time.Second)
	for len(t.seconds) <= n {
		t.seconds = append(t.seconds, &second{})
	}
	return t.seconds[n]
}

func (t *Tally) request(sinceStart time.Duration, good bool) {
	s := t.at(sinceStart)
	if s == nil {
		return
	}
	t.offered++
	s.offered++
	if good {
		t.good++
		s.good++
	}
}

func (t *Tally) attempt(sinceStart, took time.Duration, answer contender.Answer) {
	s := t.at(sinceStart)
	if s == nil {
		return
	}
	t.attempts++
	observe(t.all, took)
	h := t.byEnding[answer.Ending]
	if h == nil {
		h = newHistogram(wholeDigits)
		t.byEnding[answer.Ending] = h
	}
	observe(h, took)
	if s.latency == nil {
		s.latency = newHistogram(roughDigits)
	}
	observe(s.latency, took)
	if answer.Reason != "" {
		t.reasons[answer.Reason]++
	}
	switch answer.Ending {
	case contender.Stale:
		s.stale++
	case contender.Rejected:
		s.rejected++
	case contender.Failed, contender.TimedOut:
		s.failed++
	case contender.Hit, contender.Loaded, contender.Absent:
	}
}

// Add adds what another process counted of the same run. Peaks are added up too, since those of processes that run side by side may coincide: the
// sum is the most there can have been at once.
func (t *Tally) Add(other *Tally) {
	t.offered += other.offered
	t.good += other.good
	t.attempts += other.attempts
	t.pastHard += other.pastHard
	t.violations += other.violations
	t.stored += other.stored
	t.sourceCalls += other.sourceCalls
	t.wasted += other.wasted
	t.storeOps += other.storeOps
	t.concurrency += other.concurrency
	t.outstanding += other.outstanding
	t.peak += other.peak
	t.all.Merge(other.all)
	t.staleAge.Merge(other.staleAge)
	for ending, h := range other.byEnding {
		if t.byEnding[ending] == nil {
			t.byEnding[ending] = newHistogram(wholeDigits)
		}
		t.byEnding[ending].Merge(h)
	}
	for reason, n := range other.reasons {
		t.reasons[reason] += n
	}
	for n, theirs := range other.seconds {
		ours := t.at(time.Duration(n) * time.Second)
		ours.add(theirs)
	}
}

func (s *second) add(other *second) {
	s.offered += other.offered
	s.good += other.good
	s.stale += other.stale
	s.rejected += other.rejected
	s.failed += other.failed
	s.sourceCalls += other.sourceCalls
	s.outstanding += other.outstanding
	if other.latency != nil {
		if s.latency == nil {
			s.latency = newHistogram(roughDigits)
		}
		s.latency.Merge(other.latency)
	}
}

// endings gives those that occurred, in order.
func (t *Tally) endings() []contender.Ending { return slices.Sorted(maps.Keys(t.byEnding)) }
