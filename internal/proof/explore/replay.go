package explore

import (
	"errors"
	"testing"
)

// ErrNoSuchChoice is in the chain of a replay's violation where the schedule makes a choice that the system does not offer.
var ErrNoSuchChoice = errors.New("explore: the schedule makes a choice that there is not")

// Replay makes the choices of a schedule, of what is named, and then lets everything end. It gives the choices in words, and the promise that was
// broken; nil if none was.
func Replay(t *testing.T, of string, create func() System, schedule Schedule) Violation {
	t.Helper()
	unknown := false
	made := try(t, create, course{pick: func(made int, _ System, choices []Choice) int {
		switch {
		case made >= len(schedule):
			return complete
		case schedule[made] >= len(choices):
			unknown = true
			return cut
		}
		return schedule[made]
	}})
	if unknown {
		made.err = ErrNoSuchChoice
	}
	return made.violation(of)
}
