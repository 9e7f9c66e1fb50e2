package sim

import (
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
		loaded := s.loadedAt(now, key, absent, library)
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
	if s.put(key, entry, "") {
		s.keep(written{key: key, kind: recorded, value: entry})
	}
}

func (s *server) life(absent bool) time.Duration {
	if absent {
		return s.setup.TTL.Negative
	}
	return s.setup.TTL.Soft
}

// loadedAt is when a key was loaded last. In the long run a key is loaded, lives for its life, and is loaded again by the next request for it. Now is
// in the life for its part of the whole on average, anywhere in it, or else after it; and since requests have no memory, the time that has passed
// since the life's end is as long as one still has to wait for the next.
func (s *server) loadedAt(now time.Time, key uint64, absent, library bool) time.Time {
	pcg := workload.AtValue(s.setup.Seed, workload.Prefill, key)
	draw := func() float64 { return float64(pcg.Uint64()>>11) / (1 << 53) }
	if s.setup.Prefill == AllAtOnce {
		return now.Add(-time.Duration(draw() * float64(time.Second)))
	}
	life := s.life(absent).Seconds()
	if library {
		life *= s.factor(key, absent)
	}
	wait := 1 / (s.setup.Rate * s.setup.Keys.Share(key))
	age := draw() * life
	if draw()*(life+wait) >= life {
		age = life + workload.Exponential(draw())*wait
	}
	return now.Add(-time.Duration(min(age, longAgo.Seconds()) * float64(time.Second)))
}

// longAgo is more than anything lives.
const longAgo = 365 * 24 * time.Hour
