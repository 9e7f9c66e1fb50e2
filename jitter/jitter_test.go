package jitter_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cacheaside/resilience/jitter"
)

func mustNew(tb testing.TB, key []byte, revision uint64, ratio float64) jitter.Jitter {
	tb.Helper()
	j, err := jitter.New(key, revision, ratio)
	if err != nil {
		tb.Fatal(err)
	}
	return j
}

func TestWithoutARatioEveryFactorIsOne(t *testing.T) {
	t.Parallel()
	for _, j := range []jitter.Jitter{{}, mustNew(t, secret(), 1, 0)} {
		if f := j.Factor("k", jitter.Positive); f != 1 {
			t.Errorf("factor %v", f)
		}
	}
}

func TestEveryInputOfTheFactorCounts(t *testing.T) {
	t.Parallel()
	base := mustNew(t, secret(), 1, 0.5)
	factors := map[float64]string{base.Factor("k", jitter.Positive): "base"}
	for name, f := range map[string]float64{
		"physical key": base.Factor("l", jitter.Positive),
		"class":        base.Factor("k", jitter.Negative),
		"revision":     mustNew(t, secret(), 1<<40, 0.5).Factor("k", jitter.Positive),
		"key":          mustNew(t, []byte("another"), 1, 0.5).Factor("k", jitter.Positive),
		"ratio":        mustNew(t, secret(), 1, 0.4).Factor("k", jitter.Positive),
	} {
		if other, found := factors[f]; found {
			t.Errorf("another %s gives the factor of %s", name, other)
		}
		factors[f] = name
	}
}

func TestNewCopiesItsKey(t *testing.T) {
	t.Parallel()
	key := secret()
	j := mustNew(t, key, 1, 0.5)
	clear(key)
	if j.Factor("k", jitter.Positive) != mustNew(t, secret(), 1, 0.5).Factor("k", jitter.Positive) {
		t.Error("the factor changed with the caller's slice")
	}
}

func TestOneJitterServesManyGoroutines(t *testing.T) {
	t.Parallel()
	j := mustNew(t, secret(), 1, 0.5)
	var wg sync.WaitGroup
	for worker := range 8 {
		key := strings.Repeat("k", 30*worker)
		want := j.Factor(key, jitter.Positive)
		wg.Go(func() {
			for range 200 {
				if got := j.Factor(key, jitter.Positive); got != want {
					t.Error("a factor was mixed up with another goroutine's")
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestClassesPrintTheirNames(t *testing.T) {
	t.Parallel()
	if got := fmt.Sprint(jitter.Positive, jitter.Negative, jitter.Class(0)); got != "Positive Negative Class(0)" {
		t.Errorf("%q", got)
	}
}

func BenchmarkFactor(b *testing.B) {
	j := mustNew(b, secret(), 1, 0.2)
	b.ReportAllocs()
	for b.Loop() {
		j.Factor("shop:product:-:{AAAAAAAAAAAAAAAAAAAAAA}:v", jitter.Positive)
	}
}
