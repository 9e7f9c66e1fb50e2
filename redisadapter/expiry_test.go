package redisadapter_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/envelope"
	"github.com/cacheaside/resilience/jitter"
	"github.com/cacheaside/resilience/redisadapter"
)

// slack is how much of an entry's life may pass between its record and the question how much is left.
const slack = 500 * time.Millisecond

func wantPTTL(t testing.TB, client redis.Cmdable, key string, want time.Duration) {
	t.Helper()
	got, err := client.PTTL(context.Background(), key).Result()
	if err != nil || got > want || got < want-slack {
		t.Fatalf("PTTL %v, %v; want %v", got, err, want)
	}
}

func TestTheServersExpiryIsTheEncodedOneForEveryKindOfWrite(t *testing.T) {
	_, client := started(t)
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	c := open(t, client, cfg)
	ctx := context.Background()
	large := string(make([]byte, 100<<10))

	wantOnPTTL := func(out cacheaside.RecordOutcome) {
		t.Helper()
		mustApply(t, out)
		wantPTTL(t, client, onlyKey(t, client), out.HardExpiresAt.Sub(mock.Now()))
	}
	stale := func() cacheaside.Condition {
		t.Helper()
		mock.Add(10 * time.Second)
		return ifObserved(wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale).Observation)
	}
	wantOnPTTL(c.Record(ctx, "k", value("absent"), ifAbsent))
	wantOnPTTL(c.Record(ctx, "k", value("replaced"), stale()))
	wantOnPTTL(c.Record(ctx, "k", value(large), stale()))
	wantOnPTTL(c.Record(ctx, "k", cacheaside.Entry[string]{Negative: true}, stale()))
	wantOnPTTL(c.Invalidate(ctx, "k"))
	wantPTTL(t, client, onlyKey(t, client), redisadapter.DefaultTombstoneTTL)
	tombstone := ifObserved(c.Lookup(ctx, "k").Observation)
	wantOnPTTL(c.Record(ctx, "k", value(large), tombstone))
	client.FlushAll(ctx)
	wantOnPTTL(c.Record(ctx, "k", value(large), tombstone)) // gone is as good
	client.FlushAll(ctx)
	wantOnPTTL(c.Record(ctx, "k", value("gone"), tombstone))
}

func TestC44_AReplacedEntryHasItsFullLifeAgain(t *testing.T) {
	_, client := started(t)
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	c := open(t, client, cfg)
	ctx := context.Background()
	mustApply(t, c.Record(ctx, "k", value("v1"), ifAbsent))
	mock.Add(15 * time.Second)
	stale := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale)
	at := mock.Now()
	out := mustApply(t, c.Record(ctx, "k", value("v2"), ifObserved(stale.Observation)))
	if !out.SoftExpiresAt.Equal(at.Add(10*time.Second)) || !out.HardExpiresAt.Equal(at.Add(time.Minute)) {
		t.Errorf("expiries %v, %v", out.SoftExpiresAt, out.HardExpiresAt)
	}
	wantPTTL(t, client, onlyKey(t, client), time.Minute)
	mock.Add(9900 * time.Millisecond)
	if got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupFresh); got.Value != "v2" {
		t.Errorf("value %q", got.Value)
	}
}

func TestC50_TheServerKeepsAnEntryForItsHardLifeAndNotForItsSoftOne(t *testing.T) {
	_, client := started(t)
	cfg := patient(base())
	cfg.TTL.Soft, cfg.TTL.Hard = time.Second, 5*time.Second
	mock := mockNow()
	cfg.Clock = mock
	c := open(t, client, cfg)
	mustApply(t, c.Record(context.Background(), "k", value("v"), ifAbsent))
	wantPTTL(t, client, onlyKey(t, client), 5*time.Second)
	mock.Add(2 * time.Second)
	wantKind(t, c.Lookup(context.Background(), "k"), cacheaside.LookupStale)
}

