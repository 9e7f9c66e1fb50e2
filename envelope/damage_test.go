package envelope_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/cacheaside/resilience/envelope"
)

func TestC81_EveryTruncationAndEveryFrontCutIsCorrupt(t *testing.T) {
	t.Parallel()
	for _, d := range []envelope.Digester{testDigester(), envelope.SHA256()} {
		for _, e := range everyKind() {
			raw := mustAppend(t, e, d)
			before := bytes.Clone(raw)
			for n := range raw {
				got, err := envelope.Parse(raw[:n], key, d, noonLimits())
				mustBeCorrupt(t, got, err)
				if n == 0 {
					continue // nothing cut from the front: the sound entry
				}
				got, err = envelope.Parse(raw[n:], key, d, noonLimits())
				mustBeCorrupt(t, got, err)
			}
			if !bytes.Equal(raw, before) {
				t.Error("Parse changed the bytes it read")
			}
		}
	}
}

func TestEveryFlippedBitIsCorrupt(t *testing.T) {
	t.Parallel()
	d := testDigester()
	for _, e := range everyKind() {
		raw := mustAppend(t, e, d)
		for i := range raw {
			for bit := range 8 {
				raw[i] ^= 1 << bit
				got, err := envelope.Parse(raw, key, d, noonLimits())
				mustBeCorrupt(t, got, err)
				raw[i] ^= 1 << bit
			}
		}
		if _, err := envelope.Parse(raw, key, d, noonLimits()); err != nil {
			t.Fatalf("restored bytes: %v", err)
		}
	}
}

func TestBytesAppendedBehindTheDigestAreCorrupt(t *testing.T) {
	t.Parallel()
	d := testDigester()
	for _, e := range everyKind() {
		raw := mustAppend(t, e, d)
		for _, tail := range [][]byte{{0}, raw[len(raw)-envelope.DigestSize:], raw} {
			got, err := envelope.Parse(append(bytes.Clone(raw), tail...), key, d, noonLimits())
			mustBeCorrupt(t, got, err)
		}
	}
}

func TestAnEntryUnderAnotherKeyOrSecretIsCorrupt(t *testing.T) {
	t.Parallel()
	d := testDigester()
	for _, e := range everyKind() {
		raw := mustAppend(t, e, d)
		got, err := envelope.Parse(raw, otherKey, d, noonLimits())
		mustBeCorrupt(t, got, err)
		got, err = envelope.Parse(raw, key, envelope.HMAC([]byte("another secret")), noonLimits())
		mustBeCorrupt(t, got, err)
		got, err = envelope.Parse(raw, key, envelope.SHA256(), noonLimits())
		mustBeCorrupt(t, got, err)
	}
}

// The length in front of the key keeps bytes from wandering between the key and
// the body.
func TestAByteMovedFromBodyToKeyIsCorrupt(t *testing.T) {
	t.Parallel()
	d := envelope.SHA256()
	raw := mustAppend(t, positive("hello"), d)
	got, err := envelope.Parse(raw[1:], key+string(raw[:1]), d, noonLimits())
	mustBeCorrupt(t, got, err)
}

func TestC63_CraftedExpiriesOfARunawayClockAreCorrupt(t *testing.T) {
	t.Parallel()
	now := uint64(noon().UnixMilli())
	limit := now + uint64(maxAhead.Milliseconds())
	tests := []struct {
		name       string
		hard, soft uint64
		sound      bool
	}{
		{"exactly as far ahead as allowed", limit, now, true},
		{"a millisecond further", limit + 1, now, false},
		{"40 days ahead", now + 40*86_400_000, now + 10_000, false},
		{"10 years ahead", now + 3652*86_400_000, now + 10_000, false},
		{"soft equal to hard", now + 60_000, now + 60_000, true},
		{"soft a millisecond after hard", now + 60_000, now + 60_001, false},
		{"soft after hard, both past", 1, 2, false},
		{"soft after a possible hard by the sign bit", now, now | 1<<63, false},
		{"the greatest signed number", math.MaxInt64, now, false},
		{"one more", math.MaxInt64 + 1, now, false},
		{"the greatest number", math.MaxUint64, math.MaxUint64, false},
		{"expired, but sound", 1, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := testDigester()
			got, err := envelope.Parse(withTimes(t, d, tt.hard, tt.soft), key, d, noonLimits())
			if !tt.sound {
				mustBeCorrupt(t, got, err)
				return
			}
			if err != nil || got.HardExpiresAt.UnixMilli() != int64(tt.hard) || got.SoftExpiresAt.UnixMilli() != int64(tt.soft) {
				t.Fatalf("hard %v, soft %v, error %v", got.HardExpiresAt, got.SoftExpiresAt, err)
			}
		})
	}
}

func TestC63_AnEntryOfAClockFortyDaysAheadIsCorruptUntilTimeComesNear(t *testing.T) {
	t.Parallel()
	d := testDigester()
	e := positive("hello")
	e.SoftExpiresAt = e.SoftExpiresAt.Add(40 * 24 * time.Hour)
	e.HardExpiresAt = e.HardExpiresAt.Add(40 * 24 * time.Hour)
	raw := mustAppend(t, e, d)
	acceptable := e.HardExpiresAt.Add(-maxAhead)
	got, err := envelope.Parse(raw, key, d, envelope.Limits{Now: acceptable.Add(-time.Nanosecond), MaxAhead: maxAhead})
	mustBeCorrupt(t, got, err)
	if _, err := envelope.Parse(raw, key, d, envelope.Limits{Now: acceptable, MaxAhead: maxAhead}); err != nil {
		t.Fatalf("as soon as the expiry is near enough: %v", err)
	}
}
