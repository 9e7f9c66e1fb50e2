package correctness

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// spread is over how many keys callers ask.
type spread int

const (
	one  spread = 1
	many spread = outageCallers
)

const (
	outageCallers  = 200
	outageDeadline = 500 * time.Millisecond
	outagePatience = 4 * time.Second
	outageLoad     = 20 * time.Millisecond // the lab's source, on average
)

// OutageObservation is what callers got without a Redis.
type OutageObservation struct {
	Callers Tally `json:"callers"`
	Load    Load  `json:"load"`
	Keys    int   `json:"keys"`
	NoRedis bool  `json:"no_redis"` // the library uses none
}

// measureOutage takes the Redis away from a reader whose connections are warm, and asks for keys that nobody has.
func measureOutage(what order, keys spread) func(context.Context, *stage) (OutageObservation, error) {
	return func(ctx context.Context, s *stage) (o OutageObservation, err error) {
		source := newSource(rowAfter(outageLoad, 1))
		reader, err := s.open(source, longTTL())
		if err != nil {
			return o, err
		}
		if err := warm(ctx, reader, s.first); err != nil {
			return o, err
		}
		o = OutageObservation{Keys: int(keys), NoRedis: s.peer.InMemory()}
		if !o.NoRedis {
			if err := s.control(what); errors.Is(err, errNoControl) {
				return o, &NotMeasured{"not measured: the Redis is not this run's own"}
			} else if err != nil {
				return o, err
			}
		}
		source.restart()
		callers := gather(ctx, outageCallers, outageDeadline, asks(reader, source, func(caller int) uint64 {
			return s.first + 1 + uint64(caller%int(keys))
		}))
		o.Callers = callers.tally(outagePatience)
		o.Load = source.count()
		return o, nil
	}
}

// warm reads a key and tells if that is not answered.
func warm(ctx context.Context, reader contender.Reader, key uint64) error {
	if answer := read(ctx, reader, key, callerDeadline); !answer.Ending.Answered() {
		return fmt.Errorf("the first read was not answered: %s %s", answer.Ending, answer.Reason)
	}
	return nil
}

func judgeOutage(o OutageObservation) string {
	text := fmt.Sprintf("%d of %d answered in time", o.Callers.answered(), o.Callers.Callers)
	if rest := o.Callers.rest(); rest != "" {
		text += ", " + rest
	}
	text += ", " + o.Load.sentence()
	if over := time.Duration(o.Callers.SlowestMS * float64(time.Millisecond)); over > outageDeadline+scheduling {
		text += fmt.Sprintf(", the last back after %.1f s", over.Seconds())
	}
	if o.NoRedis {
		text = "uses no Redis: " + text
	}
	return text
}

func (l Load) sentence() string {
	if l.Calls < 2 {
		return plural(l.Calls, "load")
	}
	return fmt.Sprintf("%s, at most %d at once", plural(l.Calls, "load"), l.Peak)
}
