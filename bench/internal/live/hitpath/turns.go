package hitpath

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Reading is what one comparison found.
type Reading struct {
	RawNanoseconds, GetNanoseconds float64 // of one read
	// Ratio is one read through the library against the mean of the two raw ones, RawRatio the second raw one against the first.
	Ratio, RawRatio float64
	// ExtraNanoseconds and ExtraAllocations are what a read through the library costs beyond a raw one.
	ExtraNanoseconds, ExtraAllocations float64
	Reads                              int // of each way
}

// Quiet tells whether the machine was quiet enough for the reading to be judged: raw against raw between 0.98 and 1.02.
func (r Reading) Quiet() bool { return r.RawRatio >= 0.98 && r.RawRatio <= 1.02 }

const (
	turnReads    = 64 // that follow each other in one way
	leastReads   = 4  // of each goroutine in a turn
	countedTurns = 60 // whose allocations are counted
)

// inTurns reads raw, through the library and raw again in short turns until the time is over, so that what the machine does to one it does to all.
// clock says what has been spent so far.
func inTurns(ctx context.Context, lasts time.Duration, clock func() time.Duration, goroutines int, raw, get func() error) (Reading, error) {
	ways := [3]func() error{raw, get, raw}
	each := max(turnReads/goroutines, leastReads)
	var spent [3]time.Duration
	var allocated [3][]float64
	turns := 0
	order := rand.New(rand.NewPCG(1, 1)) // by chance, lest a way's turn always comes with the next garbage collection
	for begun := time.Now(); turns == 0 || time.Since(begun) < lasts; turns++ {
		for _, at := range order.Perm(len(ways)) {
			counted := goroutines == 1 && turns < countedTurns
			var before, after runtime.MemStats
			if counted {
				runtime.ReadMemStats(&before)
			}
			from := clock()
			err := together(goroutines, func() error { return repeat(each, ways[at]) })
			spent[at] += clock() - from
			if err != nil {
				return Reading{}, err
			}
			if counted {
				runtime.ReadMemStats(&after)
				allocated[at] = append(allocated[at], float64(after.Mallocs-before.Mallocs)/float64(each))
			}
		}
		if err := ctx.Err(); err != nil {
			return Reading{}, err
		}
	}
	reads := turns * each * goroutines
	per := func(way int) float64 { return float64(spent[way].Nanoseconds()) / float64(reads) }
	plain := (per(0) + per(2)) / 2
	r := Reading{RawNanoseconds: plain, GetNanoseconds: per(1), Ratio: per(1) / plain, RawRatio: per(2) / per(0), ExtraNanoseconds: per(1) - plain, Reads: reads}
	if goroutines == 1 {
		r.ExtraAllocations = median(allocated[1]) - median(append(allocated[0], allocated[2]...))
	}
	return r, nil
}

// together runs f on so many goroutines, of which this is one, and gives an error of one of them.
func together(goroutines int, f func() error) error {
	if goroutines == 1 {
		return f()
	}
	errs := make([]error, goroutines)
	var group sync.WaitGroup
	for i := range goroutines - 1 {
		group.Go(func() { errs[i] = f() })
	}
	errs[goroutines-1] = f()
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func repeat(times int, read func() error) error {
	for range times {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

func median(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[len(of)/2]
}

func wallTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
