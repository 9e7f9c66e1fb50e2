package explore

import (
	"context"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// Row is what the source has for the one key, and which load brought it.
type Row struct {
	Version int
	Load    string // the name of the parked call
}

const (
	rowKey    = "row"
	fillerKey = "filler"
)

// skewedClock is the clock of the bubble, a little off. Its timers are those of the bubble: a skewed clock runs at the right pace.
type skewedClock struct {
	clock.Clock

	skew time.Duration
	set  *timersSet // nil where nobody asks
}

func (c *skewedClock) Now() time.Time                     { return c.Clock.Now().Add(c.skew) }
func (c *skewedClock) Since(then time.Time) time.Duration { return c.Now().Sub(then) }
func (c *skewedClock) Until(then time.Time) time.Duration { return then.Sub(c.Now()) }

// fillStore is the one store of all actors: a [memory.Cache] with room for one entry, whose clock is, at every call, that of the actor that makes
// it. So what is fresh, stale, expired or no longer in the way of a fill is decided on the caller's own clock, the worst that a store may do. Only the
// explorer calls it, one call after the other.
type fillStore struct {
	cache *memory.Cache[string, Row]
	clock *skewedClock
	rule  FillRule

	writes  int // every write has a number of its own, from 1
	current int // the number of what is stored; 0 is nothing
	holds   Row // the row of what is stored, whatever its age; zero for a tombstone and for nothing
	tomb    bool
	soft    time.Time // of what is stored; zero where there is none
	hard    time.Time
	seen    map[cacheaside.Observation]sighting
}

// sighting is what an observation names.
type sighting struct {
	write  int
	orGone bool
}

func newFillStore(cfg FillConfig) (*fillStore, error) {
	turned := &skewedClock{Clock: clock.New()}
	cache, err := memory.New(memory.Config[string, Row]{
		TTL: FillTTL(), MaxEntries: 1, Clock: turned, Fenced: cfg.Fence == FencedRule, OrderedRevisions: cfg.Fence == FencedRule && cfg.Ordered,
	})
	if err != nil {
		return nil, err
	}
	return &fillStore{cache: cache, clock: turned, rule: cfg.Rule, seen: map[cacheaside.Observation]sighting{"": {}}}, nil
}

func (s *fillStore) lookup(skew time.Duration) cacheaside.Lookup[Row] {
	s.clock.skew = skew
	found := s.cache.Lookup(context.Background(), rowKey)
	if found.Observation != "" {
		s.seen[found.Observation] = sighting{write: s.current, orGone: found.Kind == cacheaside.LookupMiss}
	}
	return found
}

func (s *fillStore) record(skew time.Duration, entry cacheaside.Entry[Row], condition cacheaside.Condition) cacheaside.RecordOutcome {
	if s.rule == UnconditionalRule {
		return s.over(skew, entry)
	}
	return s.recordIf(skew, entry, condition)
}

// over records over whatever is stored.
func (s *fillStore) over(skew time.Duration, entry cacheaside.Entry[Row]) cacheaside.RecordOutcome {
	return s.recordIf(skew, entry, cacheaside.Condition{Observation: s.lookup(skew).Observation})
}

func (s *fillStore) recordIf(skew time.Duration, entry cacheaside.Entry[Row], condition cacheaside.Condition) cacheaside.RecordOutcome {
	s.clock.skew = skew
	outcome := s.cache.Record(context.Background(), rowKey, entry, condition)
	if outcome.Certainty == cacheaside.RecordApplied {
		s.wrote(entry.Value, false, outcome)
	}
	return outcome
}

func (s *fillStore) invalidate(skew time.Duration) cacheaside.RecordOutcome {
	if s.rule == PlainDeleteRule {
		s.remove()
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
	}
	s.clock.skew = skew
	outcome := s.cache.Invalidate(context.Background(), rowKey)
	if outcome.Certainty == cacheaside.RecordApplied {
		s.wrote(Row{}, true, outcome)
	}
	return outcome
}

func (s *fillStore) wrote(row Row, tomb bool, outcome cacheaside.RecordOutcome) {
	s.writes++
	s.current, s.holds, s.tomb, s.soft, s.hard = s.writes, row, tomb, outcome.SoftExpiresAt, outcome.HardExpiresAt
}

// remove lets another entry take the only room that there is.
func (s *fillStore) remove() {
	s.cache.Invalidate(context.Background(), fillerKey)
	s.current, s.holds, s.tomb, s.soft, s.hard = 0, Row{}, false, time.Time{}, time.Time{}
}

// old tells whether what is stored is past its hard expiry by a clock that is off by skew.
func (s *fillStore) old(skew time.Duration) bool { return !time.Now().Add(skew).Before(s.hard) }
