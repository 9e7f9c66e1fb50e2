package explore

import (
	"strconv"
	"time"
)

// Choices implements [System]: the calls of every actor, the writer, what is on its way, and time.
func (f *Fills) Choices() []Choice {
	f.takeIn()
	var choices []Choice
	add := func(do func(), name string) { choices = append(choices, Choice{Name: name, Do: do}) }
	for _, call := range f.parking.Waiting() {
		f.addCall(add, call)
	}
	for _, a := range f.actors {
		if len(a.gets) < f.cfg.Gets[a.index] && !a.crashed {
			add(func() { f.startGet(a) }, a.name+" begins get"+strconv.Itoa(len(a.gets)+1))
		}
	}
	f.addLeaves(add)
	f.addWriter(add)
	for _, g := range f.ghosts {
		add(func() { f.land(g) }, g.name+", which nobody waits for, takes effect")
	}
	if f.left.evictions > 0 && f.store.tomb {
		add(func() { f.left.evictions--; f.store.remove() }, "the tombstone is evicted")
	}
	f.addLosses(add)
	for _, a := range f.actors {
		if f.left.crashes > 0 && !a.crashed && len(a.history) > 0 {
			add(func() { f.left.crashes--; f.crash(a) }, a.name+" crashes")
		}
	}
	if f.left.timeSteps > 0 {
		for _, m := range f.moments(time.Now()) {
			add(func() { f.left.timeSteps--; f.advance(m.at) }, "time passes, to "+m.what)
		}
	}
	return choices
}

type adder func(do func(), name string)

// addCall adds what may become of one parked call.
func (f *Fills) addCall(add adder, call *Parked) {
	p, name := told(call), call.Name()
	failing := func(do func(*Parked)) func() { return func() { f.left.faults--; do(call) } }
	verb := " takes effect"
	switch call.Kind {
	case kindLookup:
		verb = " looks"
	case kindLoad:
		verb = " reads"
	}
	if p.done {
		add(func() { f.reply(call) }, name+" is answered")
	} else {
		add(func() { f.reply(call) }, name+verb+" and is answered")
		if !f.cfg.Whole && call.Kind != kindRelease {
			add(func() { f.effect(call) }, name+verb)
		}
	}
	if f.left.faults == 0 {
		return
	}
	switch {
	case f.cfg.Blind && call.Kind != kindLookup:
	case call.Kind == kindLookup || call.Kind == kindLoad || call.Kind == kindCheck:
		add(failing(f.fail), name+" fails")
	case p.done:
		add(failing(f.fail), "the reply of "+name+" is lost")
	case call.Kind == kindRelease: // nobody hears of it
		add(failing(f.lose), name+" is given up while it is on its way")
		add(failing(f.refuse), name+" is never sent")
	default:
		add(failing(func(call *Parked) { f.effect(call); f.fail(call) }), name+" takes effect and its reply is lost")
		if call.Kind != kindPut || f.cfg.LatePuts {
			add(failing(f.lose), name+" is given up while it is on its way")
		}
		add(failing(f.refuse), name+" is never sent")
	}
}

func (f *Fills) addLeaves(add adder) {
	for _, a := range f.actors {
		for _, g := range a.gets {
			if f.left.leaves > 0 && !a.crashed && !g.done && !g.gone {
				add(func() { f.left.leaves--; f.leave(g) }, "the caller of "+a.name+" "+g.issuer+" leaves")
			}
		}
	}
}

func (f *Fills) addWriter(add adder) {
	switch {
	case f.actors[f.cfg.Writer].crashed:
	case f.writing == nil && f.left.updates > 0:
		add(func() {
			f.left.updates--
			f.version++
			f.writing = &writing{version: f.version}
		}, "the row becomes version "+strconv.Itoa(f.version+1))
	case f.writing != nil && !f.writing.on:
		if !f.cfg.OnlyPuts {
			add(func() { f.startInvalidate(false) }, f.actors[f.cfg.Writer].name+" begins to invalidate")
		}
		if f.cfg.Ordered {
			add(func() { f.startInvalidate(true) }, f.actors[f.cfg.Writer].name+" begins to put")
		}
	}
}
