package explore_test

import (
	"errors"
	"fmt"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

// toy is a small system with a known number of schedules: actors that are goroutines, each of which parks before every step of its program, and a
// register that they share.
type toy struct {
	parking explore.Parking
	taken   []int // steps, by actor
	read    []int // what an actor has read, by actor
	value   int

	more   func() []explore.Choice // beside the steps; nil is none
	check  func() error
	settle func() string // instead of the toy's own
	end    func() error
}

// program is the steps of one actor.
type program []func(t *toy, actor int)

func idleSteps(n int) program {
	steps := make(program, n)
	for i := range steps {
		steps[i] = func(*toy, int) {}
	}
	return steps
}

// increment reads the register and writes it back one larger, in two steps.
func increment() program {
	return program{
		func(t *toy, actor int) { t.read[actor] = t.value },
		func(t *toy, actor int) { t.value = t.read[actor] + 1 },
	}
}

func newToy(programs ...program) *toy {
	t := &toy{taken: make([]int, len(programs)), read: make([]int, len(programs))}
	for actor, steps := range programs {
		go func() {
			for _, step := range steps {
				if t.parking.Park(&explore.Parked{Actor: actor, Issuer: "program", Kind: "step"}) == nil {
					return
				}
				step(t, actor)
				t.taken[actor]++
			}
		}()
	}
	return t
}

func (t *toy) Choices() []explore.Choice {
	var choices []explore.Choice
	for _, call := range t.parking.Waiting() {
		choices = append(choices, explore.Choice{Name: call.Name(), Do: func() { t.parking.Release(call, true) }})
	}
	if t.more != nil {
		choices = append(choices, t.more()...)
	}
	return choices
}

func (t *toy) State() string { return fmt.Sprint(t.taken, t.read, t.value) }

func (t *toy) Check() error {
	if t.check != nil {
		return t.check()
	}
	return nil
}

func (t *toy) Settle() string {
	if t.settle != nil {
		return t.settle()
	}
	if calls := t.parking.Waiting(); len(calls) > 0 {
		t.parking.Release(calls[0], true)
		return calls[0].Name()
	}
	return ""
}

func (t *toy) End() error {
	if t.end != nil {
		return t.end()
	}
	return nil
}

func (t *toy) Close() { t.parking.Close() }

var errLostUpdate = errors.New("an update is lost")

// twoIncrements is the oldest race there is.
func twoIncrements() explore.System {
	t := newToy(increment(), increment())
	t.end = func() error {
		if t.value != 2 {
			return errLostUpdate
		}
		return nil
	}
	return t
}
