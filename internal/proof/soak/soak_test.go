package soak_test

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const (
	envLength = "CACHEASIDE_SOAK"
	envSeed   = "CACHEASIDE_SOAK_SEED"

	shortLength = 7 * time.Second
	wholeLength = 3 * time.Minute // from this on a run must have met everything
)

func TestSoakKeepsEveryPromiseWhileEverythingHappensAtOnce(t *testing.T) {
	length, seed := shortLength, uint64(1)
	var err error
	if text := os.Getenv(envLength); text != "" {
		if length, err = time.ParseDuration(text); err != nil || length < time.Second {
			t.Fatalf("%s must be a duration of at least a second, such as 3m: %q", envLength, text)
		}
	}
	if text := os.Getenv(envSeed); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s must be a number: %q", envSeed, text)
		}
	}
	base := goleak.IgnoreCurrent()
	begun := time.Now()
	// What the world starts ends with the inner test, its goroutines are looked for after that.
	t.Run("world", func(t *testing.T) {
		w := newWorld(t, seed)
		w.live(length, seed)
		w.settle()
		times, first := w.ledger.broken()
		for _, rule := range slices.Sorted(maps.Keys(times)) {
			t.Errorf("broken %d times: %s", times[rule], rule)
		}
		for _, b := range first {
			t.Errorf("%s: %s", b.rule, b.text)
		}
		w.ledger.tell(func(s *summary) {
			t.Logf("seed %d, %v\n%s", seed, time.Since(begun).Round(time.Second), s)
			for _, what := range s.missing(length >= wholeLength) {
				t.Errorf("the run shows nothing of %s", what)
			}
		})
	})
	goleak.VerifyNone(t, base)
}
