package explore_test

import (
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

// TestFullExplorationOfAFleet is what takes minutes of fleets.
func TestFullExplorationOfAFleet(t *testing.T) {
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
			"all losing":                           {8, 300_000},
			"all apart losing":                     {8, 300_000},
			"all apart losing stale on-held ahead": {7, 150_000},
			"all ordered losing behind":            {7, 90_000},
			"all-timed apart losing back":          {8, 70_000},
			"held apart losing2 back":              {8, 70_000},
			"calm stale on-held":                   {9, 100_000},
			"joined apart losing2 back":            {12, 5_000},
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
		for _, off := range []string{"half-grant-ahead", "half-grant-behind", "grant-ahead", "grant-behind", "ten-grants-ahead", "ten-grants-behind"} {
			for _, about := range []string{"calm stale on-held", "held losing"} {
				t.Run(about+" "+off, func(t *testing.T) {
					t.Parallel()
					name, least := about+" "+off, 40_000
					report := explore.Search{Name: name, New: newFills(setting(t, name)), Depth: 8, Violations: 3}.Run(t)
					add(t, name, report)
					if len(report.Violations) > 0 || !report.Full() || report.States < least || report.Deepest != 8 || report.Diverged > 0 {
						t.Errorf("%s: %s; want at least %d states\n%s", name, report, least, texts(report.Violations))
					}
				})
			}
		}
		t.Run("walks", func(t *testing.T) {
			t.Parallel()
			report := explore.Walk{Name: fleetWalk, New: newFenceWalk(nil), Depth: 60, First: 1000, Walks: 20_000, Violations: 3}.Run(t)
			add(t, fleetWalk, report)
			if len(report.Violations) > 0 || report.Walks != 20_000 {
				t.Errorf("%s\n%s", report, texts(report.Violations))
			}
		})
		for rule, change := range weakWalks() {
			t.Run("walks "+rule, func(t *testing.T) {
				t.Parallel()
				report := explore.Walk{Name: fleetWalk, New: newFenceWalk(change), Depth: 60, Walks: 20_000, Violations: 1}.Run(t)
				add(t, rule, report)
				if len(report.Violations) == 0 || !errors.Is(report.Violations[0].Err, explore.ErrOldValue) {
					t.Errorf("%s: no old value comes back: %s", rule, texts(report.Violations))
				}
			})
		}
	})
	t.Logf("in all: %s", total)
}

// weakWalks are the rules under which walks bring an old value back.
func weakWalks() map[string]func(*explore.FillConfig) {
	changes := make(map[string]func(*explore.FillConfig))
	for _, rule := range []string{
		"plain-set", "digest", "entry-token", "dying-counter", "token-alone", "two-servers", "ungranted-too", "lost-accepts",
	} {
		changes[rule] = func(c *explore.FillConfig) {
			fenceChanges()[rule](c)
			c.Ordered = false
		}
	}
	return changes
}