func TestC60_LivesAreFlooredToMillisecondsAndSentAsSuch(t *testing.T) {
	_, client := started(t)
	lines := capturedLog()
	for _, row := range []struct {
		hard, want time.Duration
		ratio      float64
	}{
		{1500 * time.Millisecond, 1500 * time.Millisecond, 0},
		{time.Second + 1, time.Second, 0},
		{1999999 * time.Microsecond, 1999 * time.Millisecond, 0},
	} {
		client.FlushAll(context.Background())
		cfg := patient(base())
		mock := mockNow()
		mock.Add(700 * time.Microsecond) // a clock is not at a whole millisecond as a rule
		cfg.Clock, cfg.TTL.Soft, cfg.TTL.Hard, cfg.TTL.MinHard, cfg.TTL.JitterRatio = mock, time.Second, row.hard, 0, row.ratio
		c := open(t, client, cfg)
		out := mustApply(t, c.Record(context.Background(), "k", value("v"), ifAbsent))
		whole := mock.Now().Truncate(time.Millisecond)
		if got := out.HardExpiresAt.Sub(whole); got != row.want {
			t.Errorf("hard %v: encoded life %v, want %v", row.hard, got, row.want)
		}
		wantPTTL(t, client, onlyKey(t, client), row.want)
	}
	cfg := base()
	cfg.TTL.Hard = 999 * time.Microsecond
	wantFault(t, newErr(client, cfg), "TTL.Hard")
	if got := lines.matching("truncat"); len(got) != 0 {
		t.Errorf("the client logs %q", got)
	}
}

func TestC60_AnEntryWhoseLifeEndsBeforeItIsSentIsNeverSent(t *testing.T) {
	server, client := started(t)
	seen := server.Monitor()
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock = mock
	c := open(t, client, cfg)
	out := c.Record(context.Background(), "k", cacheaside.Entry[string]{Value: "late", LoadedAt: mock.Now().Add(-time.Minute)}, ifAbsent)
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
	var failure *redisadapter.StoreError
	if !errors.As(out.Err, &failure) || failure.Fault != redisadapter.FaultExpired {
		t.Errorf("error %v", out.Err)
	}
	if n := seen.Count("SET"); n != 0 {
		t.Errorf("%d SET", n)
	}
	// A millisecond of life is worth a command.
	out = c.Record(context.Background(), "k", cacheaside.Entry[string]{Value: "late", LoadedAt: mock.Now().Add(time.Millisecond - time.Minute)}, ifAbsent)
	mustApply(t, out)
	if n := seen.Count("SET"); n != 1 {
		t.Errorf("%d SET", n)
	}
}

func TestC61_AThousandJitteredLivesLieWithinTheirBounds(t *testing.T) {
	_, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock, cfg.TTL.Hard, cfg.TTL.Soft, cfg.TTL.JitterRatio = mock, 20*day, 20*day, 0.5
	c := open(t, client, cfg)
	ctx := context.Background()
	lives := map[time.Duration]bool{}
	for i := range 1000 {
		out := mustApply(t, c.Record(ctx, strconv.Itoa(i), value("v"), ifAbsent))
		life := out.HardExpiresAt.Sub(mock.Now())
		if out.SoftExpiresAt.After(out.HardExpiresAt) || !out.SoftExpiresAt.After(mock.Now()) || life < 10*day || life > 30*day {
			t.Fatalf("key %d: soft %v, hard %v", i, out.SoftExpiresAt, out.HardExpiresAt)
		}
		lives[life] = true
		wantKind(t, c.Lookup(ctx, strconv.Itoa(i)), cacheaside.LookupFresh)
	}
	if len(lives) < 990 {
		t.Errorf("%d different lives", len(lives))
	}
	ttl, err := client.PTTL(ctx, client.RandomKey(ctx).Val()).Result()
	if err != nil || ttl <= 0 || ttl > 30*day {
		t.Errorf("PTTL %v, %v", ttl, err)
	}
}

