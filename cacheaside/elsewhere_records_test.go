package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/cacheaside/resilience/cacheaside"
)

// TestLoadsThatOnlyWaitForTheirRecordsDoNotRefuseTheCallersOfALaterTombstone has a store that reads well and writes slowly: the loaders have returned,
// so the source has room for the load that every tombstone calls for.
func TestLoadsThatOnlyWaitForTheirRecordsDoNotRefuseTheCallersOfALaterTombstone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newInvalidatedElsewhere()
		written := make(chan struct{})
		cache.record = func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
			<-written
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.SourceConcurrency, p.MaxOverduePerKey = 1, 1 }))
		var callers []<-chan outcome
		for n := range 5 {
			cache.invalidate(string(rune('a' + n)))
			callers = append(callers, goGet(context.Background(), region, "key", returning(cacheaside.Loaded("v", ""))))
			synctest.Wait()
		}
		close(written)
		for _, caller := range callers {
			wantValue(t, <-caller, cacheaside.StatusLoaded, "v")
		}
		wantAtRest(t, region, 1)
	})
}
