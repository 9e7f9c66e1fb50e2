package explore

import (
	"fmt"
	"time"
)

// Choices implements [System]: the calls of every actor, the writer, what is on its way, and time.
func (f *Fills) Choices() []Choice {
	f.takeIn()
	var choices []Choice
	add := func(do func(), format string, arguments ...any) {
		choices = append(choices, Choice{Name: fmt.Sprintf(format, arguments...), Do: do})
	}
	for _, call := range f.parking.Waiting() {
		f.addCall(add, call)
	}
	for _, a := range f.actors {
		if len(a.gets) < f.cfg.Gets && !a.crashed {
			add(func() { f.startGet(a) }, "a%d begins get%d", a.index, len(a.gets)+1)
		}
	}
	f.addWriter(add)
	for _, g := range f.ghosts {
		add(func() { f.land(g) }, "%s, which nobody waits for, takes effect", g.name)
	}
	if f.left.evictions > 0 && f.store.tomb {
		add(func() { f.left.evictions--; f.store.remove() }, "the tombstone is evicted")
	}
	for _, a := range f.actors {
		if f.left.crashes > 0 && !a.crashed && len(a.history) > 0 {
			add(func() { f.left.crashes--; f.crash(a) }, "a%d crashes", a.index)
		}
	}
	if f.left.timeSteps > 0 {
		for _, m := range f.moments(time.Now()) {
			add(func() { f.left.timeSteps--; f.advance(m.at) }, "time passes, to %s", m.what)
		}
	}
	return choices
}

type adder func(do func(), format string, arguments ...any)

// addCall adds what may become of one parked call.
func (f *Fills) addCall(add adder, call *Parked) {
	p, name := told(call), call.Name()
	failing := func(do func(*Parked)) func() { return func() { f.left.faults--; do(call) } }
	verb := map[string]string{kindLookup: "looks", kindLoad: "reads", kindRecord: "takes effect", kindInvalidate: "takes effect"}[call.Kind]
	if p.done {
		add(func() { f.reply(call) }, "%s is answered", name)
	} else {
		add(func() { f.reply(call) }, "%s %s and is answered", name, verb)
		add(func() { f.effect(call) }, "%s %s", name, verb)
	}
	if f.left.faults == 0 {
		return
	}
	switch {
	case call.Kind == kindLookup || call.Kind == kindLoad:
		add(failing(f.fail), "%s fails", name)
	case p.done:
		add(failing(f.fail), "the reply of %s is lost", name)
	default:
		add(failing(func(call *Parked) { f.effect(call); f.fail(call) }), "%s takes effect and its reply is lost", name)
		add(failing(f.lose), "%s is given up while it is on its way", name)
		add(failing(f.refuse), "%s is never sent", name)
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
		}, "the row becomes version %d", f.version+1)
	case f.writing != nil && !f.writing.on:
		add(f.startInvalidate, "a%d begins to invalidate", f.cfg.Writer)
	}
}
