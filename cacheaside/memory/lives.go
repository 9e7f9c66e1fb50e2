package memory

import (
	"math"
	"time"
)

// lives are the durations of a cache in milliseconds, as its entries get them.
type lives struct{ soft, hard, negative, minHard, tombstone int64 }

const (
	leastFactor = 0.5
	mostFactor  = 1.5
)

func livesOf(ttl TTL) lives {
	if ttl.Tombstone == 0 {
		ttl.Tombstone = DefaultTombstone
	}
	return lives{
		soft:      ttl.Soft.Milliseconds(),
		hard:      ttl.Hard.Milliseconds(),
		negative:  ttl.Negative.Milliseconds(),
		minHard:   max(ttl.MinHard, minTTL).Milliseconds(),
		tombstone: ttl.Tombstone.Milliseconds(),
	}
}

// positive gives both durations of a value under one factor, which keeps their ratio.
func (l lives) positive(factor float64) (soft, hard int64) {
	hard = l.bounded(l.hard, factor)
	return min(max(stretch(l.soft, factor), 1), hard), hard
}

func (l lives) absence(factor float64) int64 { return l.bounded(l.negative, factor) }

// shortest is the shortest life that an entry gets.
func (l lives) shortest(jittered bool) time.Duration {
	least := min(l.hard, l.negative)
	if jittered {
		least = l.bounded(least, leastFactor)
	}
	return duration(least)
}

func (l lives) bounded(millis int64, factor float64) int64 {
	return min(max(stretch(millis, factor), l.minHard), maxTTL.Milliseconds())
}

func stretch(millis int64, factor float64) int64 {
	if math.IsNaN(factor) {
		factor = 1
	}
	return int64(float64(millis) * min(max(factor, leastFactor), mostFactor))
}

func duration(millis int64) time.Duration { return time.Duration(millis) * time.Millisecond }
