package cacheaside_test

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestAnOutageOfTheCacheRunsNoMoreLoadsThanThereArePermits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const permits, keys = 3, 20
		cache := &scripted{lookup: always(unavailable())}
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.SourceConcurrency, p.MaxOverduePerKey = permits, permits }))
		source := newGate(cacheaside.Loaded("value", ""))
		var ended []<-chan outcome
		for i := range keys {
			ended = append(ended, goGet(context.Background(), region, strconv.Itoa(i), source.load))
		}
		synctest.Wait()
		if calls, peak := source.counts(); calls != permits || peak != permits {
			t.Errorf("%d loads begun and %d at once while the cache is down, want %d", calls, peak, permits)
		}
		close(source.open)
		for _, end := range ended {
			wantValue(t, <-end, cacheaside.StatusLoaded, "value")
		}
		if _, peak := source.counts(); peak != permits {
			t.Errorf("%d loads at once, want %d", peak, permits)
		}
	})
}
