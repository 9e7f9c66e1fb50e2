package workload_test

import (
	"math"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/workload"
)

// moments gives the mean and the standard deviation of n draws.
func moments(n int, draw func(n uint64) float64) (mean, deviation float64) {
	sum, squares := 0.0, 0.0
	for k := range n {
		x := draw(uint64(k))
		sum += x
		squares += x * x
	}
	mean = sum / float64(n)
	return mean, math.Sqrt(squares/float64(n) - mean*mean)
}

const draws = 200_000

func near(x, want, tolerance float64) bool { return math.Abs(x-want) <= tolerance }

func TestRandomNumbersHaveTheDistributionTheyAreNamedAfter(t *testing.T) {
	uniform := func(stream workload.Stream) func(uint64) float64 {
		return func(n uint64) float64 { return workload.Uniform(7, stream, n) }
	}
	lognormal := func(n uint64) float64 {
		return workload.Lognormal(uniform(workload.Service)(n), uniform(workload.Faults)(n), 20, 0.5)
	}
	tests := []struct {
		name            string
		draw            func(uint64) float64
		mean, deviation float64
	}{
		{"uniform", uniform(workload.Keys), 0.5, math.Sqrt(1.0 / 12)},
		{"uniform of a stream's generator", func(n uint64) float64 { return workload.At(7, workload.Keys, n).Float64() }, 0.5, math.Sqrt(1.0 / 12)},
		{"exponential", func(n uint64) float64 { return workload.Exponential(uniform(workload.Arrivals)(n)) }, 1, 1},
		{"lognormal", lognormal, 20, 20 * math.Sqrt(math.Exp(0.25)-1)},
		{"logarithm of a lognormal", func(n uint64) float64 { return math.Log(lognormal(n)) }, math.Log(20) - 0.125, 0.5},
		{"lognormal without spread", func(n uint64) float64 {
			return workload.Lognormal(uniform(workload.Service)(n), uniform(workload.Faults)(n), 20, 0)
		}, 20, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			mean, deviation := moments(draws, test.draw)
			if tolerance := 0.01*math.Abs(test.mean) + 1e-6; !near(mean, test.mean, tolerance) || !near(deviation, test.deviation, 0.02*test.deviation+1e-5) {
				t.Errorf("mean %v and deviation %v, want %v and %v", mean, deviation, test.mean, test.deviation)
			}
		})
	}
}

func TestStreamsSeedsAndNumbersAreIndependentOfOneAnother(t *testing.T) {
	streams := []workload.Stream{
		workload.Arrivals, workload.Keys, workload.Service, workload.Faults, workload.Network, workload.Prefill, workload.Writes, workload.Dice,
		workload.Choice, workload.Balance, workload.Written,
	}
	type draw func(uint64) float64
	uniform := func(seed uint64, stream workload.Stream, ahead uint64) draw {
		return func(n uint64) float64 { return workload.Uniform(seed, stream, n+ahead) }
	}
	pairs := map[string][2]draw{
		"seeds that follow one another":   {uniform(1, workload.Keys, 0), uniform(2, workload.Keys, 0)},
		"numbers that follow one another": {uniform(1, workload.Keys, 0), uniform(1, workload.Keys, 1)},
		"the two ways to draw": {uniform(1, workload.Keys, 0), func(n uint64) float64 {
			return workload.At(1, workload.Keys, n).Float64()
		}},
	}
	for a, one := range streams {
		for _, other := range streams[a+1:] {
			pairs[string(rune('A'+one))+" and "+string(rune('A'+other))] = [2]draw{uniform(1, one, 0), uniform(1, other, 0)}
		}
	}
	const n = 20_000
	for name, pair := range pairs {
		product := 0.0
		for k := range uint64(n) {
			product += (pair[0](k) - 0.5) * (pair[1](k) - 0.5) * 12 / n
		}
		if !near(product, 0, 5/math.Sqrt(n)) {
			t.Errorf("%s are correlated: %v", name, product)
		}
	}
}

func TestAStreamIsAPureFunction(t *testing.T) {
	for n := range uint64(100) {
		if workload.Uniform(1, workload.Keys, n) != workload.Uniform(1, workload.Keys, n) ||
			workload.At(1, workload.Keys, n).Uint64() != workload.At(1, workload.Keys, n).Uint64() {
			t.Fatalf("number %d differs from itself", n)
		}
		if workload.Uniform(1, workload.Keys, n) == workload.Uniform(1, workload.Keys, n+1) {
			t.Fatalf("number %d is the next one too", n)
		}
	}
}
