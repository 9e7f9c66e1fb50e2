package memory_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// TestBoundsHoldWhileManyWrite looks at the bounds from beside the writers, between any two of their steps.
func TestBoundsHoldWhileManyWrite(t *testing.T) {
	t.Parallel()
	const writers, records, entries, bytes = 8, 150, 1024, 300 * memory.EntryCost
	f := newFixture(t, sized(entries, bytes))
	var writing sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		writing.Go(func() {
			for i := range records {
				key := strconv.Itoa((i*7 + w*13) % 400)
				large := string(make([]byte, i%37*memory.EntryCost/2))
				f.record(key, large, f.look(key).Observation)
				if i%20 == 0 {
					f.Invalidate(t.Context(), key)
				}
			}
		})
	}
	go func() {
		writing.Wait()
		close(done)
	}()
	for looking := true; looking; {
		select {
		case <-done:
			looking = false
		default:
		}
		if held, cost := f.Len(), f.Bytes(); held > entries || cost > bytes || held < 0 || cost < 0 {
			t.Fatalf("%d entries of %d bytes are held, at most %d of %d are allowed", held, cost, entries, bytes)
		}
	}
	if f.Len() == 0 {
		t.Error("nothing is held")
	}
}

// TestAnInvalidationHoldsAgainstEveryFillThatBeganBefore races fills with invalidations: whatever the order, no fill that looked before the last
// invalidation may be what is stored after it.
func TestAnInvalidationHoldsAgainstEveryFillThatBeganBefore(t *testing.T) {
	t.Parallel()
	const rounds, fillers = 200, 4
	f := newFixture(t, nil)
	for round := range rounds {
		key := "k" + strconv.Itoa(round%4)
		var seen [fillers]cacheaside.Observation
		for i := range fillers {
			seen[i] = f.look(key).Observation
		}
		var filling sync.WaitGroup
		start := make(chan struct{})
		for i := range fillers {
			filling.Go(func() {
				<-start
				f.record(key, "old", seen[i])
			})
		}
		filling.Go(func() {
			<-start
			f.applied(f.Invalidate(t.Context(), key))
		})
		close(start)
		filling.Wait()
		if found := f.look(key); found.Miss != cacheaside.MissInvalidated {
			t.Fatalf("round %d: after the invalidation the key is %s (%s) with %q", round, found.Kind, found.Miss, found.Value)
		}
	}
}
