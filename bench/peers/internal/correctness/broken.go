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
	After   string `json:"after"` // how the next read of the key ended
	Usable  bool   `json:"usable"`
}

func measurePanic(ctx context.Context, s *stage) (BrokenObservation, error) {
	return measureBroken(ctx, s, func() { panic("the loader panics") })
}

func measureGoexit(ctx context.Context, s *stage) (BrokenObservation, error) {
	return measureBroken(ctx, s, runtime.Goexit)
}

// measureBroken lets 21 callers wait for a load that then does what no load should, and reads the key once more.
func measureBroken(ctx context.Context, s *stage, end func()) (BrokenObservation, error) {
	open := make(chan struct{})
	source := newSource(func(context.Context, uint64) (contender.Row, error) {
		<-open
		end()
		return contender.Row{}, contender.ErrSource
	})
	reader, err := s.open(source, longTTL())
	if err != nil {
		return BrokenObservation{}, err
	}
	get := asks(reader, source, always(s.first))
	callers := gather(ctx, waiters+1, callerDeadline, get)
	if err := begun(ctx, source); err != nil {
		return BrokenObservation{}, err
	}
	if err := settle(ctx); err != nil {
		return BrokenObservation{}, err
	}
	close(open)
	observation := BrokenObservation{Callers: callers.tally(patience), Load: source.count()}
	source.become(rowAfter(time.Millisecond, 1))
	next := gather(ctx, 1, callerDeadline, get).tally(patience)
	observation.Usable = next.Values == 1
	observation.After = next.rest()
	return observation, nil
}

func judgeBroken(o BrokenObservation) string {
	var parts []string
	if o.Callers.NotBack == 0 && o.Callers.Others["timed out"] == 0 {
		parts = append(parts, "nobody hangs")
	}
	parts = append(parts, o.Callers.rest())
	if o.Callers.Values > 0 {
		parts = append(parts, fmt.Sprintf("%d got a value", o.Callers.Values))
	}
	parts = append(parts, plural(o.Load.Calls, "load"))
	if o.Usable {
		parts = append(parts, "key usable afterwards")
	} else {
		parts = append(parts, "key unusable afterwards: "+o.After)
	}
	return "process lives; " + strings.Join(parts, "; ")
}
