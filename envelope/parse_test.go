package envelope_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/envelope"
)

func TestThePayloadAliasesTheBytesAndEndsBeforeTheDigest(t *testing.T) {
	t.Parallel()
	d := testDigester()
	raw := mustAppend(t, positive("hello"), d)
	e, err := envelope.Parse(raw, key, d, noonLimits())
	if err != nil {
		t.Fatal(err)
	}
	if &e.Payload[0] != &raw[len(raw)-envelope.DigestSize-len("hello")] {
		t.Error("the payload was copied")
	}
	if _ = append(e.Payload, '!'); !bytes.Equal(e.Digest[:], raw[len(raw)-envelope.DigestSize:]) {
		t.Error("appending to the payload reached the digest")
	}
}

func TestAnEmptyPayloadOfAPositiveEntryIsEmptyAndNotNil(t *testing.T) {
	t.Parallel()
	d := testDigester()
	e, err := envelope.Parse(mustAppend(t, positive(""), d), key, d, noonLimits())
	if err != nil || e.Payload == nil || len(e.Payload) != 0 {
		t.Fatalf("payload %v, error %v", e.Payload, err)
	}
}

func TestTheDigestIsJudgedBeforeTheVersion(t *testing.T) {
	t.Parallel()
	d := testDigester()
	for version := range 256 {
		raw := mustAppend(t, positive("hello"), d)
		raw[2] = byte(version)
		raw[len(raw)-1] ^= 1
		got, err := envelope.Parse(raw, key, d, noonLimits())
		mustBeCorrupt(t, got, err)
	}
}

func TestEveryOtherVersionIsEitherRetiredOrFuture(t *testing.T) {
	t.Parallel()
	d := testDigester()
	for version := range 256 {
		if version == envelope.Version {
			continue
		}
		raw := seal([]byte{'C', 'A', byte(version), 'x'}, d)
		got, err := envelope.Parse(raw, key, d, envelope.Limits{})
		mustBeZero(t, got)
		var v *envelope.VersionError
		if !errors.As(err, &v) || int(v.Version) != version || v.Retired() == v.Future() || v.Retired() != (version == 1) {
			t.Fatalf("version %d: %v", version, err)
		}
		if !bytes.Equal(v.Digest[:], raw[len(raw)-envelope.DigestSize:]) {
			t.Fatalf("version %d: the digest is not the trailing one", version)
		}
	}
}

func TestTheCurrentVersionIsNeitherRetiredNorFuture(t *testing.T) {
	t.Parallel()
	if v := (&envelope.VersionError{Version: envelope.Version}); v.Retired() || v.Future() {
		t.Errorf("retired %t, future %t", v.Retired(), v.Future())
	}
}

func TestAKeyTooLongToBeCoveredIsCorrupt(t *testing.T) {
	t.Parallel()
	d := testDigester()
	got, err := envelope.Parse(mustAppend(t, positive(""), d), strings.Repeat("k", envelope.MaxKeyBytes+1), d, noonLimits())
	mustBeCorrupt(t, got, err)
}

func TestLimitsAtTheEdgesOfTimeNeitherOverflowNorLetImmortalsThrough(t *testing.T) {
	t.Parallel()
	const last = 253402300799999
	tests := []struct {
		name   string
		limits envelope.Limits
		hard   uint64
		sound  bool
	}{
		{"zero limits", envelope.Limits{}, 0, false},
		{"zero limits, greatest number", envelope.Limits{}, math.MaxUint64, false},
		{"now an hour before 1970, hard in reach", envelope.Limits{Now: at(-3_600_000), MaxAhead: time.Hour}, 0, true},
		{"now an hour before 1970, hard out of reach", envelope.Limits{Now: at(-3_600_000), MaxAhead: time.Hour}, 1, false},
		{"now so early that nothing is in reach", envelope.Limits{Now: at(-3_600_001), MaxAhead: time.Hour}, 0, false},
		{"negative ahead counts as 0", envelope.Limits{Now: at(1000), MaxAhead: math.MinInt64}, 1000, true},
		{"negative ahead counts as 0, no more", envelope.Limits{Now: at(1000), MaxAhead: -1}, 1001, false},
		{"greatest ahead from 1970", envelope.Limits{Now: at(0), MaxAhead: math.MaxInt64}, math.MaxInt64 / 1_000_000, true},
		{"a millisecond beyond it", envelope.Limits{Now: at(0), MaxAhead: math.MaxInt64}, math.MaxInt64/1_000_000 + 1, false},
		{"fractions of now count in full", envelope.Limits{Now: at(1).Add(600 * time.Microsecond), MaxAhead: 400 * time.Microsecond}, 2, true},
		{"fractions are floored", envelope.Limits{Now: at(1).Add(600 * time.Microsecond), MaxAhead: 399 * time.Microsecond}, 2, false},
		{"last millisecond", envelope.Limits{Now: at(last), MaxAhead: maxAhead}, last, true},
		{"past the last millisecond", envelope.Limits{Now: at(last), MaxAhead: maxAhead}, last + 1, false},
		{"just past the last millisecond", envelope.Limits{Now: at(last), MaxAhead: time.Millisecond}, last + 1, false},
		{"greatest ahead from the year 9999", envelope.Limits{Now: at(last), MaxAhead: math.MaxInt64}, last + 1, false},
		{"now after the year 9999", envelope.Limits{Now: at(last + 1)}, last, true},
		{"now at the end of time", envelope.Limits{Now: time.Unix(math.MaxInt64, 0), MaxAhead: math.MaxInt64}, last + 1, false},
		{"now at the beginning of time", envelope.Limits{Now: time.Unix(math.MinInt64, 0), MaxAhead: math.MaxInt64}, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := testDigester()
			got, err := envelope.Parse(withTimes(t, d, tt.hard, 0), key, d, tt.limits)
			if !tt.sound {
				mustBeCorrupt(t, got, err)
			} else if err != nil || uint64(got.HardExpiresAt.UnixMilli()) != tt.hard {
				t.Fatalf("hard %v, error %v", got.HardExpiresAt, err)
			}
		})
	}
}
