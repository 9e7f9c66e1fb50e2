package explore

import (
	"errors"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// ErrOldValue is in the chain of a violation in which what was loaded before an invalidation came back after it.
var ErrOldValue = errors.New("explore: an old value is back")

func (f *Fills) breaks(format string, arguments ...any) {
	f.broken = append(f.broken, fmt.Errorf("explore: "+format, arguments...))
}

// answered judges what a Get gave.
func (f *Fills) answered(g *get, result cacheaside.Result[Row], err error, at time.Time) {
	g.done = true
	if g.actor.crashed {
		return
	}
	name := fmt.Sprintf("a%d get%d", g.actor.index, g.number)
	if sourceErr := (*cacheaside.SourceError)(nil); err != nil {
		left := g.gone && result.Status == cacheaside.StatusCancelled
		if !left && (f.calm || !errors.Is(err, cacheaside.ErrRejected) && !errors.As(err, &sourceErr)) {
			f.breaks("%s ended in %v, for which there is no cause", name, err)
		}
		f.judgeFailure(g, name, err)
		return
	}
	// A call that could not look has not seen the tombstone of another process, and may be answered by a load that began before it.
	excused := g.blind && result.Shared && g.actor.index != f.cfg.Writer
	switch version := result.Value.Version; {
	case version < g.floor && !excused:
		f.broken = append(f.broken, fmt.Errorf("%w: %s answered %s version %d, and %d was invalidated before it began",
			ErrOldValue, name, result.Status, version, g.floor))
	case version > f.version:
		f.breaks("%s answered version %d, which there is not yet", name, version)
	}
	if result.Status == cacheaside.StatusStale && !at.Add(g.actor.clock.skew).Before(result.HardExpiresAt) {
		f.breaks("%s answered a stale value past its hard expiry", name)
	}
	if result.Status == cacheaside.StatusLoaded {
		f.judgeRecord(name, result)
	}
}

// judgeFailure wants the failure of a load that is older than an invalidation to be nobody's answer who could know of it.
func (f *Fills) judgeFailure(g *get, name string, err error) {
	var failure *sourceFailure
	if !errors.As(err, &failure) || !g.tomb && g.actor.index != f.cfg.Writer {
		return
	}
	if l := f.loads[failure.load]; l.number <= g.newer {
		f.broken = append(f.broken, fmt.Errorf("%w: %s answered that %s failed, which is older than what was invalidated before it began",
			ErrOldValue, name, failure.load))
	}
}

// judgeRecord holds what a caller was told of the record against what became of it.
func (f *Fills) judgeRecord(name string, result cacheaside.Result[Row]) {
	l := f.loads[result.Value.Load]
	switch result.Record.Certainty {
	case cacheaside.RecordApplied:
		if !l.stored {
			f.breaks("%s was told that its record is applied, and it is not", name)
		}
	case cacheaside.RecordNotApplied:
		if l.denied = true; l.stored {
			f.breaks("%s was told that its record is not applied (%s), and it is", name, result.Record.Reason)
		}
	case cacheaside.RecordNone:
		if l.stored && !l.blind {
			f.breaks("%s was told of no record, and it is applied", name)
		}
	case cacheaside.RecordIndeterminate:
	}
}

// invalidated judges what an Invalidate gave.
func (f *Fills) invalidated(a *actor, err error) {
	if a.crashed {
		return
	}
	var refused *cacheaside.InvalidateError
	switch w := f.writing; {
	case err == nil:
		if !w.applied {
			f.breaks("an Invalidate returned nil and put no tombstone")
		}
		f.floor, f.newer, f.writing = w.version, w.loads, nil
	case !errors.As(err, &refused):
		f.breaks("an Invalidate ended in %v, for which there is no cause", err)
		f.writing = nil
	default:
		if w.on = false; w.applied && refused.Certainty == cacheaside.RecordNotApplied {
			f.breaks("an Invalidate told that it was not applied, and it was")
		}
	}
}

// Check implements [System].
func (f *Fills) Check() error {
	f.takeIn()
	errs := append(f.broken[:len(f.broken):len(f.broken)], f.brokenFences()...)
	if s := f.store; s.holds.Load != "" && s.holds.Version < f.floor && !s.old(min(0, f.cfg.Skew)) {
		errs = append(errs, fmt.Errorf("%w: the store holds version %d, and %d was invalidated", ErrOldValue, s.holds.Version, f.floor))
	}
	for _, a := range f.actors {
		if !a.crashed {
			errs = append(errs, f.checkLoads(a), f.checkCallers(a))
		}
	}
	return errors.Join(errs...)
}

func (f *Fills) checkLoads(a *actor) error {
	running, current := 0, 0
	for _, l := range f.loads {
		if l.actor != a || l.returned {
			continue
		}
		running++
		if !l.marked && time.Since(l.begun) < f.cfg.Policy.LoadDeadline {
			current++
		}
	}
	switch p := f.cfg.Policy; {
	case running > p.SourceConcurrency:
		return fmt.Errorf("explore: a%d runs %d loads at once, at most %d may be", a.index, running, p.SourceConcurrency)
	case running > max(p.MaxOverduePerKey, 2):
		return fmt.Errorf("explore: a%d runs %d loads of one key, at most %d may be", a.index, running, max(p.MaxOverduePerKey, 2))
	case current > 1:
		return fmt.Errorf("explore: a%d runs %d loads of one key that are neither superseded nor overdue", a.index, current)
	}
	return nil
}

// checkCallers holds every wait against its limit: that for the load and for the record of one's own flight, and in all the sum of the limits that a
// call may meet, up to three lookups, the coordination of a fleet, admission, load and record.
func (f *Fills) checkCallers(a *actor) error {
	p := f.cfg.Policy
	bound := 3*lookupTimeout + p.AdmissionWait + p.LoadDeadline + p.RecordWait + f.coordinating()
	for _, g := range a.gets {
		if waited := time.Since(g.begun); !g.done && waited > bound {
			return fmt.Errorf("explore: a%d get%d waits for %s, at most %s may be", a.index, g.number, waited, bound)
		}
	}
	limits := map[string]time.Duration{kindLoad: p.LoadDeadline, kindRecord: p.RecordWait}
	for _, call := range f.parking.Waiting() {
		if limit, limited := limits[call.Kind]; limited && time.Since(call.Since) > limit && f.waitsFor(a, call) {
			return fmt.Errorf("explore: %s makes its caller wait for longer than %s", call.Name(), limit)
		}
	}
	return nil
}

// waitsFor tells whether the Get of an actor that made a call waits for nothing else.
func (f *Fills) waitsFor(a *actor, call *Parked) bool {
	for _, other := range f.parking.Waiting() {
		if other.Actor == call.Actor && other.Issuer == call.Issuer && other.Kind == kindLookup {
			return false
		}
	}
	for _, g := range a.gets {
		if call.Actor == a.index && call.Issuer == g.issuer {
			return !g.done
		}
	}
	return false
}
