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

// heapBytes is what this process holds while it is measured, as a service would: with next to nothing on its heap, garbage collections would come
// every few turns, and the luck of which way has one would decide. Nothing is written to it.
const heapBytes = 64 << 20

// inTurns reads raw, through the library and raw again in short turns until the time is over, so that what the machine does to one it does to all.
// clock says what has been spent so far; what a turn takes is the mean of all or, where only the time of day is known, the median, for a turn in
// which something else had the processor says nothing.
func inTurns(ctx context.Context, lasts time.Duration, clock clock, goroutines int, raw, get func() error) (Reading, error) {
	heap := make([]byte, heapBytes)
	defer runtime.KeepAlive(heap)
	ways := [3]func() error{raw, get, raw}
	each := max(turnReads/goroutines, leastReads)
	var took, allocated [3][]float64 // by one read, of each turn
	turns := 0
	order := rand.New(rand.NewPCG(1, 1)) // by chance, lest a way's turn always comes with the next garbage collection
	for begun := time.Now(); turns == 0 || time.Since(begun) < lasts; turns++ {
		for _, at := range order.Perm(len(ways)) {
			counted := goroutines == 1 && turns < countedTurns
			var before, after runtime.MemStats
			if counted {
				runtime.ReadMemStats(&before)
			}
			from := clock.now()
			err := together(goroutines, func() error { return repeat(each, ways[at]) })
			took[at] = append(took[at], float64((clock.now()-from).Nanoseconds())/float64(each*goroutines))
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
	first, through, second := clock.of(took[0]), clock.of(took[1]), clock.of(took[2])
	plain := (first + second) / 2
	r := Reading{
		RawNanoseconds: plain, GetNanoseconds: through, Ratio: through / plain, RawRatio: second / first, ExtraNanoseconds: through - plain,
		Reads: turns * each * goroutines,
	}
	if goroutines == 1 {
		r.ExtraAllocations = median(allocated[1]) - median(append(allocated[0], allocated[2]...))
	}
	return r, nil
}

// clock tells what has been spent, and how to make one figure of what each turn took.
type clock struct {
	now func() time.Duration
	of  func([]float64) float64
}

func timeOfDay() clock {
	return clock{func() time.Duration { return time.Duration(time.Now().UnixNano()) }, median}
}

func processor() clock { return clock{processorTime, mean} }

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

func mean(of []float64) float64 {
	sum := 0.0
	for _, x := range of {
		sum += x
	}
	return sum / float64(max(len(of), 1))
}
