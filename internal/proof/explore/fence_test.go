package explore_test

import (
	"strings"
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

func TestUnderTheFencedRuleNoScheduleBreaksAPromise(t *testing.T) {
	t.Parallel()
	tests := []struct {
		setting       string
		depth, states int // as many states at least, so that the search cannot become empty unnoticed
	}{
		{"fleet losing", 6, 400},
		{"fleet apart losing2 back", 7, 1600},
		{"fleet ordered losing failing", 5, 400},
		{"fleet apart losing2 stale behind", 5, 400},
		{"reader timeless failing ordered late-puts only-puts", 8, 500},
		{"joined apart losing", 6, 300},
		{"calm", 5, 700},
		{"calm stale on-held ahead", 4, 200},
		{"calm stale on-held half-grant-ahead", 4, 150},
		{"calm stale on-held half-grant-behind", 4, 150},
		{"fleet apart losing2 stale grant-ahead", 5, 300},
		{"fleet losing stale grant-behind", 5, 150},
		{"held losing ten-grants-ahead", 4, 200},
		{"held losing ten-grants-behind", 4, 200},
		{"held", 4, 200},
		{"held apart losing", 4, 300},
		{"held held-load", 4, 300},
		{"zombie losing back", 5, 700},
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
		"fleet losing": 4, "fleet apart losing back": 3, "calm stale on-held": 3, "held": 2, "zombie losing": 3, "fleet ordered": 4,
	} {
		wantSamePruned(t, name, depth)
	}
}

func TestNoWalkOfAFleetOfThreeBreaksAPromise(t *testing.T) {
	t.Parallel()
	report := explore.Walk{Name: fleetWalk, New: newFenceWalk(nil), Depth: 40, Walks: 200}.Run(t)
	t.Log(report)
	if len(report.Violations) > 0 {
		t.Errorf("%s", texts(report.Violations[:1]))
	}
	if report.Walks != 200 || report.Deepest != 40 {
		t.Errorf("%s, want 200 walks of 40 choices", report)
	}
}

// sighted notes which of some words are in the states.
type sighted struct {
	explore.System

	words map[string]bool
}

func (s sighted) State() string {
	state := s.System.State()
	for word, seen := range s.words {
		s.words[word] = seen || strings.Contains(state, word)
	}
	return state
}

// An exploration in which a fleet were never told of one of these would be one of something else.
func TestAFleetIsToldWhateverItCanBeTold(t *testing.T) {
	t.Parallel()
	words := map[string]bool{
		" Granted ": false, " Held ": false, " AlreadyFilled ": false, " Unavailable ": false, "acquire1 nothing": false, "Applied/None": false,
		"NotApplied/Superseded": false, "record1 nothing": false, "release1": false, "Miss/Invalidated": false, "ghost": false,
	}
	for name, depth := range map[string]int{"fleet failing": 5, "zombie apart losing": 4, "fleet losing": 6} {
		create := newFills(setting(t, name))
		explore.Search{New: func() explore.System { return sighted{create(), words} }, Depth: depth}.Run(t)
	}
	for word, seen := range words {
		if !seen {
			t.Errorf("%q is told in no schedule", word)
		}
	}
}
