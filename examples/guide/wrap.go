package guide

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
	"github.com/cacheaside/resilience/examples/internal/countries"
)

// Country is what the repository reads.
type Country = countries.Country

// Countries is the repository with a cache in front of it: the same methods, and the same errors for what its callers ask about.
type Countries struct {
	source *countries.Repository
	cached cacheaside.Bound[string, Country]
}

// NewCountries wraps source. The cache is of this process, or on Redis.
func NewCountries(source *countries.Repository, cache cacheaside.Cache[string, Country]) (*Countries, error) {
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, Country]{
		Name:      "country",
		Cache:     cache,
		Policy:    cacheaside.BalancedPolicy(),
		AbsentErr: sql.ErrNoRows,
	})
	if err != nil {
		return nil, err
	}
	load := cacheaside.Classify(source.ByAlpha2, cacheaside.Rules[Country]{
		Absent:    func(err error) bool { return errors.Is(err, sql.ErrNoRows) },
		Transient: countries.IsBusy,
	})
	return &Countries{source: source, cached: cacheaside.Bind(region, load)}, nil
}

// ByAlpha2 reads through the cache. As before, errors.Is(err, sql.ErrNoRows) tells that there is no such country.
func (c *Countries) ByAlpha2(ctx context.Context, code string) (Country, error) {
	result, err := c.cached.Get(ctx, code)
	return result.Value, err
}

// Rename writes the source first and invalidates then. An error of the second step means that the old name may be answered until it expires.
func (c *Countries) Rename(ctx context.Context, code, name string) error {
	if err := c.source.Rename(ctx, code, name); err != nil {
		return err
	}
	return c.cached.Invalidate(ctx, code)
}

// NewMemoryCache is a cache of this process for 10,000 countries.
func NewMemoryCache() (cacheaside.Cache[string, Country], error) {
	return memory.New(memory.Config[string, Country]{
		TTL:        memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: 30 * time.Second},
		MaxEntries: 10_000,
	})
}
