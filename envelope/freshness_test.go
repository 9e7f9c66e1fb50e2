package envelope_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cacheaside/resilience/envelope"
)

// epochs are clocks that trip up code which takes 0 for "unset", counts seconds
// in 32 bits, or nanoseconds in 64.
func epochs() map[string]time.Time {
	return map[string]time.Time{
		"1970":           time.Unix(0, 0),
		"1 ms":           at(1),
		"2038":           time.Date(2038, 1, 19, 3, 14, 8, 0, time.UTC),
		"2106":           time.Date(2106, 2, 7, 6, 28, 16, 0, time.UTC),
		"2262":           time.Date(2262, 4, 11, 23, 47, 16, 854_775_808, time.UTC),
		"nearly no more": time.Date(9999, 12, 31, 23, 58, 59, 999_000_000, time.UTC),
	}
}

func TestC66_StagesChangeExactlyAtTheirMillisecondInEveryEpoch(t *testing.T) {
	t.Parallel()
	const soft, hard = 10 * time.Second, 60 * time.Second
	steps := []struct {
		after    time.Duration
		positive envelope.Freshness
		bare     envelope.Freshness
	}{
		{0, envelope.Fresh, envelope.Fresh},
		{soft - time.Millisecond, envelope.Fresh, envelope.Fresh},
		{soft, envelope.Stale, envelope.Fresh},
		{hard - time.Millisecond, envelope.Stale, envelope.Fresh},
		{hard, envelope.Expired, envelope.Expired},
		{hard + time.Millisecond, envelope.Expired, envelope.Expired},
	}
	for name, epoch := range epochs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := testDigester()
			for _, e := range everyKind() {
				e.HardExpiresAt = epoch.Add(hard)
				if e.Kind == envelope.KindPositive {
					e.SoftExpiresAt = epoch.Add(soft)
				}
				raw := mustAppend(t, e, d)
				for _, step := range steps {
					now := epoch.Truncate(time.Millisecond).Add(step.after)
					got, err := envelope.Parse(raw, key, d, envelope.Limits{Now: now, MaxAhead: maxAhead})
					if err != nil {
						t.Fatalf("%v after %v: %v", e.Kind, step.after, err)
					}
					want := step.bare
					if e.Kind == envelope.KindPositive {
						want = step.positive
					}
					if f := got.FreshnessAt(now); f != want {
						t.Errorf("%v after %v: %v, want %v", e.Kind, step.after, f, want)
					}
					if f := got.FreshnessAt(now.Add(time.Millisecond - 1)); f != want {
						t.Errorf("%v in the same millisecond after %v: %v, want %v", e.Kind, step.after, f, want)
					}
				}
			}
		})
	}
}

func TestC66_TimesTheFormatCannotHoldAreRefusedAtTheWrite(t *testing.T) {
	t.Parallel()
	for _, now := range []time.Time{time.Unix(-3600, 0), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)} {
		for _, e := range everyKind() {
			e.HardExpiresAt = now.Add(60 * time.Second)
			if e.Kind == envelope.KindPositive {
				e.SoftExpiresAt = now.Add(10 * time.Second)
			}
			got, err := envelope.Append(nil, key, e, testDigester())
			var fault *envelope.FieldError
			if !errors.As(err, &fault) || got != nil {
				t.Errorf("%v at %v: %d bytes, error %v", e.Kind, now, len(got), err)
			}
		}
	}
}

func TestWithSoftEqualToHardNothingIsEverStale(t *testing.T) {
	t.Parallel()
	e := positive("")
	e.SoftExpiresAt = e.HardExpiresAt
	if f := e.FreshnessAt(e.HardExpiresAt.Add(-time.Millisecond)); f != envelope.Fresh {
		t.Errorf("before: %v", f)
	}
	if f := e.FreshnessAt(e.HardExpiresAt); f != envelope.Expired {
		t.Errorf("at: %v", f)
	}
}

func TestEnumsPrintTheirNames(t *testing.T) {
	t.Parallel()
	got := fmt.Sprint(
		envelope.KindPositive, envelope.KindNegative, envelope.KindTombstone, envelope.Kind(0),
		envelope.Fresh, envelope.Stale, envelope.Expired, envelope.Freshness(0))
	if want := "Positive Negative Tombstone Kind(0) Fresh Stale Expired Freshness(0)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
