package memory

import (
	"context"

	"github.com/cacheaside/resilience/cacheaside"
)

// Generations implements [cacheaside.RegionInvalidator]: every cache has them, at no cost.
func (c *Cache[K, V]) Generations() bool { return true }

// InvalidateRegion implements [cacheaside.RegionInvalidator]. It touches no entry: from now on those that are held read as expired, in every region that
// shares the cache, and go as expired ones do. It is not applied only where the context is done.
func (c *Cache[K, V]) InvalidateRegion(ctx context.Context) cacheaside.RecordOutcome {
	if err := ctx.Err(); err != nil {
		return *refused(cacheaside.RecordNeverSent, err)
	}
	c.generation.Add(1)
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}
