package explore_test

import (
	"errors"
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

func TestUnderTheTombstoneRuleNoScheduleBreaksAPromise(t *testing.T) {
	t.Parallel()
	tests := []struct {
		setting       string
		depth, states int // as many states at least, so that the search cannot become empty unnoticed
	}{
		{"pair", 8, 1300},
		{"pair stale ahead", 8, 1300},
		{"overtaken", 8, 800},
		{"overtaken stale behind", 8, 800},
		{"own", 8, 5000},
		{"hung", 8, 500},
		{"ending", 6, 1000},
		{"leaving", 6, 2000},
		{"faulty", 5, 1000},
		{"faulty stale", 4, 300},
	}
	for _, test := range tests {
		t.Run(test.setting, func(t *testing.T) {
			t.Parallel()
			report := explore.Search{Name: test.setting, New: newFills(setting(t, test.setting)), Depth: test.depth}.Run(t)
			t.Log(report)
			if len(report.Violations) > 0 {
				t.Errorf("%s", texts(report.Violations))
			}
			if !report.Full() || report.States < test.states || report.Deepest != test.depth || report.Diverged > 0 {
				t.Errorf("%s; want at least %d states at depth %d", report, test.states, test.depth)
			}
		})
	}
}

func TestWhereAConditionDoesNotHoldAnOldValueComesBack(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"pair plain-delete", "pair unconditional", "pair vanishing", "pair far-behind", "faulty plain-delete"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			create := newFills(setting(t, name))
			report := shortest(t, name, create, 8)
			t.Log(report, texts(report.Violations))
			if len(report.Violations) == 0 {
				t.Fatal("no schedule brings an old value back")
			}
			found := report.Violations[0]
			if !errors.Is(found.Err, explore.ErrOldValue) {
				t.Errorf("another promise was broken: %v", found.Err)
			}
			schedule, err := explore.ParseSchedule(found.Schedule.String())
			if err != nil {
				t.Fatal(err)
			}
			if again := explore.Replay(t, name, create, schedule); again.String() != found.String() {
				t.Errorf("the replay ends in\n%s\nwant\n%s", again, found)
			}
		})
	}
}

// shortest searches deeper and deeper, so that the first violation has as few choices as any.
func shortest(t *testing.T, name string, create func() explore.System, depth int) explore.Report {
	t.Helper()
	var sum explore.Report
	for d := 1; d <= depth; d++ {
		report := explore.Search{Name: name, New: create, Depth: d, Violations: 1}.Run(t)
		if sum = sum.Add(report); len(report.Violations) > 0 {
			break
		}
	}
	return sum
}
