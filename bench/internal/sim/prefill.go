package sim

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/workload"
	"github.com/cacheaside/resilience/cacheaside"
)

// prefill puts into the store what it holds when the warm-up begins, for the plain contenders or for those on this library.
func (s *server) prefill(library bool) {
	if s.setup.Prefill == Empty {
		return
	}
	now := time.Now()
	for key := range uint64(s.setup.Keys.Keys()) {
		absent := s.setup.Absent != nil && s.setup.Absent(key)
		loaded := s.loadedAt(now, key, absent)
		row := contender.Row{}
		if !absent {
			row = contender.Row{Version: 1, ReadAt: loaded.UnixMicro()}
		}
		if library {
			s.keepPrefilled(key, cacheaside.Entry[contender.Row]{Negative: absent, Value: row, LoadedAt: loaded})
		} else {
			s.set(key, contender.Entry{Row: row, Cost: s.setup.Source.Mean, ExpiresAt: loaded.Add(s.life(absent))})
		}
	}
}

// keepPrefilled records an entry of the past. What would have expired by now is refused, as it should be.
func (s *server) keepPrefilled(key uint64, entry cacheaside.Entry[contender.Row]) {
	if s.current().Record(context.Background(), key, entry, cacheaside.Condition{}).Certainty == cacheaside.RecordApplied {
		s.keep(written{key: key, kind: recorded, value: entry})
	}
}

func (s *server) life(absent bool) time.Duration {
	if absent {
		return s.setup.TTL.Negative
	}
	return s.setup.TTL.Soft
}

// loadedAt is when a key was loaded last. In the long run a key is loaded, lives for its TTL, and is loaded again by the next request for it, which
// comes after an exponential time; now is anywhere in that cycle.
func (s *server) loadedAt(now time.Time, key uint64, absent bool) time.Time {
	u := workload.Uniform(s.setup.Seed, workload.Prefill, key)
	if s.setup.Prefill == AllAtOnce {
		return now.Add(s.setup.WarmUp - time.Duration(u*float64(time.Second)))
	}
	rate := s.setup.Rate * s.setup.Keys.Share(key)
	gap := workload.Exponential(workload.Uniform(s.setup.Seed, workload.Dice, key)) / rate
	cycle := s.life(absent).Seconds() + gap
	return now.Add(-time.Duration(u * cycle * float64(time.Second)))
}
