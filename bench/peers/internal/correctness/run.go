package correctness

import (
	"context"
	"sync"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// Runner runs experiments in processes of their own.
type Runner struct {
	Program string // to start again; it calls Child where IsChild
	Addr    string // of a Redis to use; "" starts one for each experiment
	// Namespace is what all keys begin with, before a colon; "" is "bench". Whoever names the Redis deletes them afterwards.
	Namespace string
	Parallel  int // experiments at once, those left out that must be alone
	Done      func(Cell)
}

// Run puts every experiment to every peer and gives the cells in their order, experiments first. Cells that were not reached before ctx ended are
// left out. Done, where set, is called for each cell as it ends, by one goroutine at a time.
func (r Runner) Run(ctx context.Context, experiments []Experiment, peers []adapters.Peer) []Cell {
	var together, alone []task
	results := make([]*Cell, len(experiments)*len(peers))
	for e, experiment := range experiments {
		for p, peer := range peers {
			next := task{experiment, peer, &results[e*len(peers)+p]}
			if experiment.Alone {
				alone = append(alone, next)
			} else {
				together = append(together, next)
			}
		}
	}
	r.work(ctx, together, r.Parallel)
	r.work(ctx, alone, 1)
	var done []Cell
	for _, c := range results {
		if c != nil {
			done = append(done, *c)
		}
	}
	return done
}

// task is one cell to fill.
type task struct {
	experiment Experiment
	peer       adapters.Peer
	into       **Cell
}

// work fills cells, several at once, and returns when all are or ctx has ended.
func (r Runner) work(ctx context.Context, tasks []task, parallel int) {
	queue := make(chan task)
	var told sync.Mutex // guards calls of Done
	var workers sync.WaitGroup
	for range max(parallel, 1) {
		workers.Go(func() {
			for t := range queue {
				cell := r.cell(ctx, t.experiment, t.peer)
				if ctx.Err() != nil {
					continue // it was interrupted, and what it says is about that
				}
				*t.into = &cell
				if r.Done != nil {
					told.Lock()
					r.Done(cell)
					told.Unlock()
				}
			}
		})
	}
	for _, t := range tasks {
		select {
		case queue <- t:
		case <-ctx.Done():
		}
	}
	close(queue)
	workers.Wait()
}
