package explore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

func TestASystemThatIsNotDeterministicIsTold(t *testing.T) {
	t.Parallel()
	runs := 0
	create := func() explore.System {
		runs++
		odd := newToy(idleSteps(3), idleSteps(3))
		if runs%2 == 0 {
			odd.more = func() []explore.Choice { return []explore.Choice{{Name: "now and then", Do: func() {}}} }
		}
		return odd
	}
	if report := (explore.Search{New: create, Depth: 3, Unpruned: true}).Run(t); report.Diverged == 0 {
		t.Errorf("%s: nothing diverged", report)
	}
}

func TestAGoroutineThatIsLeftBehindIsAViolation(t *testing.T) {
	t.Parallel()
	report := explore.Search{New: func() explore.System {
		leaky := newToy(idleSteps(1))
		leaky.more = func() []explore.Choice { return []explore.Choice{{Name: "leak", Do: leaveBehind}} }
		return leaky
	}, Depth: 1}.Run(t)
	if len(report.Violations) != 1 || report.Violations[0].Schedule.String() != "1" {
		t.Errorf("%s, want a violation of the schedule 1 alone:\n%s", report, texts(report.Violations))
	}
}

// leaveBehind starts a goroutine that nothing can wake. The check for leaks at the end of all tests knows it by name.
func leaveBehind() { go waitForEver(make(chan struct{})) }

func waitForEver(never chan struct{}) { <-never }

func TestAPanicOfASystemIsAViolation(t *testing.T) {
	t.Parallel()
	report := explore.Search{New: func() explore.System {
		fragile := newToy(idleSteps(1))
		fragile.more = func() []explore.Choice { return []explore.Choice{{Name: "panic", Do: func() { panic("no") }}} }
		return fragile
	}, Depth: 2}.Run(t)
	if len(report.Violations) == 0 || !strings.Contains(report.Violations[0].String(), "panic after 2 choices: no") {
		t.Errorf("%s: %s", report, texts(report.Violations))
	}
}

func TestACompletionThatDoesNotEndIsAViolation(t *testing.T) {
	t.Parallel()
	report := explore.Search{New: func() explore.System {
		endless := newToy(idleSteps(1))
		endless.settle = func() string { return "once more" }
		return endless
	}, Depth: 1}.Run(t)
	if len(report.Violations) != 1 || !errors.Is(report.Violations[0].Err, explore.ErrStuck) {
		t.Errorf("%s: want %v", report, explore.ErrStuck)
	}
}

func TestAPromiseIsCheckedAtEveryPoint(t *testing.T) {
	t.Parallel()
	errSeen := errors.New("what was read is old")
	report := explore.Search{New: func() explore.System {
		watched := newToy(increment(), increment())
		watched.check = func() error {
			if watched.taken[0] == 1 && watched.taken[1] == 2 && watched.read[0] == 0 {
				return errSeen
			}
			return nil
		}
		return watched
	}, Depth: 4, Unpruned: true}.Run(t)
	// The first actor has read before the second wrote, and is yet to write.
	if len(report.Violations) != 2 {
		t.Errorf("%s: %s", report, texts(report.Violations))
	}
	for _, v := range report.Violations {
		if !errors.Is(v.Err, errSeen) || len(v.Schedule) != 3 {
			t.Errorf("%v, want the schedule to end where the promise breaks", v)
		}
	}
}
