package explore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// End implements [System]: whoever called has been answered, and every region is at rest and as good as new.
func (f *Fills) End() error {
	f.takeIn()
	var errs []error
	for _, a := range f.actors {
		if a.crashed {
			continue
		}
		for _, g := range a.gets {
			if !g.done {
				errs = append(errs, fmt.Errorf("explore: a%d get%d never ended", a.index, g.number))
			}
		}
		if stats := a.region.Stats(); !idle(stats) {
			errs = append(errs, fmt.Errorf("explore: a%d is not at rest: %+v", a.index, stats))
		}
		errs = append(errs, f.checkPermits(a), f.checkClosed(a))
	}
	return errors.Join(errs...)
}

// checkPermits runs as many loads at once as there are permits, which is only possible where all of them are back.
func (f *Fills) checkPermits(a *actor) error {
	permits := f.cfg.Policy.SourceConcurrency
	running, letGo := make(chan struct{}, permits), make(chan struct{})
	for i := range permits {
		go func() {
			_, _ = cacheaside.Get(context.Background(), a.region, strconv.Itoa(i), func(context.Context, string) cacheaside.SourceOutcome[Row] {
				running <- struct{}{}
				<-letGo
				return cacheaside.Loaded(Row{}, "")
			})
		}()
	}
	synctest.Wait()
	got := len(running)
	close(letGo)
	synctest.Wait()
	if got != permits {
		return fmt.Errorf("explore: a%d can run %d loads at once at the end, %d permits are not back", a.index, got, permits-got)
	}
	return nil
}

// checkClosed closes the region, which takes no time where it owns no goroutine.
func (f *Fills) checkClosed(a *actor) error {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := a.region.Close(ended); err != nil {
		return fmt.Errorf("explore: a%d has goroutines left: %w", a.index, err)
	}
	return nil
}

// Close implements [System].
func (f *Fills) Close() {
	f.parking.Close()
	for _, release := range f.stranded {
		release()
	}
	if f.fences != nil {
		time.Sleep(f.coordinating()) // who waits for another process asks once more, and is told that nobody is there
	}
}
