package redisadapter_test

import (
	"context"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestAStaleEntryThatIsGoneIsNotFilledByItsObservation(t *testing.T) {
	_, client := started(t)
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	c := open(t, client, cfg)
	ctx := context.Background()
	mustApply(t, c.Record(ctx, "k", value("old"), ifAbsent))
	mock.Add(10 * time.Second)
	seen := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale)
	client.FlushAll(ctx)
	wantOutcome(t, c.Record(ctx, "k", value("new"), ifObserved(seen.Observation)), cacheaside.RecordNotApplied, cacheaside.RecordObservationGone)
	if n := client.DBSize(ctx).Val(); n != 0 {
		t.Errorf("%d entries where one was taken away", n)
	}
}
