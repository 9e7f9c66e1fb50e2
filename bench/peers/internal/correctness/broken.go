package correctness

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// BrokenObservation is what became of the callers of a loader that did not return, and of the key.
type BrokenObservation struct {
	Callers Tally  `json:"callers"`
	Load    Load   `json:"load"`
	Usable  bool   `json:"usable"` // a later read brought the source's new row
	After   string `json:"after"`  // how the last of the later reads ended, if none did
}

func measurePanic(ctx context.Context, s *stage) (BrokenObservation, error) {
	return measureBroken(ctx, s, func() { panic("the loader panics") })
}

func measureGoexit(ctx context.Context, s *stage) (BrokenObservation, error) {
	return measureBroken(ctx, s, runtime.Goexit)
}

// measureBroken lets 21 callers wait for a load of a cold key that then does what no load should, and reads the key once more.
func measureBroken(ctx context.Context, s *stage, end func()) (o BrokenObservation, err error) {
	open := make(chan struct{})
	source := newSource(brokenAfter(open, end))
	reader, err := s.open(source, longTTL())
	if err != nil {
		return o, err
	}
	callers := gather(ctx, waiters+1, callerDeadline, asks(reader, source, always(s.first)))
	if err := begun(ctx, source); err != nil {
		return o, err
	}
	if err := settle(ctx); err != nil {
		return o, err
	}
	close(open)
	o = BrokenObservation{Callers: callers.tally(patience), Load: source.count()}
	return o, o.look(ctx, s, reader, source)
}

// measurePanicRefresh is the same for a value past its soft expiry, which some libraries refresh where no caller waits.
func measurePanicRefresh(ctx context.Context, s *stage) (o BrokenObservation, err error) {
	source := newSource(rowAfter(time.Millisecond, oldVersion))
	reader, err := s.open(source, expiringTTL())
	if err != nil {
		return o, err
	}
	if err := warm(ctx, reader, s.first); err != nil {
		return o, err
	}
	if err := wait(ctx, expired); err != nil {
		return o, err
	}
	open := make(chan struct{})
	source.become(brokenAfter(open, func() { panic("the refresh panics") }))
	source.restart()
	callers := gather(ctx, waiters+1, callerDeadline, asks(reader, source, always(s.first)))
	if err := settle(ctx); err != nil {
		return o, err
	}
	close(open)
	o = BrokenObservation{Callers: callers.tally(patience)}
	// A panic that nobody recovers ends the process here.
	if err := settle(ctx); err != nil {
		return o, err
	}
	o.Load = source.count()
	return o, o.look(ctx, s, reader, source)
}

// measureHung has loads that never return, whatever their context says, begin; and asks again when every limit of a library should be over.
func measureHung(ctx context.Context, s *stage) (o BrokenObservation, err error) {
	never := make(chan struct{})
	defer close(never)
	source := newSource(brokenAfter(never, func() {}))
	reader, err := s.open(source, longTTL())
	if err != nil {
		return o, err
	}
	callers := gather(ctx, waiters+1, hungDeadline, asks(reader, source, always(s.first)))
	o = BrokenObservation{Callers: callers.tally(hungPatience)}
	if err := wait(ctx, time.Until(callers.started.Add(hungPatience))); err != nil {
		return o, err
	}
	o.Load = source.count()
	return o, o.look(ctx, s, reader, source)
}

const (
	hungDeadline = 500 * time.Millisecond
	hungPatience = 2500 * time.Millisecond
)

// brokenAfter is a load that ends badly, without a look at its context.
func brokenAfter(open <-chan struct{}, end func()) answerer {
	return func(context.Context, uint64) (contender.Row, error) {
		<-open
		end()
		return contender.Row{}, contender.ErrSource
	}
}

// look reads the key until a read brings the new row of a source that is whole again, each time as one caller, for as long as one has patience.
func (o *BrokenObservation) look(ctx context.Context, s *stage, reader contender.Reader, source *source) error {
	source.become(rowAfter(time.Millisecond, newVersion))
	for began := time.Now(); time.Since(began) < callerDeadline; {
		next := gather(ctx, 1, callerDeadline, asks(reader, source, always(s.first))).tally(patience)
		if next.Values == 1 {
			o.Usable = true
			return nil
		}
		o.After = next.rest()
		if next.Stale == 1 {
			o.After = "the stale value"
		}
		if err := wait(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func judgeBroken(o BrokenObservation) string {
	var parts []string
	if o.Callers.NotBack == 0 && o.Callers.Others["timed out"] == 0 {
		parts = append(parts, "nobody hangs")
	}
	if rest := o.Callers.rest(); rest != "" {
		parts = append(parts, rest)
	}
	if o.Callers.Values > 0 {
		parts = append(parts, fmt.Sprintf("%d got a value", o.Callers.Values))
	}
	if o.Callers.Stale > 0 {
		parts = append(parts, fmt.Sprintf("%d got the stale value", o.Callers.Stale))
	}
	parts = append(parts, plural(o.Load.Calls, "load"))
	if o.Usable {
		parts = append(parts, "key usable afterwards")
	} else {
		parts = append(parts, "key unusable afterwards: "+o.After)
	}
	return "process lives; " + strings.Join(parts, "; ")
}