func TestC61_AClockBeyondTheFormatIsATypedErrorAtRecord(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	for _, row := range []struct {
		now time.Time
		ok  bool
	}{
		{time.Date(2262, 4, 11, 23, 0, 0, 0, time.UTC), true},
		{time.Date(9999, 12, 31, 23, 58, 0, 0, time.UTC), true},
		{time.Date(9999, 12, 31, 23, 59, 30, 0, time.UTC), false},
		{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), false},
		{time.Unix(math.MaxInt32, 0), true},
	} {
		client.FlushAll(ctx)
		mock := clock.NewMock()
		mock.Set(row.now)
		cfg := patient(base())
		cfg.Clock = mock
		c := open(t, client, cfg)
		out := c.Record(ctx, "k", value("v"), ifAbsent)
		if row.ok {
			mustApply(t, out)
			wantPTTL(t, client, onlyKey(t, client), time.Minute)
			wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupFresh)
			continue
		}
		wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordEncodeFailed)
		var fault *envelope.FieldError
		if !errors.As(out.Err, &fault) {
			t.Errorf("%v: %v", row.now, out.Err)
		}
	}
}

func TestC66_FreshnessIsExactAtEveryEpoch(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	for _, start := range []time.Time{
		time.Unix(0, 0), time.UnixMilli(1), time.Date(2038, 1, 19, 3, 14, 8, 0, time.UTC), time.Date(2106, 2, 7, 6, 28, 16, 0, time.UTC),
	} {
		client.FlushAll(ctx)
		mock := clock.NewMock()
		mock.Set(start)
		cfg := patient(base())
		cfg.Clock = mock
		c := open(t, client, cfg)
		mustApply(t, c.Record(ctx, "k", value("v"), ifAbsent))
		for _, at := range []struct {
			after time.Duration
			want  cacheaside.LookupKind
		}{
			{10*time.Second - time.Millisecond, cacheaside.LookupFresh},
			{10 * time.Second, cacheaside.LookupStale},
			{time.Minute - time.Millisecond, cacheaside.LookupStale},
			{time.Minute, cacheaside.LookupMiss},
		} {
			mock.Set(start.Add(at.after))
			wantKind(t, c.Lookup(ctx, "k"), at.want)
		}
	}
	mock := clock.NewMock()
	mock.Set(time.Unix(-3600, 0))
	cfg := patient(base())
	cfg.Clock = mock
	out := open(t, client, cfg).Record(ctx, "before 1970", value("v"), ifAbsent)
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordEncodeFailed)
}

func TestC63_WhatAClockThatRanAheadWroteIsNeitherImmortalNorBelieved(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	ahead, now := mockNow(), mockNow()
	ahead.Add(40 * day)
	cfg := patient(base())
	cfg.Clock = ahead
	writer := open(t, client, cfg)
	cfg.Clock = now
	reader := open(t, client, cfg)
	mustApply(t, writer.Record(ctx, "k", value("v"), ifAbsent))
	key := onlyKey(t, client)
	wantPTTL(t, client, key, time.Minute) // whatever the clocks say
	wantEntry(t, reader.Lookup(ctx, "k"), cacheaside.EntryCorrupt)

	millis := func(d time.Duration) uint64 { return uint64(now.Now().Add(d).UnixMilli()) }
	limit := jitter.MaxTTL + redisadapter.DefaultMaxClockSkew
	for name, row := range map[string]struct {
		soft, hard uint64
		corrupt    bool
	}{
		"at the limit":       {millis(0), millis(limit), false},
		"past the limit":     {millis(0), millis(limit + time.Millisecond), true},
		"ten years":          {millis(0), millis(3652 * day), true},
		"soft after hard":    {millis(time.Minute), millis(time.Second), true},
		"the largest number": {millis(0), math.MaxInt64, true},
		"and beyond":         {millis(0), math.MaxUint64, true},
	} {
		body := append([]byte("CA\x02\x01writeid."), binary.BigEndian.AppendUint64(nil, row.hard)...)
		body = binary.BigEndian.AppendUint64(body, row.soft)
		body = append(body, 0, 0, 0, 0, 0)
		put(t, client, key, string(redisadapter.Seal(cfg, key, body)))
		got := reader.Lookup(ctx, "k")
		if corrupt := got.Kind == cacheaside.LookupUnusable && got.Entry == cacheaside.EntryCorrupt; corrupt != row.corrupt {
			t.Errorf("%s: %v %v", name, got.Kind, got.Entry)
		}
	}
}
