package remote

import (
	"bytes"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

// Model is how the source works.
type Model struct {
	Slots int           // loads worked on at once, the rest in an unbounded queue, first come, first served
	Mean  time.Duration // of one load; lognormal
	Sigma float64       // standard deviation of its logarithm; 0 = always Mean
	// DropsAbandoned says that work ends, or never begins, when its caller has left. Most sources go on.
	DropsAbandoned bool
	BodyBytes      int // of a row
	Seed           uint64
}

// Default is the lab's source: 16 loads at once of 20 ms each, which makes 800 a second, and rows of 1 KiB.
func Default(seed uint64) Model {
	return Model{Slots: 16, Mean: 20 * time.Millisecond, Sigma: 0.5, BodyBytes: 1 << 10, Seed: seed}
}

// Capacity is how many loads a second the source can do.
func (m Model) Capacity() float64 { return float64(m.Slots) / m.Mean.Seconds() }

// Fault is what is wrong with the source. The zero value is nothing.
type Fault struct {
	Slower float64 // loads take so many times as long; 0 = as ever
	Errors float64 // the part of the loads that fail for the moment, after their work
	Down   bool    // every load fails at once
	Hang   Hang
}

// Hang is which loads never return as long as the fault lasts. They keep their places among those that are worked on.
type Hang struct {
	Every bool   // all loads of all keys
	Key   uint64 // else those of this key,
	First uint64 // but only so many of them, from the first of the run on
}

func (h Hang) holds(key, turn uint64) bool { return h.Every || key == h.Key && turn < h.First }

// Absent tells which keys have no row: every twentieth.
func Absent(key uint64) bool { return key%20 == 19 }

// RowOf is what the source holds under a key when it reads it now; zero where there is no row.
func RowOf(key uint64, bodyBytes int, now time.Time) contender.Row {
	if Absent(key) {
		return contender.Row{}
	}
	return contender.Row{Version: 1, ReadAt: now.UnixMicro(), Body: bytes.Repeat([]byte{'a' + byte(key%26)}, bodyBytes)}
}

// takes draws how long a load works, and a number in [0, 1) that decides whether it fails.
func (m Model) takes(key, turn uint64, fault Fault) (time.Duration, float64) {
	draw := workload.AtValue(m.Seed, workload.Service, key<<24^turn)
	u := func() float64 { return float64(draw.Uint64()>>11) / (1 << 53) }
	takes := float64(m.Mean)
	if m.Sigma > 0 {
		takes = workload.Lognormal(u(), u(), takes, m.Sigma)
	}
	if fault.Slower > 0 {
		takes *= fault.Slower
	}
	return time.Duration(takes), u()
}
