package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	readyWait  = 2 * time.Minute        // for all to have warmed up
	reportWait = 30 * time.Second       // for a report after the end of a run
	stopWait   = 10 * time.Second       // for a report after a stop
	headStart  = 150 * time.Millisecond // from the word to begin to the beginning, for all to have heard it
)

// fleet is the worker processes of one run.
type fleet struct{ members []*member }

// assemble starts a worker for each job and returns when all are ready to begin. The caller dismisses them, also after an error.
func (f *fleet) assemble(ctx context.Context, jobs []job) error {
	for _, j := range jobs {
		m, err := hire(j)
		if err != nil {
			return err
		}
		f.members = append(f.members, m)
	}
	ctx, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	return f.each(ctx, func(ctx context.Context, m *member) error {
		_, err := m.hear(ctx)
		return err
	})
}

// begin gives the time at which all begin: what the workers are told, to the microsecond and on the wall clock, since what one process reads off its
// monotonic clock means nothing to another, and a call that seems to come before the beginning is not counted.
func (f *fleet) begin() time.Time {
	start := time.UnixMicro(time.Now().Add(headStart).UnixMicro())
	for _, m := range f.members {
		m.tell(command{Begin: start.UnixMicro()})
	}
	return start
}

// stop asks all to end what they do and to report what they have.
func (f *fleet) stop() {
	for _, m := range f.members {
		m.tell(command{Stop: true})
	}
}

// reports waits for what all have found in a run that ends at the given time. When ctx ends they are stopped, and what they found by then is given.
func (f *fleet) reports(ctx context.Context, end time.Time) (report, error) {
	wait, cancel := context.WithDeadline(context.WithoutCancel(ctx), end.Add(reportWait))
	defer cancel()
	stopped := context.AfterFunc(ctx, func() {
		f.stop()
		time.AfterFunc(stopWait, cancel)
	})
	defer stopped()
	var mu sync.Mutex
	var sum report
	err := f.each(wait, func(wait context.Context, m *member) error {
		heard, err := m.hear(wait)
		switch {
		case m.killed.Load():
			return nil // what it found, if anything, is not of the run
		case err != nil:
			return err
		case heard.Report == nil || heard.Report.Tally == nil:
			return m.failed(errors.New("what it says is no report"))
		}
		mu.Lock()
		defer mu.Unlock()
		sum.add(heard.Report)
		return nil
	})
	return sum, err
}

func (r *report) add(other *report) {
	if r.Tally == nil {
		*r = *other
		return
	}
	r.Tally.Add(other.Tally)
	r.Goroutines += other.Goroutines
	r.HeapBytes += other.HeapBytes
	r.Stopped = r.Stopped || other.Stopped
	r.Facts.LateSeconds = max(r.Facts.LateSeconds, other.Facts.LateSeconds)
	if first := other.Facts.FirstGood; first >= 0 && (r.Facts.FirstGood < 0 || first < r.Facts.FirstGood) {
		r.Facts.FirstGood = first
	}
}

// each calls do for all members at once and returns when all calls have. The first failure ends the context of the others, and is what is returned.
func (f *fleet) each(ctx context.Context, do func(context.Context, *member) error) error {
	all, ctx := errgroup.WithContext(ctx)
	for _, m := range f.members {
		all.Go(func() error { return do(ctx, m) })
	}
	return all.Wait()
}

// dismiss ends all processes and returns when they are gone.
func (f *fleet) dismiss() error {
	return f.each(context.Background(), func(_ context.Context, m *member) error { return m.dismiss() })
}
