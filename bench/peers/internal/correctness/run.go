package correctness

import (
	"context"
	"sync"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// Runner runs experiments in processes of their own.
type Runner struct {
	Program  string // to start again; it calls Child where IsChild
	Addr     string // of a Redis to use; "" starts one for each experiment
	Parallel int    // experiments at once; they mostly wait
	Done     func(Cell)
}

// Run puts every experiment to every peer and gives the cells in their order, experiments first. Cells that were not reached before ctx ended are
// left out. Done, where set, is called for each cell as it ends, by one goroutine at a time.
func (r Runner) Run(ctx context.Context, experiments []Experiment, peers []adapters.Peer) []Cell {
	type place struct{ experiment, peer int }
	cells := make([]*Cell, len(experiments)*len(peers))
	places := make(chan place)
	var told sync.Mutex // guards calls of Done
	var workers sync.WaitGroup
	for range max(r.Parallel, 1) {
		workers.Go(func() {
			for at := range places {
				cell := r.cell(ctx, experiments[at.experiment], peers[at.peer])
				if ctx.Err() != nil {
					continue // it was interrupted, and what it says is about that
				}
				cells[at.experiment*len(peers)+at.peer] = &cell
				if r.Done != nil {
					told.Lock()
					r.Done(cell)
					told.Unlock()
				}
			}
		})
	}
	for e := range experiments {
		for p := range peers {
			select {
			case places <- place{e, p}:
			case <-ctx.Done():
			}
		}
	}
	close(places)
	workers.Wait()
	var done []Cell
	for _, c := range cells {
		if c != nil {
			done = append(done, *c)
		}
	}
	return done
}
