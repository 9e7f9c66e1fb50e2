package faults_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// TestWhateverTheFaultThreeInARowAreTheLastThatAreSentUntilAProbeIsAnswered keeps each fault up until the breaker opens.
func TestWhateverTheFaultThreeInARowAreTheLastThatAreSentUntilAProbeIsAnswered(t *testing.T) {
	t.Parallel()
	admin := redistest.Start(t, redistest.Options{}).Client()
	together(t, faults(), func(f fault) string { return string(f) }, func(t *testing.T, f fault) {
		row := rowOf(t, f, lookup)
		p := newPlace(t, admin, row.limit())
		client := newClient(t, "recommended", p.proxy.Addr())
		tested := open(t, client, p.config)
		row.prepare(t, p, client)
		ctx := context.Background()
		lasting := f.on(row.operation.command())
		lasting.Times = 0
		p.proxy.Inject(lasting)
		for i := range 3 {
			found := tested.Lookup(ctx, key)
			if found.Kind != cacheaside.LookupUnavailable || errors.Is(found.Err, redisadapter.ErrBreakerOpen) {
				t.Errorf("lookup %d: %v %v", i+1, found.Kind, found.Err)
			}
		}
		before, begun := p.seen(t), time.Now()
		if found := tested.Lookup(ctx, key); !errors.Is(found.Err, redisadapter.ErrBreakerOpen) {
			t.Errorf("lookup 4: %v %v", found.Kind, found.Err)
		}
		if out := tested.Invalidate(ctx, key); out.Reason != cacheaside.RecordNeverSent || !errors.Is(out.Err, redisadapter.ErrBreakerOpen) {
			t.Errorf("invalidate: %v %v %v", out.Certainty, out.Reason, out.Err)
		}
		// A probe comes a second after the third failure: what a machine was too busy for shows nothing.
		if took := time.Since(begun); took < 500*time.Millisecond {
			if now := p.seen(t); now != before {
				t.Errorf("sent %v with the breaker open", now.since(before))
			}
		}
		p.proxy.Heal()
		eventually(t, "the breaker is closed", func() bool {
			return !errors.Is(tested.Lookup(ctx, key).Err, redisadapter.ErrBreakerOpen)
		})
		row.checkRecovery(t, p, p.next(t, client))
		row.checkPool(t, client)
	})
}
