package redisadapter_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
)

// onClock is a region on a mock clock over a real server.
func onClock(t testing.TB, change ...func(*cacheaside.RegionConfig[string, string])) (*cacheaside.Region[string, string], *clock.Mock, *redis.Client) {
	t.Helper()
	_, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock = mock
	return region(t, client, cfg, change...), mock, client
}

func TestC40_StaleIsServedToTheMillisecondBeforeTheHardExpiryAndNeverAfter(t *testing.T) {
	r, mock, client := onClock(t)
	begun := mock.Now()
	read(t, r, "key", newSource(loads("old")).load, cacheaside.StatusLoaded, "old")
	physical := onlyKey(t, client)
	raw := bytesAt(t, client, physical)
	client.Persist(context.Background(), physical) // the server would drop it; the reader must not need that
	failing := newSource(fails())
	for _, row := range []struct {
		at     time.Duration
		status cacheaside.Status
		value  string
	}{
		{9999 * time.Millisecond, cacheaside.StatusFresh, "old"},
		{10 * time.Second, cacheaside.StatusStale, "old"},
		{59999 * time.Millisecond, cacheaside.StatusStale, "old"},
		{60 * time.Second, cacheaside.StatusFailed, ""},
		{60001 * time.Millisecond, cacheaside.StatusFailed, ""},
	} {
		mock.Set(begun.Add(row.at))
		result := read(t, r, "key", failing.load, row.status, row.value)
		if row.status == cacheaside.StatusStale && !errors.Is(result.Cause, errSource) {
			t.Errorf("at %v: cause %v", row.at, result.Cause)
		}
	}
	failing.wantCalls(t, 4)
	if bytesAt(t, client, physical) != raw {
		t.Error("a stale answer changed the entry")
	}
}

func TestC42_OnlyATypedTransientFailureIsAnsweredStaleOverRedis(t *testing.T) {
	r, mock, _ := onClock(t)
	read(t, r, "key", newSource(loads("old")).load, cacheaside.StatusLoaded, "old")
	mock.Add(15 * time.Second)
	read(t, r, "key", newSource(fails()).load, cacheaside.StatusStale, "old")
	read(t, r, "key", newSource(cacheaside.PermanentFailure[string]("gone", errSource)).load, cacheaside.StatusFailed, "")
	read(t, r, "key", newSource(cacheaside.Unclassified[string](errors.Join(errSource, &cacheaside.SourceError{Transient: true}))).load, cacheaside.StatusFailed, "")
	read(t, r, "key", newSource(cacheaside.Cancelled[string](context.Canceled)).load, cacheaside.StatusCancelled, "")
}

func TestC43_AbsenceReplacesAStaleValue(t *testing.T) {
	r, mock, client := onClock(t)
	read(t, r, "key", newSource(loads("old")).load, cacheaside.StatusLoaded, "old")
	mock.Add(15 * time.Second)
	result := read(t, r, "key", newSource(cacheaside.AuthoritativeAbsent[string]("deleted", "")).load, cacheaside.StatusAbsent, "")
	if result.Record.Certainty != cacheaside.RecordApplied {
		t.Fatalf("record %+v", result.Record)
	}
	if left := client.PTTL(context.Background(), onlyKey(t, client)).Val(); left > 5*time.Second || left < 4*time.Second {
		t.Fatalf("the recorded absence lives %v, want the negative TTL", left)
	}
	read(t, r, "key", notCalled(t), cacheaside.StatusNegativeHit, "")
	mock.Add(5 * time.Second)
	read(t, r, "key", newSource(loads("back")).load, cacheaside.StatusLoaded, "back")
}

func TestC44_ARefreshHasTheFullLifeOfAnEntry(t *testing.T) {
	r, mock, client := onClock(t)
	read(t, r, "key", newSource(loads("v1")).load, cacheaside.StatusLoaded, "v1")
	mock.Add(15 * time.Second)
	result := read(t, r, "key", newSource(loads("v2")).load, cacheaside.StatusLoaded, "v2")
	if left := client.PTTL(context.Background(), onlyKey(t, client)).Val(); left > time.Minute || left < 58*time.Second {
		t.Fatalf("the refreshed entry lives %v", left)
	}
	if soft, hard := result.SoftExpiresAt.Sub(mock.Now()), result.HardExpiresAt.Sub(mock.Now()); soft != 10*time.Second || hard != time.Minute {
		t.Fatalf("soft in %v, hard in %v", soft, hard)
	}
	mock.Add(9900 * time.Millisecond)
	read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "v2")
}

