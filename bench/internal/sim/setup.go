package sim

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/workload"
	"github.com/cacheaside/resilience/cacheaside"
)

// Setup is one run. All times of faults count from the end of the warm-up, as Length does.
type Setup struct {
	Seed    uint64
	WarmUp  time.Duration // before anything is counted
	Length  time.Duration
	Trigger measure.Trigger // the time in which something is wrong, for the figures

	Nodes    int
	Rate     float64 // requests a second, of all nodes together
	Keys     workload.Distribution
	Churn    workload.Churn
	KeyOf    func(request uint64) uint64 // nil: Keys and Churn
	Absent   func(key uint64) bool       // keys without a row; nil: none
	Deadline time.Duration               // of each call of a user
	Tries    int                         // calls that a user makes at most, the first included
	// RetryFailures says that users call again after every failure and refusal; else only after their deadline.
	RetryFailures bool

	TTL    contender.TTL
	Jitter float64                  // of the contenders on this library, 0 to 0.5
	Policy func(*cacheaside.Policy) // changes the preset

	Source       SourceModel
	SourceFaults []SourceFault
	Store        StoreModel
	StoreFaults  []StoreFault

	Prefill Prefill
	Changes []Change
	Writes  float64 // rows that are written to the source and then invalidated, a second; chosen by popularity
}

// Prefill is what the store holds when the warm-up begins.
type Prefill uint8

// Nothing; what it would hold after running for long; or every key, written within the second that ends when the warm-up begins.
const (
	Empty Prefill = iota
	Steady
	AllAtOnce
)

// Default is the lab's service: 2000 requests a second for 20,000 keys by Zipf's law, on 4 nodes, over a source that can do 800 loads a second.
func Default(seed uint64) Setup {
	return Setup{
		Seed: seed, WarmUp: 5 * time.Second, Length: 60 * time.Second,
		Nodes: 4, Rate: 2000, Keys: workload.Zipf(20_000, 1), Absent: OneInTwenty,
		Deadline: 500 * time.Millisecond, Tries: 3,
		TTL:     contender.TTL{Soft: time.Minute, Hard: 10 * time.Minute, Negative: time.Minute},
		Jitter:  0.1,
		Source:  SourceModel{Workers: 16, Mean: 20 * time.Millisecond, Sigma: 0.5},
		Store:   StoreModel{Trip: 300 * time.Microsecond},
		Prefill: Steady,
	}
}

// OneInTwenty makes every twentieth key one that has no row.
func OneInTwenty(key uint64) bool { return key%20 == 19 }
