package hitpath

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// way is one way of reading the warm row.
type way struct {
	read func(context.Context) bool // tells whether it was a hit; many goroutines call it at once
	each int                        // reads of each goroutine in a turn
}

const (
	turn       = 2 * time.Millisecond // about how long a turn takes, so that the clock costs it nothing
	leastReads = 4                    // of each goroutine in a turn
	mostReads  = 1 << 14
	trialReads = 16
)

// heapBytes is what this process holds while it is measured, as a service would: with next to nothing on its heap, garbage collections would come
// every few turns, and the luck of which way has one would decide. Nothing is written to it.
const heapBytes = 64 << 20

// timing is what one way took.
type timing struct {
	nanoseconds float64 // of one read, by the median turn: a turn in which something else had the processor says nothing
	reads       int
	misses      int // reads that were no hits
}

// inTurns reads each way in short turns until the time is over, so that what the machine does to one it does to all. The order is drawn anew each
// time, lest one way's turn always comes with the next garbage collection. At least one turn is taken, unless ctx has ended.
func inTurns(ctx context.Context, lasts time.Duration, goroutines int, ways []way) ([]timing, error) {
	heap := make([]byte, heapBytes)
	defer runtime.KeepAlive(heap)
	for i := range ways {
		ways[i].each = trialReads
		took, _ := ways[i].turn(ctx, goroutines)
		ways[i].each = min(max(int(trialReads*turn/max(took, 1)), leastReads), mostReads)
	}
	took, timings := make([][]float64, len(ways)), make([]timing, len(ways))
	order := rand.New(rand.NewPCG(1, 1))
	for begun := time.Now(); len(took[0]) == 0 || time.Since(begun) < lasts; {
		for _, at := range order.Perm(len(ways)) {
			elapsed, misses := ways[at].turn(ctx, goroutines)
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			reads := ways[at].each * goroutines
			took[at] = append(took[at], float64(elapsed.Nanoseconds())/float64(reads))
			timings[at].reads += reads
			timings[at].misses += misses
		}
	}
	for i := range timings {
		timings[i].nanoseconds = median(took[i])
	}
	return timings, nil
}

// turn gives how long all goroutines took together.
func (w way) turn(ctx context.Context, goroutines int) (took time.Duration, misses int) {
	var missed atomic.Int64
	repeat := func() {
		for range w.each {
			if !w.read(ctx) {
				missed.Add(1)
			}
		}
	}
	begun := time.Now()
	var others sync.WaitGroup
	for range goroutines - 1 {
		others.Go(repeat)
	}
	repeat()
	others.Wait()
	return time.Since(begun), int(missed.Load())
}

// median sorts its argument.
func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}