func TestC45_ALoadThatEndsOnABoundaryIsRecordedWithAFullLife(t *testing.T) {
	for _, took := range []time.Duration{
		9999 * time.Millisecond, 10 * time.Second, 10001 * time.Millisecond, 59999 * time.Millisecond, time.Minute, 60001 * time.Millisecond, 90 * time.Second,
	} {
		t.Run(took.String(), func(t *testing.T) {
			r, mock, client := onClock(t, withPolicy(func(p *cacheaside.Policy) { p.LoadDeadline = time.Hour }))
			read(t, r, "key", newSource(loads("v1")).load, cacheaside.StatusLoaded, "v1")
			mock.Add(10 * time.Second)
			result := read(t, r, "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
				mock.Add(took - 10*time.Second + time.Second)
				return loads("v2")
			}, cacheaside.StatusLoaded, "v2")
			if result.Record.Certainty != cacheaside.RecordApplied {
				t.Fatalf("record %v %v %v", result.Record.Certainty, result.Record.Reason, result.Record.Err)
			}
			left := client.PTTL(context.Background(), onlyKey(t, client)).Val()
			if left <= 0 || left > time.Minute {
				t.Fatalf("lives %v", left)
			}
		})
	}
}

func TestC48_ARefreshIsStoredForEverybody(t *testing.T) {
	_, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock = mock
	r := region(t, client, cfg)
	read(t, r, "key", newSource(loads("v1")).load, cacheaside.StatusLoaded, "v1")
	mock.Add(15 * time.Second)
	read(t, r, "key", newSource(loads("v2")).load, cacheaside.StatusLoaded, "v2")
	read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "v2")
	read(t, region(t, client, cfg), "key", notCalled(t), cacheaside.StatusFresh, "v2")
}

func TestC50_TheServerKeepsAnEntryToItsHardExpiry(t *testing.T) {
	r, mock, client := onClock(t)
	result := read(t, r, "key", newSource(loads("old")).load, cacheaside.StatusLoaded, "old")
	left := client.PTTL(context.Background(), onlyKey(t, client)).Val()
	if encoded := result.HardExpiresAt.Sub(mock.Now()); left > encoded || left < encoded-time.Second {
		t.Fatalf("the server keeps it %v, the entry says %v", left, encoded)
	}
	mock.Add(20 * time.Second)
	read(t, r, "key", newSource(fails()).load, cacheaside.StatusStale, "old")
}

func TestC34_CallersInTheStaleWindowOfAFailingSourceShareOneFlightAtATime(t *testing.T) {
	r, mock, _ := onClock(t, withPolicy(func(p *cacheaside.Policy) { p.FailureBackoff = time.Hour }))
	read(t, r, "key", newSource(loads("old")).load, cacheaside.StatusLoaded, "old")
	mock.Add(15 * time.Second)
	var mu sync.Mutex
	running, peak := 0, 0
	failing := newSource(fails())
	load := func(ctx context.Context, key string) cacheaside.SourceOutcome[string] {
		mu.Lock()
		running++
		peak = max(peak, running)
		mu.Unlock()
		defer func() {
			mu.Lock()
			running--
			mu.Unlock()
		}()
		return failing.load(ctx, key)
	}
	var callers sync.WaitGroup
	for range 20 {
		callers.Go(func() {
			for range 50 {
				result, err := cacheaside.Get(context.Background(), r, "key", load)
				if err != nil || result.Status != cacheaside.StatusStale || result.Value != "old" {
					t.Errorf("got %v %q, %v", result.Status, result.Value, err)
				}
			}
		})
	}
	callers.Wait()
	if peak != 1 || failing.calls.Load() != 1 {
		t.Fatalf("%d loaders at once, %d calls within one backoff", peak, failing.calls.Load())
	}
}

func TestC53_OnlyAuthoritativeAbsenceLeavesAKeyAtTheServer(t *testing.T) {
	r, _, client := onClock(t)
	for _, out := range []cacheaside.SourceOutcome[string]{
		fails(), cacheaside.PermanentFailure[string]("denied", errSource), cacheaside.Cancelled[string](context.Canceled),
		cacheaside.Unclassified[string](context.DeadlineExceeded), {},
	} {
		_, _ = cacheaside.Get(context.Background(), r, "key", newSource(out).load)
		if size := client.DBSize(context.Background()).Val(); size != 0 {
			t.Fatalf("%d keys after %+v", size, out)
		}
	}
	read(t, r, "key", newSource(cacheaside.AuthoritativeAbsent[string]("none", "")).load, cacheaside.StatusAbsent, "")
	if size := client.DBSize(context.Background()).Val(); size != 1 {
		t.Fatalf("%d keys", size)
	}
}
