package jitter_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/cacheaside/resilience/jitter"
)

func TestC46_SoftAndHardKeepTheirMeaning(t *testing.T) {
	t.Parallel()
	mustAccept(t, sound())
	mustRefuse(t, with(func(p *jitter.Policy) { p.Soft, p.Hard = 60*time.Second, 10*time.Second }), "Soft")
	mustAccept(t, with(func(p *jitter.Policy) { p.Soft = p.Hard }))
	mustRefuse(t, with(func(p *jitter.Policy) { p.Soft = 0 }), "Soft")
	mustRefuse(t, with(func(p *jitter.Policy) { p.Hard = 0 }), "Hard", "Soft", "MinHard")
	mustRefuse(t, with(func(p *jitter.Policy) { p.MinHard = p.Negative + time.Millisecond }), "MinHard")
	mustRefuse(t, with(func(p *jitter.Policy) { p.MinHard = p.Hard + time.Millisecond }), "MinHard", "MinHard")
	mustRefuse(t, with(func(p *jitter.Policy) { p.MinHard = -1 }), "MinHard")
	mustAccept(t, with(func(p *jitter.Policy) { p.MinHard = 0 }))
}

func TestC46_AHardBelowMinHardByJitterIsRaisedAndSoftStaysBelow(t *testing.T) {
	t.Parallel()
	s := mustSchedule(t, jitter.Policy{
		Soft: 60 * time.Second, Hard: 60 * time.Second, Negative: 60 * time.Second,
		MinHard: 55 * time.Second, TombstoneTTL: time.Minute, JitterRatio: 0.5,
	})
	raised := 0
	for i := range 1000 {
		key := fmt.Sprint("user:", i)
		soft, hard := s.Positive(key)
		if hard < 55*time.Second || soft > hard || s.Negative(key) < 55*time.Second {
			t.Fatalf("%s: soft %v, hard %v, negative %v", key, soft, hard, s.Negative(key))
		}
		if hard == 55*time.Second && soft < hard {
			raised++
		}
	}
	// Factors below 55/60 are 5/12 of all.
	if raised < 350 || raised > 480 {
		t.Errorf("%d of 1000 were raised", raised)
	}
}

func TestC58_NoTTLHasAMeaningBesideItsLength(t *testing.T) {
	t.Parallel()
	for _, ttl := range []time.Duration{0, -1, -time.Nanosecond, -time.Second, time.Nanosecond, math.MinInt64} {
		for _, tt := range []struct {
			field string
			set   func(*jitter.Policy)
		}{
			{"Soft", func(p *jitter.Policy) { p.Soft = ttl }},
			{"Hard", func(p *jitter.Policy) { p.Hard = ttl }},
			{"Negative", func(p *jitter.Policy) { p.Negative = ttl }},
			{"TombstoneTTL", func(p *jitter.Policy) { p.TombstoneTTL = ttl }},
		} {
			err := with(tt.set).Validate()
			if got := fields(t, err); len(got) == 0 || got[0] != tt.field {
				t.Errorf("%s = %v is refused for %v", tt.field, ttl, got)
			}
		}
	}
	mustRefuse(t, jitter.Policy{}, "Soft", "Hard", "Negative", "TombstoneTTL")
}

func TestCheckTTLNamesTheRuleThatWasBroken(t *testing.T) {
	t.Parallel()
	tests := []struct {
		ttl  time.Duration
		rule string
	}{
		{math.MinInt64, "must be positive"},
		{-1, "must be positive"},
		{0, "must be positive"},
		{1, "must be at least 1ms"},
		{time.Millisecond - 1, "must be at least 1ms"},
		{time.Millisecond, ""},
		{30 * day, ""},
		{30*day + time.Millisecond - 1, ""},
		{30*day + time.Millisecond, "must be at most 720h0m0s"},
		{math.MaxInt64, "must be at most 720h0m0s"},
	}
	for _, tt := range tests {
		err := jitter.CheckTTL("LeaseTTL", tt.ttl)
		var fault *jitter.FieldError
		switch {
		case tt.rule == "":
			if err != nil {
				t.Errorf("%v: %v", tt.ttl, err)
			}
		case !errors.As(err, &fault) || *fault != (jitter.FieldError{Field: "LeaseTTL", Value: tt.ttl.String(), Rule: tt.rule}):
			t.Errorf("%v: %v, want %q", tt.ttl, err, tt.rule)
		}
	}
}

func TestC60_FractionsOfAMillisecondAreFlooredByOneRule(t *testing.T) {
	t.Parallel()
	tests := []struct{ given, want time.Duration }{
		{1500 * time.Millisecond, 1500 * time.Millisecond},
		{1500 * time.Microsecond, time.Millisecond},
		{time.Second + time.Nanosecond, time.Second},
		{time.Millisecond, time.Millisecond},
		{2*time.Millisecond - 1, time.Millisecond},
		{30*day + time.Millisecond - 1, 30 * day},
	}
	for _, tt := range tests {
		s := mustSchedule(t, jitter.Policy{Soft: tt.given, Hard: tt.given, Negative: tt.given, MinHard: tt.given, TombstoneTTL: tt.given})
		soft, hard := s.Positive("k")
		if soft != tt.want || hard != tt.want || s.Negative("k") != tt.want || s.Tombstone() != tt.want {
			t.Errorf("%v became %v, %v, %v, %v, want %v", tt.given, soft, hard, s.Negative("k"), s.Tombstone(), tt.want)
		}
	}
	mustRefuse(t, with(func(p *jitter.Policy) { p.TombstoneTTL = 999 * time.Microsecond }), "TombstoneTTL")
	mustAccept(t, with(func(p *jitter.Policy) { p.Soft, p.Hard = 10*time.Second+999, 10*time.Second }))
	mustAccept(t, with(func(p *jitter.Policy) { p.MinHard = p.Negative + 999 }))
}

