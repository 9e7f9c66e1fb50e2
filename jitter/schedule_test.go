package jitter_test

import (
	"math"
	"testing"
	"time"

	"github.com/cacheaside/resilience/jitter"
	"pgregory.net/rapid"
)

// validPolicy draws from the whole of what is allowed, up to its edges.
func validPolicy() *rapid.Generator[jitter.Policy] {
	return rapid.Custom(func(t *rapid.T) jitter.Policy {
		ttl := func(name string, from, to time.Duration) time.Duration {
			return time.Duration(rapid.Int64Range(int64(from), int64(to)).Draw(t, name))
		}
		ratio := rapid.Float64Range(0, jitter.MaxRatio).Draw(t, "ratio")
		longest := time.Duration(float64(jitter.MaxTTL) / (1 + ratio))
		hard := ttl("hard", time.Millisecond, longest)
		negative := ttl("negative", time.Millisecond, longest)
		return jitter.Policy{
			Hard:         hard,
			Soft:         ttl("soft", time.Millisecond, hard),
			Negative:     negative,
			MinHard:      ttl("minHard", 0, min(hard, negative)),
			TombstoneTTL: ttl("tombstone", time.Millisecond, jitter.MaxTTL),
			JitterRatio:  ratio,
			Revision:     rapid.Uint32().Draw(t, "revision"),
		}
	})
}

func TestLifetimesOfEveryValidPolicyKeepThePromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := validPolicy().Draw(t, "policy")
		s, err := jitter.NewSchedule(secret(), p)
		if err != nil {
			t.Fatal(err)
		}
		key := rapid.String().Draw(t, "key")
		soft, hard := s.Positive(key)
		negative := s.Negative(key)
		// inBand allows for one rounding down, and for the bound from below.
		inBand := func(got, from, bound time.Duration) bool {
			ms, g := float64(from.Milliseconds()), float64(got.Milliseconds())
			low := max(math.Floor(ms*(1-p.JitterRatio)), float64(bound.Milliseconds()), 1)
			high := max(ms*(1+p.JitterRatio), float64(bound.Milliseconds()), 1)
			return g >= low && g <= high && got%time.Millisecond == 0 && got <= jitter.MaxTTL
		}
		if !inBand(hard, p.Hard, p.MinHard) || !inBand(negative, p.Negative, p.MinHard) || !inBand(soft, p.Soft, 0) || soft > hard {
			t.Fatalf("soft %v, hard %v, negative %v", soft, hard, negative)
		}
		if s.Tombstone() != p.TombstoneTTL.Truncate(time.Millisecond) {
			t.Fatalf("tombstone %v", s.Tombstone())
		}
	})
}

func TestTheFingerprintKnowsEveryFieldAndNoFraction(t *testing.T) {
	t.Parallel()
	base := with(func(p *jitter.Policy) { p.JitterRatio = 0.1 })
	seen := map[uint64]string{base.Fingerprint(): "base"}
	for name, change := range map[string]func(*jitter.Policy){
		"Soft":         func(p *jitter.Policy) { p.Soft += time.Millisecond },
		"Hard":         func(p *jitter.Policy) { p.Hard += time.Millisecond },
		"Negative":     func(p *jitter.Policy) { p.Negative += time.Millisecond },
		"MinHard":      func(p *jitter.Policy) { p.MinHard += time.Millisecond },
		"TombstoneTTL": func(p *jitter.Policy) { p.TombstoneTTL += time.Millisecond },
		"JitterRatio":  func(p *jitter.Policy) { p.JitterRatio = math.Nextafter(0.1, 1) },
		"Revision":     func(p *jitter.Policy) { p.Revision++ },
	} {
		p := base
		change(&p)
		if other, found := seen[p.Fingerprint()]; found {
			t.Errorf("another %s has the fingerprint of %s", name, other)
		}
		seen[p.Fingerprint()] = name
	}

	fractions := base
	fractions.Soft += time.Millisecond - 1
	fractions.TombstoneTTL++
	if fractions.Fingerprint() != base.Fingerprint() {
		t.Error("fractions of a millisecond count")
	}
	zero, minusZero := base, base
	zero.JitterRatio, minusZero.JitterRatio = 0, math.Copysign(0, -1)
	if zero.Fingerprint() != minusZero.Fingerprint() {
		t.Error("the two zeros count as two ratios")
	}
}
