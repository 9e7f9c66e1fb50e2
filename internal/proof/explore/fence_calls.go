package explore

import (
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// acquire lets a request for a grant take effect.
func (f *Fills) acquire(what any) (granted cacheaside.Grant) {
	if asked, ok := what.(acquisition); ok {
		granted = f.fences.acquire(asked.request, asked.seen, asked.lease)
	}
	return granted
}

// check looks whether a fence is the record's.
func (f *Fills) check(what any) bool {
	asked, ok := what.(checking)
	return ok && f.fences.record.is(asked.fence, f.fences.now())
}

// record lets a fill take effect, or a record without fences.
func (f *Fills) record(a *actor, what recording) cacheaside.RecordOutcome {
	if f.fences != nil {
		return f.fences.fill(what)
	}
	return f.store.record(a.clock.skew, what.entry, what.condition)
}

// applyFenced lets what else is written in a fleet act on the store.
func (f *Fills) applyFenced(what any) (outcome cacheaside.RecordOutcome) {
	switch asked := what.(type) {
	case acquisition:
		f.fences.acquire(asked.request, asked.seen, asked.lease)
	case releasing:
		f.fences.release(asked.fence)
	case putting:
		return f.fences.put(asked.entry)
	case nil:
		return f.fences.invalidate()
	}
	return outcome
}

// noteGrant keeps what a flight was told of its grant.
func (f *Fills) noteGrant(a *actor, issuer string, reply any) {
	delete(a.grants, issuer)
	if granted, ok := reply.(cacheaside.Grant); ok && granted.Kind == cacheaside.GrantGranted {
		a.grants[issuer] = granted.Fence
	}
}

// addLosses adds what the store may lose.
func (f *Fills) addLosses(add adder) {
	if f.fences == nil || f.left.losses == 0 {
		return
	}
	record, entry := f.fences.record.token != 0, f.store.current != 0
	lose := func(entry, record, back bool) func() {
		return func() {
			f.left.losses--
			// What is written under a clock that went back is over too soon for everybody else's.
			f.tombLost = f.tombLost || back || entry && f.store.tomb
			f.fences.lose(entry, record)
			if back {
				f.fences.stepBack()
			}
		}
	}
	if f.cfg.Fence != FencedRule {
		if record {
			add(lose(false, true, false), "the fence record is evicted")
		}
		if entry {
			add(lose(true, false, false), "the entry is evicted")
		}
	}
	if record && (entry || f.cfg.Fence == FencedRule) {
		add(lose(true, true, false), "the entry and the fence record are evicted")
	}
	if record && f.cfg.StepBack && !f.fences.issued.IsZero() {
		add(lose(true, true, true), "the store is flushed and its clock goes back to the last grant")
	}
}

// answerSince answers what was asked of the store since a moment, while time passes.
func (f *Fills) answerSince(begun, to time.Time) {
	if f.fences == nil {
		return
	}
	for time.Now().Before(to) {
		call := f.askedSince(begun)
		if call == nil {
			return
		}
		f.reply(call)
		synctest.Wait()
		f.takeIn()
	}
}

func (f *Fills) askedSince(begun time.Time) *Parked {
	for _, call := range f.parking.Waiting() {
		if call.Since.After(begun) && (call.Kind == kindAcquire || call.Kind == kindLookup || call.Kind == kindRelease) {
			return call
		}
	}
	return nil
}

// polls gives the timers that the processes of a fleet have set.
func (f *Fills) polls() (at []time.Time) {
	for _, a := range f.actors {
		if !a.crashed {
			at = append(at, a.clock.set.list()...)
		}
	}
	return at
}
