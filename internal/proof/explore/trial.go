package explore

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
)

// ErrStuck is in the chain of a violation where the fair completion did not end.
var ErrStuck = errors.New("explore: the completion does not end")

// mostSettling bounds the steps of a completion.
const mostSettling = 5000

// What [course.pick] may tell instead of a choice.
const (
	complete = -1 // let everything end, and check the end
	cut      = -2 // go no further, and check nothing more
)

// course is how a run goes.
type course struct {
	// checkFrom is the quiescent point from which on promises are checked: what comes before was checked by the run that came there first.
	checkFrom int

	// pick decides at the quiescent point after so many choices.
	pick func(made int, system System, choices []Choice) int

	// settled tells whether a completion was at this point before, and has ended well; nil knows none.
	settled func(system System) bool
}

// trial is one run of a fresh system.
type trial struct {
	schedule Schedule
	names    []string
	settling []string
	cut      bool
	err      error // the promise that was broken
}

// try runs one system in a bubble of its own.
func try(t *testing.T, create func() System, how course) (made trial) {
	t.Helper()
	defer func() {
		// The bubble ends with a panic where goroutines are left in it that nothing can wake.
		if left := recover(); left != nil && made.err == nil {
			made.err = fmt.Errorf("explore: after the end: %v", left)
		}
	}()
	synctest.Test(t, func(*testing.T) {
		system := create()
		defer system.Close()
		defer func() {
			if thrown := recover(); thrown != nil {
				made.err = fmt.Errorf("explore: panic after %d choices: %v", len(made.schedule), thrown)
			}
		}()
		made.err = made.run(system, how)
	})
	return made
}

func (m *trial) run(system System, how course) error {
	for {
		synctest.Wait()
		if len(m.schedule) >= how.checkFrom {
			if err := system.Check(); err != nil {
				return err
			}
		}
		choices := system.Choices()
		index := how.pick(len(m.schedule), system, choices)
		switch {
		case index == cut:
			m.cut = true
			return nil
		case index < 0 || index >= len(choices):
			return m.settle(system, how.settled)
		}
		m.schedule, m.names = append(m.schedule, index), append(m.names, choices[index].Name)
		choices[index].Do()
	}
}

func (m *trial) settle(system System, settled func(System) bool) error {
	for {
		if settled != nil && settled(system) {
			return nil
		}
		step := system.Settle()
		if step == "" {
			break
		}
		m.settling = append(m.settling, step)
		synctest.Wait()
		if err := system.Check(); err != nil {
			return err
		}
		if len(m.settling) > mostSettling {
			return ErrStuck
		}
	}
	synctest.Wait()
	return errors.Join(system.Check(), system.End())
}
