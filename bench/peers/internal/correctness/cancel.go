package correctness

import (
	"context"
	"fmt"
	"time"
)

const (
	waiters        = 20
	callerDeadline = 2 * time.Second
	patience       = 3 * time.Second
)

// CancelObservation is what the callers behind a cancelled one got.
type CancelObservation struct {
	Waiters Tally `json:"waiters"`
	Load    Load  `json:"load"`
}

// measureCancel has one caller begin a load of 400 ms, 20 join it, and the first leave. The source gives up when its context does.
func measureCancel(ctx context.Context, s *stage) (CancelObservation, error) {
	source := newSource(rowAfter(400*time.Millisecond, 1))
	reader, err := s.open(source, longTTL())
	if err != nil {
		return CancelObservation{}, err
	}
	get := asks(reader, source, always(s.first))
	firstCtx, leave := context.WithCancel(ctx)
	defer leave()
	first := gather(firstCtx, 1, callerDeadline, get)
	if err := begun(ctx, source); err != nil {
		return CancelObservation{}, err
	}
	others := gather(ctx, waiters, callerDeadline, get)
	if err := settle(ctx); err != nil {
		return CancelObservation{}, err
	}
	leave()
	observation := CancelObservation{Waiters: others.tally(patience)}
	first.tally(patience)
	observation.Load = source.count()
	return observation, nil
}

// begun waits for a load to begin.
func begun(ctx context.Context, s *source) error {
	select {
	case <-s.begun:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(patience):
		return fmt.Errorf("no load began within %s", patience)
	}
}

func judgeCancel(o CancelObservation) string {
	return fmt.Sprintf("%s, %s", o.Waiters.sentence(), plural(o.Load.Calls, "load"))
}
