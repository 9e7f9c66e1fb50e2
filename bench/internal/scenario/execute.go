package scenario

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// Work is a task and where its run belongs.
type Work struct {
	Task
	Index int // the caller's own
}

// Execute makes the runs of all tasks, so many at once, in order, and gives each run as it ends; a task that ctx kept from beginning gives none. told
// is called now and then with the part of the whole cost that is done. Neither is called by two goroutines at once, nor in a bubble, whose clock is
// not that of whoever waits. A task that fails does not keep the others from being made.
func Execute(
	ctx context.Context, bubbles bubble.Bubbles, work []Work, atOnce int, ended func(Work, result.Run), told func(part float64),
) error {
	whole := 0.0
	for _, w := range work {
		whole += w.Cost
	}
	meter := &meter{whole: whole, parts: make(map[int]float64)}
	defer meter.watch(told)()
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
					failed = errors.Join(failed, fmt.Errorf("%s %s: %w", w.Contender.ID, w.Variant, err))
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

// meter adds up what is done. It is told from within bubbles and tells outside of them.
type meter struct {
	mu    sync.Mutex
	parts map[int]float64
	done  float64
	whole float64
}

func (m *meter) set(n int, cost float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += cost - m.parts[n]
	m.parts[n] = cost
}

func (m *meter) part() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.whole == 0 {
		return 1
	}
	return min(m.done/m.whole, 1)
}

const tellEvery = 200 * time.Millisecond

// watch tells how far it is until the function that it gives is called.
func (m *meter) watch(told func(part float64)) (stop func()) {
	if told == nil {
		return func() {}
	}
	stopped, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(tellEvery)
		defer ticker.Stop()
		for {
			select {
			case <-stopped:
				told(m.part())
				return
			case <-ticker.C:
				told(m.part())
			}
		}
	}()
	return func() {
		close(stopped)
		<-ended
	}
}
