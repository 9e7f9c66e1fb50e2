package correctness

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// StaleObservation is what two waves of callers got of an expired value and a failing source.
type StaleObservation struct {
	First      Tally `json:"first"`
	FirstLoad  Load  `json:"first_load"`
	Second     Tally `json:"second"`
	SecondLoad Load  `json:"second_load"`
}

const (
	staleCallers  = 50
	staleFailure  = 50 * time.Millisecond
	staleDeadline = 500 * time.Millisecond
	betweenWaves  = 100 * time.Millisecond
)

// expired is when a value of expiringTTL is past its soft expiry at every library: one second, and what go-zero rounds and spreads it up to.
const expired = 2300 * time.Millisecond

func expiringTTL() contender.TTL {
	return contender.TTL{Soft: time.Second, Hard: time.Minute, Negative: time.Second}
}

// measureStale sends two waves of callers to a value that has expired and a source that fails.
func measureStale(ctx context.Context, s *stage) (o StaleObservation, err error) {
	source := newSource(rowAfter(time.Millisecond, 1))
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
	source.become(failAfter(staleFailure))
	wave := func() (Tally, Load) {
		source.restart()
		t := gather(ctx, staleCallers, staleDeadline, asks(reader, source, always(s.first))).tally(patience)
		// A refresh in the background outlives the callers that it did not hold up.
		_ = wait(ctx, betweenWaves)
		return t, source.count()
	}
	o.First, o.FirstLoad = wave()
	o.Second, o.SecondLoad = wave()
	return o, ctx.Err()
}

func judgeStale(o StaleObservation) string {
	first := o.First.sentence() + ", " + o.FirstLoad.sentence()
	second := o.Second.sentence() + ", " + o.SecondLoad.sentence()
	if strings.EqualFold(first, second) {
		return "both times " + first
	}
	return fmt.Sprintf("first %s; then %s", first, second)
}
