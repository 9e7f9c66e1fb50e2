package scenario

import (
	"context"
	"fmt"
	"sync"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// Work is a task and where its run belongs.
type Work struct {
	Task
	Index int // the caller's own
}

// Execute makes the runs of all tasks, so many at once, the costly ones first, and gives each run as it ends; a task that ctx kept from
// beginning gives none. told is called with the part of the whole cost that is done; neither is called by two goroutines at once.
func Execute(
	ctx context.Context, bubbles bubble.Bubbles, work []Work, atOnce int, ended func(Work, result.Run), told func(part float64),
) error {
	whole := 0.0
	for _, w := range work {
		whole += w.Cost
	}
	meter := &meter{whole: whole, parts: make(map[int]float64), told: told}
	queue := make(chan int, len(work))
	for n := range work {
		queue <- n
	}
	close(queue)
	var running sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for range atOnce {
		running.Go(func() {
			for n := range queue {
				if ctx.Err() != nil {
					return
				}
				w := work[n]
				run, err := w.Run(ctx, bubbles, func(part float64) { meter.set(n, w.Cost*part) })
				meter.set(n, w.Cost)
				mu.Lock()
				if err != nil {
					failed = fmt.Errorf("%s %s: %w", w.Contender.ID, w.Variant, err)
				} else {
					ended(w, run)
				}
				mu.Unlock()
			}
		})
	}
	running.Wait()
	return failed
}

// meter adds up what is done.
type meter struct {
	mu    sync.Mutex
	parts map[int]float64
	done  float64
	whole float64
	told  func(float64)
}

func (m *meter) set(n int, cost float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += cost - m.parts[n]
	m.parts[n] = cost
	if m.told != nil && m.whole > 0 {
		m.told(m.done / m.whole)
	}
}
