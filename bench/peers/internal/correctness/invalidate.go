package correctness

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// Staleness is for how long a row that was invalidated was answered.
type Staleness struct {
	Seconds   float64 `json:"seconds"`   // from the first read to the last that got the old row; with Reads above 0 and one read only it is 0
	Reads     int     `json:"reads"`     // that got it
	Unsettled bool    `json:"unsettled"` // it still was when the experiment ended
	Failures  int     `json:"failures"`  // reads that got no row
}

// InvalidateObservation is what reads around an invalidation got.
type InvalidateObservation struct {
	Error   string    `json:"error,omitempty"`    // of the invalidation
	Waited  bool      `json:"waited,omitempty"`   // the invalidation returned only after the load
	Joined  string    `json:"joined,omitempty"`   // what the read between got: "old", "new" or how it ended
	After   Staleness `json:"after"`              // of reads that began after the old load had ended
	OldCall string    `json:"old_call,omitempty"` // what the caller of the old load got
}

// shortTTL lets a stale value show that it lives as long as its expiry says.
func shortTTL() contender.TTL {
	return contender.TTL{Soft: 2 * time.Second, Hard: 4 * time.Second, Negative: 2 * time.Second}
}

const (
	oldVersion, newVersion = 1, 2

	observeLimit = 5 * time.Second        // longer than any expiry of shortTTL
	observeCalm  = 400 * time.Millisecond // without an old row: settled
)

func measureInvalidate(ctx context.Context, s *stage) (InvalidateObservation, error) {
	return measureInvalidation(ctx, s, false)
}

func measureInvalidateJoin(ctx context.Context, s *stage) (InvalidateObservation, error) {
	return measureInvalidation(ctx, s, true)
}

// measureInvalidation begins a load that has read the old row and takes its time, writes the new one, invalidates, and ends the load.
func measureInvalidation(ctx context.Context, s *stage, join bool) (o InvalidateObservation, err error) {
	open := make(chan struct{})
	source := newSource(func(_ context.Context, key uint64) (contender.Row, error) {
		row := rowOf(key, oldVersion)
		<-open
		return row, nil
	})
	reader, err := s.open(source, shortTTL())
	if err != nil {
		return o, err
	}
	get := asks(reader, source, always(s.first))
	old := gather(ctx, 1, callerDeadline, get)
	if err := begun(ctx, source); err != nil {
		return o, err
	}
	source.become(rowAfter(time.Millisecond, newVersion))
	invalidated := make(chan error, 1)
	go func() { invalidated <- reader.Invalidate(ctx, s.first) }()
	var invalidation error
	select {
	case invalidation = <-invalidated:
	case <-time.After(time.Second):
		o.Waited = true
	}
	var between *crowd
	if join {
		between = gather(ctx, 1, callerDeadline, get)
		if err := settle(ctx); err != nil {
			return o, err
		}
	}
	close(open)
	if o.Waited {
		select {
		case invalidation = <-invalidated:
		case <-time.After(patience):
			return o, fmt.Errorf("the invalidation did not return within %s of the load's end", patience)
		}
	}
	if invalidation != nil {
		o.Error = "invalidation failed"
	}
	o.OldCall = versionOf(old)
	if join {
		o.Joined = versionOf(between)
	}
	o.After, err = observe(ctx, reader, s.first)
	return o, err
}

// versionOf says which row the one caller of c got.
func versionOf(c *crowd) string {
	select {
	case r := <-c.back:
		switch {
		case r.exited:
			return "exited"
		case !r.answer.Ending.Answered():
			return strings.TrimSuffix(r.answer.Ending.String()+": "+r.answer.Reason, ": ")
		case r.answer.Row.Version == oldVersion:
			return "old"
		default:
			return "new"
		}
	case <-time.After(patience):
		return "no return"
	}
}

// observe reads until the old row has not been answered for a while.
func observe(ctx context.Context, reader contender.Reader, key uint64) (Staleness, error) {
	var found Staleness
	began := time.Now()
	calmSince := began
	for {
		answer := read(ctx, reader, key, callerDeadline)
		now := time.Now()
		switch {
		case !answer.Ending.Answered():
			found.Failures++
		case answer.Row.Version == oldVersion:
			found.Reads++
			found.Seconds = now.Sub(began).Seconds()
			calmSince = now
		}
		if now.Sub(calmSince) >= observeCalm {
			return found, nil
		}
		if now.Sub(began) >= observeLimit {
			found.Unsettled = true
			return found, nil
		}
		if err := wait(ctx, 5*time.Millisecond); err != nil {
			return found, err
		}
	}
}

func judgeInvalidate(o InvalidateObservation) string {
	var parts []string
	if o.Error != "" {
		parts = append(parts, o.Error)
	}
	if o.Waited {
		parts = append(parts, "the invalidation waits for the load")
	}
	switch o.Joined {
	case "":
	case "old":
		parts = append(parts, "the read between gets the old row")
	case "new":
		parts = append(parts, "the read between gets the new row")
	default:
		parts = append(parts, "the read between ends as "+o.Joined)
	}
	return strings.Join(append(parts, o.After.sentence()), "; ")
}

// span is a time as precise as it is worth.
func span(seconds float64) string {
	if seconds < 1 {
		return fmt.Sprintf("%.0f ms", max(seconds*1000, 1))
	}
	return fmt.Sprintf("%.1f s", seconds)
}

func (s Staleness) sentence() string {
	text := "never stale"
	switch {
	case s.Unsettled:
		text = fmt.Sprintf("old row served for more than %.0f s", observeLimit.Seconds())
	case s.Reads > 0:
		text = "old row served for " + span(s.Seconds)
	}
	if s.Failures > 0 {
		text += fmt.Sprintf(", %s without a row", plural(s.Failures, "read"))
	}
	return text
}
