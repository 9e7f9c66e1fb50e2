package explore

import (
	"slices"
	"testing/synctest"
	"time"
)

// moment is one at which something changes by itself.
type moment struct {
	at   time.Time
	what string
}

// moments gives those that time may pass to in one step: the next one of all, the next deadline of a load, and the end of what is stored by
// everybody's clock.
func (f *Fills) moments(now time.Time) []moment {
	var list []moment
	add := func(at time.Time, what string) {
		if at.After(now) && !slices.ContainsFunc(list, func(m moment) bool { return m.at.Equal(at) }) {
			list = append(list, moment{at, what})
		}
	}
	timers := f.timers()
	if at := earliest(now, timers); !at.IsZero() {
		add(at, "the next timer")
	}
	var deadlines []time.Time
	for _, l := range f.loads {
		if !l.returned && !l.actor.crashed {
			deadlines = append(deadlines, l.begun.Add(f.cfg.Policy.LoadDeadline))
		}
	}
	if at := earliest(now, deadlines); !at.IsZero() {
		add(at, "the next load deadline")
	}
	slowest := max(0, -f.cfg.Skew)
	if !f.store.soft.IsZero() {
		add(f.store.soft.Add(slowest), "the soft expiry")
	}
	if f.store.current != 0 {
		add(f.store.hard.Add(slowest), "the hard expiry")
	}
	if f.fences != nil && f.fences.record.live(f.fences.now()) {
		add(f.fences.record.expires.Add(-f.fences.skew), "the end of the grant")
	}
	return list
}

// timers gives every moment at which the code that is explored, or the store, changes by itself; some of the timers may be stopped by now.
func (f *Fills) timers() []time.Time {
	var at []time.Time
	p := f.cfg.Policy
	for _, call := range f.parking.Waiting() {
		switch call.Kind {
		case kindLoad:
			at = append(at, call.Since.Add(p.LoadDeadline), call.Since.Add(2*p.LoadDeadline))
			continue
		case kindRecord:
			at = append(at, call.Since.Add(p.RecordWait))
		}
		at = append(at, call.Until)
	}
	for _, g := range f.ghosts {
		at = append(at, g.until)
	}
	if f.fences != nil {
		at = append(at, f.fences.record.expires.Add(-f.fences.skew), f.fences.record.until.Add(-f.fences.skew))
	}
	for _, a := range f.actors {
		if a.crashed {
			continue
		}
		at = append(at, a.clock.set.list()...)
		for _, g := range a.gets {
			if !g.done && !g.looked.IsZero() {
				at = append(at, g.looked.Add(p.ServeStale.RefreshWait), g.looked.Add(p.AdmissionWait))
			}
		}
		if !a.failed.IsZero() {
			at = append(at, a.failed.Add(p.FailureBackoff))
		}
		if f.store.current != 0 {
			at = append(at, f.store.soft.Add(-a.clock.skew), f.store.hard.Add(-a.clock.skew))
		}
	}
	return at
}

func earliest(now time.Time, times []time.Time) (first time.Time) {
	for _, at := range times {
		if at.After(now) && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// advance lets time pass, and gives up, at its time and one after the other, every call whose limit is reached, and every ghost. What the
// processes of a fleet ask while they wait for one another is answered at once meanwhile.
func (f *Fills) advance(to time.Time) {
	for begun := time.Now(); ; {
		f.expire()
		f.answerSince(begun, to)
		now := time.Now()
		if !now.Before(to) {
			return
		}
		// A call that comes meanwhile is not due before the shorter limit has passed.
		next := now.Add(min(to.Sub(now), lookupTimeout, recordTimeout))
		for _, call := range f.parking.Waiting() {
			if call.Until.After(now) && call.Until.Before(next) {
				next = call.Until
			}
		}
		if at := earliest(now, f.polls()); !at.IsZero() && at.Before(next) {
			next = at
		}
		time.Sleep(next.Sub(now))
		synctest.Wait()
		f.takeIn()
	}
}

func (f *Fills) expire() {
	now := time.Now()
	f.ghosts = slices.DeleteFunc(f.ghosts, func(g *ghost) bool { return !now.Before(g.until) })
	for {
		calls := f.parking.Waiting()
		due := slices.IndexFunc(calls, func(call *Parked) bool { return !call.Until.IsZero() && !now.Before(call.Until) })
		if due < 0 {
			return
		}
		f.upset = true
		f.fail(calls[due])
		synctest.Wait()
		f.takeIn()
	}
}