func TestC60_JitterOfFiveMillisecondsStaysInWholeMilliseconds(t *testing.T) {
	t.Parallel()
	s := mustSchedule(t, jitter.Policy{
		Soft: time.Millisecond, Hard: 5 * time.Millisecond, Negative: time.Millisecond,
		TombstoneTTL: time.Millisecond, JitterRatio: 0.1,
	})
	seen := map[time.Duration]int{}
	for i := range 1000 {
		key := fmt.Sprint("user:", i)
		soft, hard := s.Positive(key)
		if soft != time.Millisecond || s.Negative(key) != time.Millisecond {
			t.Fatalf("%s: soft %v, negative %v", key, soft, s.Negative(key))
		}
		seen[hard]++
	}
	if seen[4*time.Millisecond]+seen[5*time.Millisecond] != 1000 || seen[4*time.Millisecond] < 400 || seen[5*time.Millisecond] < 400 {
		t.Errorf("hard lifetimes %v", seen)
	}
}

func TestC61_ThirtyDaysIsTheLongestLifeJitterIncluded(t *testing.T) {
	t.Parallel()
	long := func(ttl time.Duration, ratio float64) jitter.Policy {
		return jitter.Policy{Soft: ttl / 2, Hard: ttl, Negative: ttl, TombstoneTTL: time.Minute, JitterRatio: ratio}
	}
	mustAccept(t, long(30*day, 0))
	mustRefuse(t, long(30*day+time.Millisecond, 0), "Hard", "Negative")
	mustAccept(t, long(20*day, 0.5))
	mustRefuse(t, long(20*day+time.Millisecond, 0.5), "Hard", "Negative")
	mustAccept(t, long(25*day, 0.2))
	mustRefuse(t, long(30*day, 0.5), "Hard", "Negative")
	stretched := with(func(p *jitter.Policy) { p.Hard, p.JitterRatio = 25*day, 0.375 }).Validate()
	if want := "jitter: Hard (600h0m0s) must be at most 720h0m0s when stretched by JitterRatio, 0.375"; stretched == nil || stretched.Error() != want {
		t.Errorf("%v, want %q", stretched, want)
	}
	mustRefuse(t, long(math.MaxInt64, 0), "Soft", "Hard", "Negative")
	mustRefuse(t, long(math.MaxInt64, 0.5), "Soft", "Hard", "Negative")
	mustRefuse(t, with(func(p *jitter.Policy) { p.TombstoneTTL = 30*day + time.Millisecond }), "TombstoneTTL")

	for _, p := range []jitter.Policy{long(30*day, 0), long(20*day, 0.5)} {
		s := mustSchedule(t, p)
		for i := range 1000 {
			key := fmt.Sprint("user:", i)
			soft, hard := s.Positive(key)
			for _, now := range []time.Time{time.Unix(0, 0), time.Date(2262, 4, 11, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)} {
				if !now.Add(soft).After(now) || !now.Add(hard).After(now.Add(soft)) || now.Add(hard).After(now.Add(30*day)) {
					t.Fatalf("%s at %v: soft %v, hard %v", key, now, soft, hard)
				}
			}
			if n := s.Negative(key); n <= 0 || n > 30*day {
				t.Fatalf("%s: negative %v", key, n)
			}
		}
	}
}

func TestARatioIsANumberFromZeroToAHalf(t *testing.T) {
	t.Parallel()
	for _, ratio := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -0.1, -math.SmallestNonzeroFloat64, math.Nextafter(0.5, 1)} {
		mustRefuse(t, with(func(p *jitter.Policy) { p.JitterRatio = ratio }), "JitterRatio")
		j, err := jitter.New(secret(), 0, ratio)
		if got := fields(t, err); !slices.Equal(got, []string{"ratio"}) || j != (jitter.Jitter{}) {
			t.Errorf("ratio %v is refused for %v", ratio, got)
		}
	}
	_, err := jitter.New(secret(), 0, 0.625)
	if want := "jitter: ratio (0.625) must be from 0 to 0.5"; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	for _, ratio := range []float64{0, math.Copysign(0, -1), math.SmallestNonzeroFloat64, 0.5} {
		mustAccept(t, with(func(p *jitter.Policy) { p.JitterRatio = ratio }))
	}
}

func TestEveryFaultIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	p := jitter.Policy{Soft: 31 * day, Hard: -1, Negative: 25 * day, MinHard: 26 * day, TombstoneTTL: 0, JitterRatio: 0.3}
	mustRefuse(t, p, "Soft", "Hard", "TombstoneTTL", "Soft", "MinHard", "MinHard", "Negative")
	_, err := jitter.NewSchedule(nil, p)
	if got := fields(t, err); len(got) != 8 || got[7] != "key" {
		t.Errorf("with an empty key: %v", got)
	}
	_, err = jitter.New(nil, 0, 1)
	if got := fields(t, err); !slices.Equal(got, []string{"key", "ratio"}) {
		t.Errorf("New: %v", got)
	}
}
