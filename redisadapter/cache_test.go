package redisadapter_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestARecordedValueIsFreshThenStaleThenExpired(t *testing.T) {
	_, client := started(t)
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	c := open(t, client, cfg)
	ctx := context.Background()

	wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupMiss)
	start := mock.Now()
	out := mustApply(t, c.Record(ctx, "k", cacheaside.Entry[string]{Value: "v1", Revision: "r1"}, ifAbsent))
	if !out.SoftExpiresAt.Equal(start.Add(10*time.Second)) || !out.HardExpiresAt.Equal(start.Add(time.Minute)) {
		t.Fatalf("expiries %v %v", out.SoftExpiresAt, out.HardExpiresAt)
	}
	mock.Set(start.Add(10*time.Second - time.Nanosecond))
	got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupFresh)
	if got.Value != "v1" || got.Revision != "r1" || !got.SoftExpiresAt.Equal(out.SoftExpiresAt) || !got.HardExpiresAt.Equal(out.HardExpiresAt) {
		t.Fatalf("lookup %+v", got)
	}
	mock.Set(start.Add(10 * time.Second))
	stale := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale)
	if stale.Value != "v1" || stale.Observation == "" {
		t.Fatalf("lookup %+v", stale)
	}
	wantOutcome(t, c.Record(ctx, "k", value("v2"), ifAbsent), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
	mustApply(t, c.Record(ctx, "k", value("v2"), ifObserved(stale.Observation)))
	wantOutcome(t, c.Record(ctx, "k", value("v3"), ifObserved(stale.Observation)), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
	mock.Add(time.Minute)
	expired := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupMiss)
	if expired.Miss != cacheaside.MissExpired || expired.Observation == "" {
		t.Fatalf("lookup %+v", expired)
	}
	mustApply(t, c.Record(ctx, "k", value("v4"), ifObserved(expired.Observation)))
	if got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupFresh); got.Value != "v4" {
		t.Fatalf("value %q", got.Value)
	}
}

func TestALargeObservedReplaceGoesThroughAStagingKey(t *testing.T) {
	_, client := started(t)
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	c := open(t, client, cfg)
	ctx := context.Background()
	mustApply(t, c.Record(ctx, "k", value("v1"), ifAbsent))
	mock.Add(10 * time.Second)
	stale := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale)
	large := strings.Repeat("x", 100<<10)
	mustApply(t, c.Record(ctx, "k", value(large), ifObserved(stale.Observation)))
	if got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupFresh); got.Value != large {
		t.Fatalf("value of %d bytes", len(got.Value))
	}
	ttl, err := client.PTTL(ctx, onlyKey(t, client)).Result()
	if err != nil || ttl > time.Minute || ttl < 59*time.Second {
		t.Fatalf("PTTL %v, %v", ttl, err)
	}
	wantOutcome(t, c.Record(ctx, "k", value(large), ifObserved(stale.Observation)), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
	onlyKey(t, client) // the staged value is gone
}

func TestATombstoneReadsAsAMissAndRefusesFillsThatBeganBefore(t *testing.T) {
	_, client := started(t)
	c := open(t, client, patient(base()))
	ctx := context.Background()
	mustApply(t, c.Record(ctx, "k", value("v1"), ifAbsent))
	mustApply(t, c.Invalidate(ctx, "k"))
	wantOutcome(t, c.Record(ctx, "k", value("old"), ifAbsent), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
	got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupMiss)
	if got.Miss != cacheaside.MissInvalidated {
		t.Fatalf("miss %v", got.Miss)
	}
	mustApply(t, c.Record(ctx, "k", value("v2"), ifObserved(got.Observation)))
	if got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupFresh); got.Value != "v2" {
		t.Fatalf("value %q", got.Value)
	}
}
