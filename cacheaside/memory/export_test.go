package memory

import "github.com/cacheaside/resilience/cacheaside"

// Observations gives both observations of one write.
func Observations(number uint64) (exactly, orGone cacheaside.Observation) {
	v := newVersion(number)
	return v.exactly(), v.orGone()
}

// Refuses decides as a record does over the write of that number, which may be there or not.
func Refuses(seen cacheaside.Observation, number uint64, present, expired bool) cacheaside.RecordReason {
	required := requirementOf(cacheaside.Condition{Observation: seen})
	if !present {
		return required.refuses("", false, expired)
	}
	return required.refuses(newVersion(number), true, expired)
}

// Spread tells how many entries each shard holds.
func Spread[K comparable, V any](c *Cache[K, V]) []int {
	var held []int
	for _, s := range c.shards {
		s.mu.Lock()
		held = append(held, len(s.nodes))
		s.mu.Unlock()
	}
	return held
}
