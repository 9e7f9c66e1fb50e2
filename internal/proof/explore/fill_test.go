package explore_test

import (
	"errors"
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

func TestUnderTheTombstoneRuleNoScheduleOfTwoProcessesBringsAnOldValueBack(t *testing.T) {
	t.Parallel()
	tests := []struct {
		setting       string
		depth, states int // as many states at least, so that the search cannot become empty unnoticed
	}{
		{"narrow", 8, 1300},
		{"narrow-stale", 8, 1300},
		{"narrow-ahead", 8, 1300},
		{"narrow-stale-behind", 8, 1300},
		{"faulty", 5, 1000},
		{"faulty-stale", 5, 1000},
	}
	for _, test := range tests {
		t.Run(test.setting, func(t *testing.T) {
			t.Parallel()
			report := explore.Search{New: newFills(t, test.setting), Depth: test.depth}.Run(t)
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

func TestUnderEveryOtherRuleAnOldValueComesBack(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"narrow-plain-delete", "narrow-unconditional", "narrow-vanishing", "faulty-plain-delete"} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			report := shortest(t, setting, 8)
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
			if again := explore.Replay(t, newFills(t, setting), schedule); again.String() != found.String() {
				t.Errorf("the replay ends in\n%s\nwant\n%s", again, found)
			}
		})
	}
}
