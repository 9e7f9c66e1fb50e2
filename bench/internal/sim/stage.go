package sim

import (
	"context"
	"errors"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/cacheaside"
)

// Stage is a service without users, for calls that are made one by one at exact moments.
type Stage struct{ w *world }

// Play opens a service, lets script say what happens on it, waits for all of that, and gives the figures, to which script may add its own. Nothing
// of the setup that concerns users counts.
func Play(bubbles bubble.Bubbles, setup Setup, c contender.Contender, script func(Stage)) (result.Run, error) {
	var figures result.Run
	var err error
	stuck := bubbles.Run(func() {
		var w *world
		if w, err = open(setup, c); err != nil {
			return
		}
		time.Sleep(setup.WarmUp)
		script(Stage{w})
		w.callers.Wait()
		length := time.Since(w.zero)
		err = w.close()
		figures = w.counts.Tally().Figures(setup.Trigger, length+time.Second)
		figures.Extra = w.extra
	})
	figures.Contender, figures.Name, figures.Nodes = c.ID, c.Name, setup.Nodes
	return figures, errors.Join(err, stuck)
}

// At lets something happen so long after the warm-up; it is waited for in the end.
func (s Stage) At(after time.Duration, happen func()) {
	s.w.callers.Go(func() {
		time.Sleep(time.Until(s.w.zero.Add(after)))
		happen()
	})
}

// Since is how long the warm-up is over.
func (s Stage) Since() time.Duration { return time.Since(s.w.zero) }

// Call asks a node for a row and gives the answer with the time that it took.
func (s Stage) Call(ctx context.Context, node int, key uint64) (contender.Answer, time.Duration) {
	began := time.Now()
	attempt := s.w.counts.Begin(key, began)
	answer := s.w.nodes[node].reader.Get(ctx, key)
	ended := time.Now()
	good := s.w.counts.End(attempt, answer, ended)
	s.w.counts.Request(began, good)
	return answer, ended.Sub(began)
}

// CallWithin is Call with a deadline.
func (s Stage) CallWithin(limit time.Duration, node int, key uint64) (contender.Answer, time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return s.Call(ctx, node, key)
}

// Change writes a row at the source, and lets a node invalidate it.
func (s Stage) Change(node int, key uint64) { s.w.change(s.w.nodes[node], key) }

// PutStale leaves an entry of the first version in the store that is past its soft expiry. Only contenders on this library have such.
func (s Stage) PutStale(key uint64) { s.PutLoaded(key, s.w.setup.TTL.Soft*3/2) }

// PutLoaded leaves an entry of the first version in the store that was loaded so long ago, for contenders on this library; none that has expired
// since.
func (s Stage) PutLoaded(key uint64, ago time.Duration) {
	loaded := time.Now().Add(-ago)
	row := contender.Row{Version: 1, ReadAt: loaded.UnixMicro()}
	s.w.server.keepPrefilled(key, cacheaside.Entry[contender.Row]{Value: row, LoadedAt: loaded})
}

// SourceCalls is how often the source was called so far.
func (s Stage) SourceCalls() int64 { return s.w.counts.SourceCalls() }

// Count adds to a figure of the run.
func (s Stage) Count(figure string, by float64) { s.w.note(func() { s.w.extra[figure] += by }) }

// Raise keeps the largest value of a figure of the run.
func (s Stage) Raise(figure string, value float64) { s.w.note(func() { s.w.raise(figure, value) }) }

// Kill ends the process of a node, as by kill -9: nothing of what it does reaches the store any more.
func (s Stage) Kill(node int) { s.w.nodes[node].process.kill() }

// Suspend lets the process of a node do nothing at the store for so long, and then go on where it was.
func (s Stage) Suspend(node int, lasts time.Duration) {
	s.w.nodes[node].process.suspend(time.Now().Add(lasts))
}

// Look takes the figures that only a look at the nodes from outside gives.
func (s Stage) Look() { s.w.lookAtNodes() }

// Figure gives a figure of the run as it stands.
func (s Stage) Figure(name string) (value float64) {
	s.w.note(func() { value = s.w.extra[name] })
	return value
}

// Release lets go of every load that hangs: it fails, and whoever waits for it himself is back.
func (s Stage) Release() { s.w.source.end() }
