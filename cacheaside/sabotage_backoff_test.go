package cacheaside_test

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestNoMoreFailuresAreRememberedThanKeysMayBeLoadedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const bound, keys = 3, 20
		region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) {
			p.MaxInFlightKeys, p.SourceConcurrency, p.MaxOverduePerKey, p.FailureBackoff = bound, bound, bound, time.Minute
		}))
		source := counted(returning(cacheaside.TransientFailure[string]("down", nil)))
		for range 2 {
			for i := range keys {
				get(context.Background(), region, strconv.Itoa(i), source.call)
			}
		}
		if n := region.Stats().RememberedFailures; n != bound {
			t.Errorf("%d failures are remembered, want %d", n, bound)
		}
		source.want(t, keys+keys-bound)
	})
}
