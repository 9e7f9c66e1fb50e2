package measure

import (
	"encoding/json"
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// wire is a tally as one process sends it to another.
type wire struct {
	Offered, Good, Attempts        int64
	ByEnding                       map[contender.Ending]*hdrhistogram.Snapshot
	All, StaleAge                  *hdrhistogram.Snapshot
	Reasons                        map[string]int64
	PastHard, Violations, Stored   int64
	SourceCalls, Wasted, StoreOps  int64
	Concurrency, Outstanding, Peak int
	Seconds                        []wireSecond
}

type wireSecond struct {
	Offered, Good, Stale, Rejected, Failed, SourceCalls int64
	Outstanding                                         int
	Latency                                             *hdrhistogram.Snapshot `json:",omitempty"`
}

// MarshalJSON makes a tally fit to be sent to the process that adds them up.
func (t *Tally) MarshalJSON() ([]byte, error) {
	w := wire{
		Offered: t.offered, Good: t.good, Attempts: t.attempts, ByEnding: make(map[contender.Ending]*hdrhistogram.Snapshot),
		All: t.all.Export(), StaleAge: t.staleAge.Export(), Reasons: t.reasons, PastHard: t.pastHard, Violations: t.violations, Stored: t.stored,
		SourceCalls: t.sourceCalls, Wasted: t.wasted, StoreOps: t.storeOps,
		Concurrency: t.concurrency, Outstanding: t.outstanding, Peak: t.peak,
	}
	for ending, h := range t.byEnding {
		w.ByEnding[ending] = h.Export()
	}
	for _, s := range t.seconds {
		sent := wireSecond{s.offered, s.good, s.stale, s.rejected, s.failed, s.sourceCalls, s.outstanding, nil}
		if s.latency != nil {
			sent.Latency = s.latency.Export()
		}
		w.Seconds = append(w.Seconds, sent)
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Tally) UnmarshalJSON(text []byte) error {
	var w wire
	if err := json.Unmarshal(text, &w); err != nil {
		return fmt.Errorf("measure: a tally cannot be read: %w", err)
	}
	if w.All == nil || w.StaleAge == nil {
		return fmt.Errorf("measure: a tally without histograms cannot be read")
	}
	*t = *newTally()
	t.offered, t.good, t.attempts = w.Offered, w.Good, w.Attempts
	t.all, t.staleAge = hdrhistogram.Import(w.All), hdrhistogram.Import(w.StaleAge)
	t.pastHard, t.violations, t.stored = w.PastHard, w.Violations, w.Stored
	t.sourceCalls, t.wasted, t.storeOps = w.SourceCalls, w.Wasted, w.StoreOps
	t.concurrency, t.outstanding, t.peak = w.Concurrency, w.Outstanding, w.Peak
	for ending, h := range w.ByEnding {
		t.byEnding[ending] = hdrhistogram.Import(h)
	}
	for reason, n := range w.Reasons {
		t.reasons[reason] = n
	}
	for _, s := range w.Seconds {
		got := &second{s.Offered, s.Good, s.Stale, s.Rejected, s.Failed, s.SourceCalls, s.Outstanding, nil}
		if s.Latency != nil {
			got.latency = hdrhistogram.Import(s.Latency)
		}
		t.seconds = append(t.seconds, got)
	}
	return nil
}
