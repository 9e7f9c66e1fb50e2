package explore_test

import (
	"errors"
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

// weakRules are those of which a schedule is known to let an old value in, each in a setting in which that takes few choices.
func weakRules() []string {
	return []string{
		"reader timeless plain-set", "reader timeless digest", "reader timeless entry-token", "reader dying-counter", "reader timeless two-servers",
		"reader timeless losing failing ungranted-too", "reader timeless losing lost-accepts", "reader timeless losing back token-alone",
	}
}

func TestUnderEveryWeakRuleForFillsAnOldValueComesBack(t *testing.T) {
	t.Parallel()
	for _, name := range weakRules() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantBroken(t, name, explore.ErrOldValue, 9)
		})
	}
}

// What a put leaves is kept out by the order of revisions alone: it has no grant that an invalidation could take from it.
func TestAPutThatComesLateIsNotKeptOutByAnInvalidation(t *testing.T) {
	t.Parallel()
	wantBroken(t, "reader timeless failing ordered late-puts", explore.ErrOldValue, 8)
}

func TestWhatAWeakStoreDoesIsSeenBeforeAnOldValueIsBack(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]error{
		"fleet failing ungranted-too strict": explore.ErrUngranted,
		"calm generous strict":               explore.ErrTwoGrants,
		"held dying-counter strict":          explore.ErrLowToken,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantBroken(t, name, want, 8)
		})
	}
}

// wantBroken searches for the shortest schedule that breaks a promise, and replays it.
func wantBroken(t *testing.T, name string, want error, depth int) {
	t.Helper()
	create := newFills(setting(t, name))
	report := shortest(t, name, create, depth)
	t.Log(report, texts(report.Violations))
	if len(report.Violations) == 0 {
		t.Fatalf("no schedule shows that %v", want)
	}
	found := report.Violations[0]
	if !errors.Is(found.Err, want) {
		t.Errorf("another promise was broken: %v, want %v", found.Err, want)
	}
	schedule, err := explore.ParseSchedule(found.Schedule.String())
	if err != nil {
		t.Fatal(err)
	}
	if again := explore.Replay(t, name, create, schedule); again.String() != found.String() {
		t.Errorf("the replay ends in\n%s\nwant\n%s", again, found)
	}
}
