package jitter_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/cacheaside/resilience/jitter"
)

const population = 20_000

// spread is the policy of the statistics. Their key and names are fixed, so that
// they come out the same in every run.
func spread() jitter.Policy {
	return jitter.Policy{
		Soft: 100 * time.Second, Hard: 200 * time.Second, Negative: 50 * time.Second,
		MinHard: time.Second, TombstoneTTL: time.Minute, JitterRatio: 0.2,
	}
}

func factorsOf(tb testing.TB, revision uint64, class jitter.Class) []float64 {
	tb.Helper()
	j, err := jitter.New(secret(), revision, 0.2)
	if err != nil {
		tb.Fatal(err)
	}
	factors := make([]float64, population)
	for i := range factors {
		factors[i] = j.Factor(fmt.Sprint("user:", i), class)
	}
	return factors
}

func TestC38_LifetimesFillTheBandEvenlyAndKeepTheRatioOfSoftToHard(t *testing.T) {
	t.Parallel()
	s, second := mustSchedule(t, spread()), mustSchedule(t, spread())
	var sum float64
	buckets := map[time.Duration]int{}
	for i := range population {
		key := fmt.Sprint("user:", i)
		soft, hard := s.Positive(key)
		if hard < 160*time.Second || hard > 240*time.Second {
			t.Fatalf("%s: hard %v is outside the band", key, hard)
		}
		if off := soft - hard/2; off < -time.Millisecond || off > time.Millisecond {
			t.Fatalf("%s: soft %v is not half of %v", key, soft, hard)
		}
		if soft2, hard2 := second.Positive(key); soft2 != soft || hard2 != hard || second.Negative(key) != s.Negative(key) {
			t.Fatalf("%s: a second instance gives %v and %v, not %v and %v", key, soft2, hard2, soft, hard)
		}
		sum += hard.Seconds()
		buckets[hard.Truncate(time.Second)]++
	}
	if mean := sum / population; math.Abs(mean-200) > 1 {
		t.Errorf("mean %v s, want 200", mean)
	}
	for second, n := range buckets {
		if n > population*25/1000 {
			t.Errorf("%d keys end within the second of %v", n, second)
		}
	}
}

func TestC38_FactorsAreUniform(t *testing.T) {
	t.Parallel()
	for _, class := range []jitter.Class{jitter.Positive, jitter.Negative} {
		const bins = 100
		var counts [bins]int
		for _, f := range factorsOf(t, 1, class) {
			if f < 0.8 || f >= 1.2 {
				t.Fatalf("factor %v is outside the band", f)
			}
			counts[min(int((f-0.8)/0.4*bins), bins-1)]++
		}
		chi2 := 0.0
		for _, n := range counts {
			const expected = population / bins
			chi2 += float64((n-expected)*(n-expected)) / expected
		}
		// Of 99 degrees of freedom; the bounds leave one in 10,000 on either side.
		// Below the lower one the factors would be dealt out, not drawn.
		if chi2 < 53 || chi2 > 157 {
			t.Errorf("%v: chi-square %v", class, chi2)
		}
	}
}

func TestC38_FactorsOfNeighboursRevisionsAndClassesAreUnrelated(t *testing.T) {
	t.Parallel()
	first := factorsOf(t, 1, jitter.Positive)
	later := append(slices.Clone(first[1:]), first[0])
	for name, other := range map[string][]float64{
		"the next key":      later,
		"the next revision": factorsOf(t, 2, jitter.Positive),
		"the other class":   factorsOf(t, 1, jitter.Negative),
	} {
		if r := rankCorrelation(first, other); math.Abs(r) >= 0.05 {
			t.Errorf("rank correlation with %s: %v", name, r)
		}
	}
	if r := rankCorrelation(first, first); r != 1 {
		t.Errorf("rank correlation with itself: %v", r)
	}
}

func TestC38_ANewRevisionOfTheUserDealsNewLifetimes(t *testing.T) {
	t.Parallel()
	next := spread()
	next.Revision++
	a, b := mustSchedule(t, spread()), mustSchedule(t, next)
	same := 0
	for i := range 1000 {
		key := fmt.Sprint("user:", i)
		_, hardA := a.Positive(key)
		_, hardB := b.Positive(key)
		if hardA == hardB {
			same++
		}
	}
	if same > 5 {
		t.Errorf("%d of 1000 lifetimes stayed", same)
	}
}

// rankCorrelation is Spearman's coefficient of two samples without ties.
func rankCorrelation(a, b []float64) float64 {
	ra, rb := ranks(a), ranks(b)
	var sum float64
	for i := range ra {
		d := float64(ra[i] - rb[i])
		sum += d * d
	}
	n := float64(len(a))
	return 1 - 6*sum/(n*(n*n-1))
}

func ranks(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	result := make([]int, len(values))
	for rank, i := range order {
		result[i] = rank
	}
	return result
}
