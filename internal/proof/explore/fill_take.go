package explore

import (
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// takeIn notes what has happened since the last quiescent point.
func (f *Fills) takeIn() {
	f.mu.Lock()
	arrivals := f.arrivals
	f.arrivals = nil
	f.mu.Unlock()
	for _, arrival := range arrivals {
		arrival()
	}
	for _, call := range f.parking.Waiting() {
		if f.actors[call.Actor].crashed {
			f.stranded = append(f.stranded, f.parking.Strand(call)) // its timers run on
			continue
		}
		if p := told(call); call.Kind == kindLoad && p.load == nil {
			p.load = f.newLoad(call)
			f.loads[call.Name()] = p.load
			f.checkOneLoad(p.load)
		}
	}
	f.noteTrouble()
	for _, a := range f.actors {
		if f.atRest(a) {
			a.history, a.failed = nil, time.Time{}
			a.clock.set.clear()
		}
	}
}

// newLoad notes a load that has begun. Its flight may be older, and superseded already.
func (f *Fills) newLoad(call *Parked) *load {
	a := f.actors[call.Actor]
	l := &load{actor: a, number: len(f.loads) + 1, begun: call.Since, fence: a.grants[call.Issuer]}
	for _, g := range a.gets {
		if g.issuer == call.Issuer {
			l.marked, l.blind = a.marks > g.marks, g.missed
		}
	}
	return l
}

// atRest tells whether nothing of an actor's past matters any more to what it does from now on.
func (f *Fills) atRest(a *actor) bool {
	if a.crashed || len(a.history) == 0 {
		return a.crashed
	}
	for _, g := range a.gets {
		if !g.done {
			return false
		}
	}
	if a.index == f.cfg.Writer && f.writing != nil && f.writing.on {
		return false
	}
	return idle(a.region.Stats())
}

func idle(s cacheaside.Stats) bool {
	return s.InFlightKeys+s.Waiters+s.RunningLoads+s.OverdueLoads+s.RememberedFailures+s.RunningRecords == 0
}

// mark notes that the loads of an actor that run are older than an invalidation that its process knows of.
func (f *Fills) mark(a *actor) {
	a.marks++
	for _, l := range f.loads {
		if l.actor == a && !l.returned {
			l.marked = true
		}
	}
}
