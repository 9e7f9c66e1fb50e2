package correctness

import (
	"context"
	"fmt"
	"time"
)

// ColdObservation is what a burst over distinct cold keys asks of the source.
type ColdObservation struct {
	Callers Tally `json:"callers"`
	Load    Load  `json:"load"`
}

const (
	coldKeys = 2000
	coldLoad = 100 * time.Millisecond
)

// measureCold asks for many keys at once that nobody has.
func measureCold(ctx context.Context, s *stage) (o ColdObservation, err error) {
	source := newSource(rowAfter(coldLoad, 1))
	reader, err := s.open(source, longTTL())
	if err != nil {
		return o, err
	}
	if err := warm(ctx, reader, s.first); err != nil {
		return o, err
	}
	source.restart()
	callers := gather(ctx, coldKeys, callerDeadline, asks(reader, source, func(caller int) uint64 { return s.first + 1 + uint64(caller) }))
	o.Callers = callers.tally(outagePatience)
	o.Load = source.count()
	return o, nil
}

func judgeCold(o ColdObservation) string {
	text := fmt.Sprintf("at most %s at once, %d in all; %d of %d answered in time",
		plural(o.Load.Peak, "load"), o.Load.Calls, o.Callers.answered(), o.Callers.Callers)
	if rest := o.Callers.rest(); rest != "" {
		text += ", " + rest
	}
	return text
}
