// Package workload says what users ask for and when, as a pure function of a seed and the number of the request: whatever happens to one request
// changes nothing for another, and the same seed asks the same again.
package workload

import (
	"math"
	"math/rand/v2"
)

// Stream keeps the random numbers for one purpose apart from those for another.
type Stream uint64

// The streams of a run.
const (
	Arrivals Stream = iota + 1
	Keys
	Service
	Faults
	Network
	Prefill
	Writes
	Dice
	Choice
	Balance
	Written
	Names
)

// At gives the random numbers of the n-th thing of a stream.
func At(seed uint64, stream Stream, n uint64) *rand.Rand {
	r := AtValue(seed, stream, n)
	return rand.New(&r)
}

// AtValue is At as a source by value, which costs no allocation where it does not escape.
func AtValue(seed uint64, stream Stream, n uint64) rand.PCG {
	var pcg rand.PCG
	pcg.Seed(mix(seed^mix(uint64(stream))), mix(n+0x9e3779b97f4a7c15*uint64(stream)))
	return pcg
}

// Uniform gives the one number in [0, 1) of the n-th thing of a stream.
func Uniform(seed uint64, stream Stream, n uint64) float64 {
	return float64(mix(mix(seed^mix(uint64(stream)))^mix(n+1))>>11) / (1 << 53)
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// Exponential turns a uniform number into an exponential one of mean 1.
func Exponential(u float64) float64 { return -math.Log1p(-u) }

// Lognormal turns two uniform numbers into a lognormal one of the given mean; sigma is the standard deviation of its logarithm.
func Lognormal(u, v, mean, sigma float64) float64 {
	normal := math.Sqrt(2*Exponential(u)) * math.Cos(2*math.Pi*v)
	return mean * math.Exp(sigma*normal-sigma*sigma/2)
}
