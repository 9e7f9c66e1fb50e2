package memory_test

import (
	"math"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

func TestC40_StaleEndsAtTheHardExpiryWhateverWasReadMeanwhile(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.seed("k")
	start := f.clock.Now()
	for _, step := range []struct {
		at   time.Duration
		want cacheaside.LookupKind
	}{
		{9_999 * time.Millisecond, cacheaside.LookupFresh},
		{10_000 * time.Millisecond, cacheaside.LookupStale},
		{59_999 * time.Millisecond, cacheaside.LookupStale},
		{60_000 * time.Millisecond, cacheaside.LookupMiss},
		{60_001 * time.Millisecond, cacheaside.LookupMiss},
	} {
		f.clock.Set(start.Add(step.at))
		found := f.look("k")
		if found.Kind != step.want {
			t.Errorf("after %s it is %s, want %s", step.at, found.Kind, step.want)
		}
		if want := start.Add(ttl.Hard); !found.HardExpiresAt.Equal(want) {
			t.Errorf("after %s the hard expiry is %s, want %s", step.at, found.HardExpiresAt, want)
		}
	}
}

func TestAnEntryPastItsHardExpiryIsToldAsExpiredAndCountsAsGone(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.seed("k")
	f.clock.Add(ttl.Soft)
	stale := f.look("k")
	f.clock.Add(ttl.Hard - ttl.Soft)
	if found := f.look("k"); found.Miss != cacheaside.MissExpired || found.Observation == "" {
		t.Errorf("it is told as %s with the observation %q", found.Miss, found.Observation)
	}
	f.refused(f.record("k", "other", "of another entry"), cacheaside.RecordObservationGone)
	f.applied(f.record("k", "by its observation", stale.Observation))
	f.clock.Add(ttl.Hard)
	f.applied(f.record("k", "only if absent", onlyIfAbsent))
	if found := f.look("k"); found.Kind != cacheaside.LookupFresh || found.Value != "only if absent" {
		t.Errorf("it is %s with %q", found.Kind, found.Value)
	}
}

func TestC60_TimesAreFlooredToMilliseconds(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *memory.Config[string, string]) {
		c.TTL.Soft, c.TTL.Hard, c.TTL.MinHard = 1500*time.Microsecond, 3*time.Millisecond+1, 0
	})
	whole := f.clock.Now()
	f.clock.Add(700 * time.Microsecond)
	outcome := f.record("k", "v", onlyIfAbsent)
	f.applied(outcome)
	soft, hard := whole.Add(time.Millisecond), whole.Add(3*time.Millisecond)
	if !outcome.SoftExpiresAt.Equal(soft) || !outcome.HardExpiresAt.Equal(hard) {
		t.Errorf("the expiries are %s and %s, want %s and %s", outcome.SoftExpiresAt, outcome.HardExpiresAt, soft, hard)
	}
	for _, step := range []struct {
		at   time.Time
		want cacheaside.LookupKind
	}{
		{soft.Add(-1), cacheaside.LookupFresh},
		{soft, cacheaside.LookupStale},
		{hard.Add(-1), cacheaside.LookupStale},
		{hard, cacheaside.LookupMiss},
	} {
		f.clock.Set(step.at)
		if found := f.look("k"); found.Kind != step.want {
			t.Errorf("at %s it is %s, want %s", step.at, found.Kind, step.want)
		}
	}
}

func TestC66_BoundariesHoldAtEveryEpoch(t *testing.T) {
	t.Parallel()
	for _, epoch := range []time.Time{
		time.Unix(0, 0), time.UnixMilli(1), time.Unix(-3600, 0), time.Date(2038, 1, 19, 3, 14, 8, 0, time.UTC),
		time.Date(2106, 2, 7, 6, 28, 16, 0, time.UTC), time.Date(2262, 4, 11, 23, 47, 17, 0, time.UTC), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC),
	} {
		f := newFixture(t, nil)
		f.clock.Set(epoch)
		f.seed("k")
		for _, step := range []struct {
			at   time.Duration
			want cacheaside.LookupKind
		}{
			{ttl.Soft - time.Millisecond, cacheaside.LookupFresh}, {ttl.Soft, cacheaside.LookupStale},
			{ttl.Hard - time.Millisecond, cacheaside.LookupStale}, {ttl.Hard, cacheaside.LookupMiss},
		} {
			f.clock.Set(epoch.Add(step.at))
			if found := f.look("k"); found.Kind != step.want || !found.HardExpiresAt.Equal(epoch.Add(ttl.Hard)) {
				t.Errorf("%s after %s it is %s until %s, want %s", step.at, epoch, found.Kind, found.HardExpiresAt, step.want)
			}
		}
	}
}

