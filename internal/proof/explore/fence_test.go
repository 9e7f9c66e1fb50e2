package explore_test

import (
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

func TestUnderTheFencedRuleNoScheduleBreaksAPromise(t *testing.T) {
	t.Parallel()
	tests := []struct {
		setting       string
		depth, states int // as many states at least, so that the search cannot become empty unnoticed
	}{
		{"fleet losing", 8, 2500},
		{"fleet apart losing2 back", 8, 4000},
		{"fleet ordered losing", 7, 1800},
		{"fleet apart losing2 stale behind", 7, 2000},
		{"joined apart losing", 8, 2500},
		{"calm", 6, 2000},
		{"calm stale on-held ahead", 6, 500},
		{"held", 5, 1000},
		{"held apart losing", 4, 300},
		{"held held-load", 4, 300},
		{"zombie losing back", 6, 2000},
		{"parting", 5, 500},
	}
	for _, test := range tests {
		t.Run(test.setting, func(t *testing.T) {
			t.Parallel()
			report := explore.Search{Name: test.setting, New: newFills(setting(t, test.setting)), Depth: test.depth}.Run(t)
			t.Log(report)
			if len(report.Violations) > 0 {
				t.Errorf("%s", texts(report.Violations[:1]))
			}
			if !report.Full() || report.States < test.states || report.Deepest != test.depth || report.Diverged > 0 {
				t.Errorf("%s; want at least %d states at depth %d", report, test.states, test.depth)
			}
		})
	}
}

func TestPruningHidesNoStateOfAFleet(t *testing.T) {
	t.Parallel()
	for name, depth := range map[string]int{
		"fleet losing": 5, "fleet apart losing back": 4, "calm stale on-held": 3, "held": 3, "zombie losing": 3, "fleet ordered": 5, "reader losing two-servers": 5,
	} {
		wantSamePruned(t, name, depth)
	}
}
