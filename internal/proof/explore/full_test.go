package explore_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

// replay is the schedule of a violation that an exploration told, with its setting: go test -run Replay -explore.replay "wide stale:3,0,2,1", or
// "walk 17:5,0" for a walk and "fleet walk 17:5,0" for one of a fleet.
var replay = flag.String("explore.replay", "", "replay this `setting:schedule`, as a violation tells it")

func TestReplayOfWhatTheFlagNames(t *testing.T) {
	if *replay == "" {
		t.Skip("-explore.replay names no schedule")
	}
	name, text, _ := strings.Cut(*replay, ":")
	schedule, err := explore.ParseSchedule(text)
	if err != nil {
		t.Fatal(err)
	}
	cfg := explore.FillConfig{}
	var seed uint64
	if _, err := fmt.Sscanf(name, "walk %d", &seed); err == nil {
		cfg = walkSetting(seed)
	} else if _, err := fmt.Sscanf(name, fleetWalk+" %d", &seed); err == nil {
		cfg = fenceWalkSetting(seed)
	} else {
		cfg = setting(t, name)
	}
	found := explore.Replay(t, name, newFills(cfg), schedule)
	if found.Err == nil {
		t.Logf("no promise is broken on the way\n%v", found)
		return
	}
	t.Error(found)
}

// TestFullExploration is what takes minutes: two processes with two reads each, eight choices deep under every kind of trouble, and long walks.
func TestFullExploration(t *testing.T) {
	if os.Getenv("CACHEASIDE_EXPLORE") != "full" {
		t.Skip("CACHEASIDE_EXPLORE=full asks for it")
	}
	var mu sync.Mutex
	var total explore.Report
	add := func(t *testing.T, name string, report explore.Report) {
		t.Helper()
		t.Logf("%s: %s", name, report)
		mu.Lock()
		defer mu.Unlock()
		total = total.Add(report)
	}
	t.Run("all", func(t *testing.T) {
		for name, least := range map[string]struct{ depth, states int }{
			"wide":               {8, 300_000},
			"wide stale":         {8, 400_000},
			"timed ahead":        {8, 100_000},
			"timed stale behind": {8, 200_000},
			"overtaken":          {15, 2_000}, // all that can happen
			"thrice":             {14, 90_000},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				report := explore.Search{Name: name, New: newFills(setting(t, name)), Depth: least.depth, Violations: 3}.Run(t)
				add(t, name, report)
				if len(report.Violations) > 0 {
					t.Errorf("%s", texts(report.Violations))
				}
				if !report.Full() || report.States < least.states || report.Deepest != least.depth || report.Diverged > 0 {
					t.Errorf("%s: %s; want at least %d states", name, report, least.states)
				}
			})
		}
		t.Run("walks", func(t *testing.T) {
			t.Parallel()
			report := explore.Walk{New: newWalk(nil), Depth: 60, First: 1000, Walks: 10_000, Violations: 3}.Run(t)
			add(t, "walks", report)
			if len(report.Violations) > 0 || report.Walks != 10_000 {
				t.Errorf("%s\n%s", report, texts(report.Violations))
			}
		})
		for _, rule := range []string{"plain-delete", "unconditional", "vanishing"} {
			t.Run(rule, func(t *testing.T) {
				t.Parallel()
				report := explore.Search{Name: "wide " + rule, New: newFills(setting(t, "wide "+rule)), Depth: 8, Violations: 1}.Run(t)
				add(t, "wide "+rule, report)
				if len(report.Violations) == 0 {
					t.Errorf("%s: no old value comes back", report)
				}
				t.Logf("%s", texts(report.Violations))
			})
		}
	})
	t.Logf("in all: %s", total)
}
