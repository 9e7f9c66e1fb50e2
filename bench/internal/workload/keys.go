package workload

import (
	"math"
	"sort"
)

// Distribution is how popular keys are: key 0 most.
type Distribution struct {
	cumulative []float64
}

// Zipf gives a distribution in which the k-th most popular of n keys is asked for 1/k^exponent as often as the first; exponent 0 is uniform.
func Zipf(n int, exponent float64) Distribution {
	cumulative := make([]float64, n)
	sum := 0.0
	for k := range n {
		sum += math.Pow(float64(k+1), -exponent)
		cumulative[k] = sum
	}
	for k := range cumulative {
		cumulative[k] /= sum
	}
	return Distribution{cumulative}
}

// Keys is how many there are.
func (d Distribution) Keys() int { return len(d.cumulative) }

// Key turns a uniform number into a key.
func (d Distribution) Key(u float64) uint64 {
	return uint64(min(sort.SearchFloat64s(d.cumulative, u), len(d.cumulative)-1))
}

// Share is the part of all requests that ask for the key.
func (d Distribution) Share(key uint64) float64 {
	if key == 0 {
		return d.cumulative[0]
	}
	return d.cumulative[key] - d.cumulative[key-1]
}

// Churn replaces keys as a run goes on, so that what was popular is forgotten and what is popular was never cached: Part of the keys below Hottest,
// evenly over the run, each once.
type Churn struct {
	Part    float64 // of the hottest keys; 0 is no churn
	Hottest int     // how many count as that
	Keys    int     // in all; a replaced key has a number from here on
}

// Now gives the key that stands where key stood, at a part of the run in [0, 1].
func (c Churn) Now(seed, key uint64, part float64) uint64 {
	if c.Part == 0 || key >= uint64(c.Hottest) {
		return key
	}
	// The one number decides whether and when: below Part it is replaced, at that part of the way.
	if u := Uniform(seed, Choice, key); u < c.Part && part >= u/c.Part {
		return key + uint64(c.Keys)
	}
	return key
}
