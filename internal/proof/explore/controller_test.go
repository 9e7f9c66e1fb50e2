package explore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

func TestTwoActorsOfNStepsHaveAsManySchedulesAsThereAreWaysToMergeThem(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{1: 2, 2: 6, 3: 20, 4: 70, 5: 252} {
		create := func() explore.System { return newToy(idleSteps(n), idleSteps(n)) }
		report := explore.Search{New: create, Depth: 2 * n, Unpruned: true}.Run(t)
		if report.Schedules != want || report.Cut != 0 || report.Deepest != 2*n || !report.Full() || report.Diverged != 0 {
			t.Errorf("two actors of %d steps: %s, want %d schedules", n, report, want)
		}
		if states := (n + 1) * (n + 1); report.States != states {
			t.Errorf("two actors of %d steps: %d distinct states, want %d", n, report.States, states)
		}
	}
}

func TestThreeActorsToADepthShortOfTheirEndHaveOneScheduleForEverySequenceOfChoices(t *testing.T) {
	t.Parallel()
	create := func() explore.System { return newToy(idleSteps(5), idleSteps(5), idleSteps(5)) }
	report := explore.Search{New: create, Depth: 4, Unpruned: true}.Run(t)
	if report.Schedules != 81 || report.Deepest != 4 || report.Completed != 11 {
		t.Errorf("%s, want 3^4 schedules of 4 choices and 11 steps of completion", report)
	}
}

func TestPruningMeetsEveryStateAndTriesFewerSchedules(t *testing.T) {
	t.Parallel()
	create := func() explore.System { return newToy(idleSteps(4), idleSteps(4)) }
	for depth := 1; depth <= 8; depth++ {
		all := explore.Search{New: create, Depth: depth, Unpruned: true}.Run(t)
		pruned := explore.Search{New: create, Depth: depth}.Run(t)
		if pruned.States != all.States || pruned.Schedules > all.Schedules || pruned.Deepest != all.Deepest {
			t.Errorf("depth %d: %s; without pruning %s", depth, pruned, all)
		}
		if depth == 8 && pruned.Schedules != 1 {
			t.Errorf("%s, want one way to the one state in which all is done", pruned)
		}
	}
}

func TestALostUpdateIsFoundInTheFourSchedulesThatHaveIt(t *testing.T) {
	t.Parallel()
	report := explore.Search{New: twoIncrements, Depth: 4, Unpruned: true}.Run(t)
	if report.Schedules != 6 || len(report.Violations) != 4 {
		t.Errorf("%s, want 6 schedules and 4 violations", report)
	}
	for _, v := range report.Violations {
		if !errors.Is(v.Err, errLostUpdate) {
			t.Errorf("another promise was broken: %v", v)
		}
		if v.Schedule.String() == "0,0,0,0" || v.Schedule.String() == "1,1,0,0" {
			t.Errorf("one after the other loses nothing: %v", v)
		}
	}
	if pruned := (explore.Search{New: twoIncrements, Depth: 4}).Run(t); len(pruned.Violations) == 0 {
		t.Errorf("%s: pruning hides the race", pruned)
	}
}

func TestTheCompletionBringsOutWhatTheChoicesPrepared(t *testing.T) {
	t.Parallel()
	report := explore.Search{New: twoIncrements, Depth: 2, Violations: 1}.Run(t)
	if len(report.Violations) != 1 || report.Full() {
		t.Fatalf("%s, want the search to end at one violation", report)
	}
	v := report.Violations[0]
	if len(v.Schedule) != 2 || len(v.Steps) != 2 || len(v.Settling) != 2 {
		t.Errorf("%v, want two choices and two steps of completion", v)
	}
	for _, part := range []string{errLostUpdate.Error(), "schedule 0,1", "a0 program step1", "a1 program step2"} {
		if !strings.Contains(v.String(), part) {
			t.Errorf("%q does not tell %q", v, part)
		}
	}
}

func TestAReplayEndsInTheSameViolation(t *testing.T) {
	t.Parallel()
	report := explore.Search{New: twoIncrements, Depth: 3}.Run(t)
	if len(report.Violations) == 0 {
		t.Fatal("there is nothing to replay")
	}
	for _, v := range report.Violations {
		schedule, err := explore.ParseSchedule(v.Schedule.String())
		if err != nil {
			t.Fatal(err)
		}
		if again := explore.Replay(t, "", twoIncrements, schedule); again.String() != v.String() {
			t.Errorf("the replay ends in\n%v\nwant\n%v", again, v)
		}
	}
	if fine := explore.Replay(t, "", twoIncrements, explore.Schedule{0, 0, 0, 0}); fine.Err != nil {
		t.Errorf("the replay of one after the other: %v", fine.Err)
	}
	if unknown := explore.Replay(t, "", twoIncrements, explore.Schedule{0, 7}); !errors.Is(unknown.Err, explore.ErrNoSuchChoice) {
		t.Errorf("the replay of a choice that there is not: %v", unknown.Err)
	}
}

func TestAScheduleIsText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "0", "3,0,2,1", "10,11"} {
		schedule, err := explore.ParseSchedule(text)
		if err != nil || schedule.String() != text {
			t.Errorf("%q is read as %q, %v", text, schedule, err)
		}
	}
	for _, text := range []string{"x", "1,", "-1", "1;2", "1,,2"} {
		if schedule, err := explore.ParseSchedule(text); err == nil {
			t.Errorf("%q is read as %q", text, schedule)
		}
	}
}

func TestWalksOfOneSeedAreTheSame(t *testing.T) {
	t.Parallel()
	walk := func(first uint64) explore.Report {
		return explore.Walk{New: func(uint64) explore.System { return twoIncrements() }, Depth: 4, Walks: 100, First: first}.Run(t)
	}
	one, other := walk(1), walk(1)
	if texts(one.Violations) != texts(other.Violations) {
		t.Error("two times the same seeds give different walks")
	}
	// Two of the three first pairs of choices lose an update, so that of a hundred walks neither none nor all do.
	if one.Walks != 100 || len(one.Violations) < 20 || len(one.Violations) > 90 {
		t.Errorf("%s, want a hundred walks, of which some lose an update", one)
	}
}

func TestLimitsEndASearchThatIsNotFullThen(t *testing.T) {
	t.Parallel()
	create := func() explore.System { return newToy(idleSteps(4), idleSteps(4)) }
	if report := (explore.Search{New: create, Depth: 8, Unpruned: true, Schedules: 10}).Run(t); report.Schedules != 10 || report.Full() {
		t.Errorf("%s, want 10 schedules, not in full", report)
	}
	walk := explore.Walk{New: func(uint64) explore.System { return twoIncrements() }, Depth: 4, Walks: 100, Violations: 3}.Run(t)
	if len(walk.Violations) != 3 || walk.Full() {
		t.Errorf("%s, want 3 violations, not in full", walk)
	}
}
