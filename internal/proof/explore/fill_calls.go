package explore

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// effect lets a parked call act on the store or the source now, once; its reply stays behind.
func (f *Fills) effect(call *Parked) *progress {
	p, a := told(call), f.actors[call.Actor]
	if p.done {
		return p
	}
	p.done = true
	switch call.Kind {
	case kindLookup:
		p.found = f.store.lookup(a.clock.skew)
		if p.found.Observation != "" {
			p.write = f.store.current
		}
	case kindLoad:
		p.row = Row{Version: f.version, Load: call.Name()}
	case kindAcquire:
		p.grant = f.acquire(call.What)
	case kindCheck:
		p.passed = f.check(call.What)
	default:
		p.outcome = f.apply(a, call.What)
		if call.Kind == kindInvalidate || call.Kind == kindPut {
			f.writing.applied = p.outcome.Certainty == cacheaside.RecordApplied || p.outcome.Reason == cacheaside.RecordOlderRevision
		}
	}
	return p
}

// apply lets a write act on the store.
func (f *Fills) apply(a *actor, what any) cacheaside.RecordOutcome {
	record, ok := what.(recording)
	switch {
	case !ok && f.fences != nil:
		return f.applyFenced(what)
	case !ok:
		return f.store.invalidate(a.clock.skew)
	}
	outcome := f.record(a, record)
	if outcome.Certainty == cacheaside.RecordApplied {
		l := f.loads[record.entry.Value.Load]
		l.stored = true
		f.checkGrant(l, record)
		if in := l.begun.Add(f.cfg.Policy.LoadDeadline + FillTTL().Hard + a.clock.skew); l.late && outcome.HardExpiresAt.After(in) {
			f.breaks("the late result of %s lives longer than if it had come in time", record.entry.Value.Load)
		}
		if l.denied {
			f.breaks("the record of %s took effect after a caller was told that it did not", record.entry.Value.Load)
		}
	}
	return outcome
}

// reply lets a parked call have its effect, if it has not yet, and go on with the truth.
func (f *Fills) reply(call *Parked) {
	p := f.effect(call)
	switch call.Kind {
	case kindLookup:
		f.deliver(call, p.found)
	case kindLoad:
		f.deliver(call, p.row)
	case kindAcquire:
		f.deliver(call, p.grant)
	case kindCheck:
		f.deliver(call, p.passed)
	default:
		f.deliver(call, p.outcome)
	}
}

// fail lets a parked call go on without an answer: the store could not be asked, or its reply is lost, or the source is down.
func (f *Fills) fail(call *Parked) {
	f.mayStay(call)
	f.deliver(call, nil)
}

// refuse lets a write go on that was certainly never sent.
func (f *Fills) refuse(call *Parked) {
	f.astray = f.astray || call.Kind == kindRelease
	if call.Kind == kindAcquire {
		f.deliver(call, cacheaside.Grant{Kind: cacheaside.GrantUnavailable, Err: errStoreDown})
		return
	}
	f.deliver(call, cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordNeverSent, Err: errStoreDown})
}

// lose lets a write go on that does not learn what becomes of it, while it is still on its way.
func (f *Fills) lose(call *Parked) {
	f.mayStay(call)
	f.haunt(call)
	f.deliver(call, nil)
}

// haunt makes a ghost of a write that has not taken effect.
func (f *Fills) haunt(call *Parked) {
	if told(call).done || call.Kind == kindLookup || call.Kind == kindLoad || call.Kind == kindCheck {
		return
	}
	f.ghosts = append(f.ghosts, &ghost{name: call.Name(), actor: f.actors[call.Actor], what: call.What, until: call.Until})
	slices.SortFunc(f.ghosts, func(a, b *ghost) int { return cmp.Compare(a.name, b.name) })
}

// land lets a ghost take effect.
func (f *Fills) land(g *ghost) {
	f.ghosts = slices.DeleteFunc(f.ghosts, func(other *ghost) bool { return other == g })
	f.apply(g.actor, g.what)
}

// deliver hands a reply to the actor, and notes what the actor knows by it.
func (f *Fills) deliver(call *Parked, reply any) {
	a, p := f.actors[call.Actor], told(call)
	what := event{at: time.Now(), what: call.Name()}
	switch got := reply.(type) {
	case cacheaside.Lookup[Row]:
		what.what += fmt.Sprintf(" %s/%s v%d", got.Kind, got.Miss, got.Value.Version)
		what.write, what.soft, what.hard = p.write, got.SoftExpiresAt, got.HardExpiresAt
		if got.Miss == cacheaside.MissInvalidated {
			f.mark(a)
		}
	case cacheaside.RecordOutcome:
		what.what += fmt.Sprintf(" %s/%s", got.Certainty, got.Reason)
		what.soft, what.hard = got.SoftExpiresAt, got.HardExpiresAt
	case cacheaside.Grant:
		what.what += fmt.Sprintf(" %s %s", got.Kind, got.Remaining)
		what.fence = got.Fence
	case bool:
		what.what += fmt.Sprint(" ", got)
	case Row:
		what.what += fmt.Sprintf(" v%d", got.Version)
	default:
		what.what += " nothing"
	}
	a.history = append(a.history, what)
	f.noteReply(a, call, reply)
	f.parking.Release(call, reply)
}

func (f *Fills) noteReply(a *actor, call *Parked, reply any) {
	switch call.Kind {
	case kindLookup:
		for _, g := range a.gets {
			if call.Issuer != g.issuer {
				continue
			}
			if g.missed = g.missed || reply == nil; g.looked.IsZero() {
				found, _ := reply.(cacheaside.Lookup[Row])
				g.looked, g.marks = time.Now(), a.marks
				g.blind, g.tomb = reply == nil || f.tombLost, found.Miss == cacheaside.MissInvalidated
			}
		}
	case kindAcquire:
		f.noteGrant(a, call.Issuer, reply)
	case kindLoad:
		l := told(call).load
		l.returned, l.failed, l.late = true, reply == nil, time.Since(l.begun) >= f.cfg.Policy.LoadDeadline
		if reply == nil {
			a.failed = time.Now()
		}
	}
}

// leave ends the context of a Get. A load that nobody waits for then may be given up, and another one begin.
func (f *Fills) leave(g *get) {
	g.gone = true
	g.actor.happened(g.issuer + " leaves")
	if f.cfg.Policy.CancelAbandoned {
		f.mark(g.actor)
	}
	g.leave()
}

// crash ends an actor's process: nothing that it waits for comes any more, and what it has sent may still arrive.
func (f *Fills) crash(a *actor) {
	a.crashed, f.astray = true, true
	for _, call := range f.parking.Waiting() {
		if call.Actor == a.index {
			f.haunt(call)
			f.stranded = append(f.stranded, f.parking.Strand(call))
		}
	}
	if a.index == f.cfg.Writer {
		f.writing = nil
	}
}