func TestALoadThatEndsInTheFutureCountsAsNow(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	entry := cacheaside.Entry[string]{Value: "v", LoadedAt: f.clock.Now().Add(time.Hour)}
	outcome := f.Record(t.Context(), "k", entry, cacheaside.Condition{})
	if want := f.clock.Now().Add(ttl.Hard); !outcome.HardExpiresAt.Equal(want) {
		t.Errorf("it expires at %s, want %s", outcome.HardExpiresAt, want)
	}
}

func TestJitterStretchesAndIsHeldWithinItsBounds(t *testing.T) {
	t.Parallel()
	long := memory.TTL{Soft: maxTTL, Hard: maxTTL, Negative: maxTTL}
	short := memory.TTL{Soft: time.Millisecond, Hard: 4 * time.Millisecond, Negative: 4 * time.Millisecond, MinHard: 3 * time.Millisecond}
	tests := []struct {
		name                 string
		ttl                  memory.TTL
		factor               float64
		soft, hard, negative time.Duration
	}{
		{"as it is", ttl, 1, ttl.Soft, ttl.Hard, ttl.Negative},
		{"longer", ttl, 1.25, 12_500 * time.Millisecond, 75 * time.Second, 6_250 * time.Millisecond},
		{"shorter", ttl, 0.75, 7_500 * time.Millisecond, 45 * time.Second, 3_750 * time.Millisecond},
		{"too long", ttl, 100, 15 * time.Second, 90 * time.Second, 7_500 * time.Millisecond},
		{"too short", ttl, -1, 5 * time.Second, 30 * time.Second, 2_500 * time.Millisecond},
		{"endless", ttl, math.Inf(1), 15 * time.Second, 90 * time.Second, 7_500 * time.Millisecond},
		{"not a number", ttl, math.NaN(), ttl.Soft, ttl.Hard, ttl.Negative},
		{"over thirty days", long, 1.5, maxTTL, maxTTL, maxTTL},
		{"below the floor", short, 0.5, time.Millisecond, 3 * time.Millisecond, 3 * time.Millisecond},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, func(c *memory.Config[string, string]) {
				c.TTL = test.ttl
				c.Jitter = func(string, bool) float64 { return test.factor }
			})
			now := f.clock.Now()
			value := f.record("k", "v", onlyIfAbsent)
			absence := f.Record(t.Context(), "n", cacheaside.Entry[string]{Negative: true}, cacheaside.Condition{})
			if soft, hard := value.SoftExpiresAt.Sub(now), value.HardExpiresAt.Sub(now); soft != test.soft || hard != test.hard {
				t.Errorf("a value lives %s and %s, want %s and %s", soft, hard, test.soft, test.hard)
			}
			if negative := absence.HardExpiresAt.Sub(now); negative != test.negative {
				t.Errorf("an absence lives %s, want %s", negative, test.negative)
			}
		})
	}
}

func TestLifetimesAreTheShortestThatEntriesGet(t *testing.T) {
	t.Parallel()
	jitter := func(string, bool) float64 { return 1 }
	tests := []struct {
		name   string
		change func(*memory.Config[string, string])
		want   cacheaside.Lifetimes
	}{
		{"exact", func(*memory.Config[string, string]) {}, cacheaside.Lifetimes{MinHard: ttl.Negative, Tombstone: ttl.Tombstone}},
		{"jittered", func(c *memory.Config[string, string]) { c.Jitter = jitter },
			cacheaside.Lifetimes{MinHard: ttl.Negative / 2, Tombstone: ttl.Tombstone}},
		{"jittered above the floor", func(c *memory.Config[string, string]) { c.Jitter, c.TTL.MinHard = jitter, 4*time.Second },
			cacheaside.Lifetimes{MinHard: 4 * time.Second, Tombstone: ttl.Tombstone}},
		{"the default tombstone", func(c *memory.Config[string, string]) { c.TTL.Tombstone = 0 },
			cacheaside.Lifetimes{MinHard: ttl.Negative, Tombstone: memory.DefaultTombstone}},
	}
	for _, test := range tests {
		if got := newFixture(t, test.change).Lifetimes(); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}
