package main

import (
	"database/sql"
	"errors"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/examples/internal/countries"
)

// newRegion puts the policy between the readers of countries and their repository.
func newRegion(cache cacheaside.Cache[string, countries.Country], time clock.Clock) (*cacheaside.Region[string, countries.Country], error) {
	policy := cacheaside.BalancedPolicy()
	policy.SourceConcurrency = 1 // SQLite has one file; a service would allow what its database bears
	policy.MaxOverduePerKey = 1
	policy.AdmissionWait = 0 // refuse at once rather than queue, so that the story shows it
	return cacheaside.NewRegion(cacheaside.RegionConfig[string, countries.Country]{
		Name:      "country",
		Cache:     cache,
		Policy:    policy,
		AbsentErr: sql.ErrNoRows, // callers that ask errors.Is(err, sql.ErrNoRows) go on doing so
		Clock:     time,          // a service leaves it nil
	})
}

// rules say what the repository's errors mean. Whatever they do not name is never cached and never answered by a stale value.
var rules = cacheaside.Rules[countries.Country]{
	Absent:    func(err error) bool { return errors.Is(err, sql.ErrNoRows) },
	Transient: countries.IsBusy,
}
