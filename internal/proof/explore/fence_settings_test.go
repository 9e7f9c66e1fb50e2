package explore_test

import (
	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/proof/explore"
)

// fenceAbouts are the settings of fleets.
func fenceAbouts() map[string]explore.FillConfig {
	about := func(gets ...int) explore.FillConfig {
		return explore.FillConfig{
			Gets: gets, Updates: 1, Writer: len(gets) - 1, Policy: explore.FencePolicy(), Fence: explore.FencedRule,
		}
	}
	calm, faulty, wide, timed := about(2, 2), about(1, 1), about(2, 2), about(2, 2)
	calm.Updates, calm.TimeSteps = 0, 2
	faulty.Faults, faulty.TimeSteps, faulty.Crashes = 1, 2, 1
	wide.Faults, wide.TimeSteps, wide.Crashes = 1, 2, 1
	timed.TimeSteps = 3
	zombie, leaving := about(1, 1), about(2, 1)
	zombie.Crashes, zombie.TimeSteps = 1, 2
	leaving.Updates, leaving.Leaves, leaving.TimeSteps, leaving.Policy.CancelAbandoned = 0, 2, 1, true
	reader := about(1, 0)
	reader.TimeSteps = 1
	return map[string]explore.FillConfig{
		"fleet":     about(1, 1), // a read in each process
		"calm":      calm,        // two reads in each process, and nothing goes wrong
		"joined":    about(2, 0), // two reads in the process that the row is not written in
		"held":      faulty,      // a read in each process, with faults, crashes and time
		"zombie":    zombie,      // a process that crashes while it holds, and what it has sent comes late
		"parting":   leaving,     // callers that leave while they wait for another process
		"reader":    reader,      // a read in one process and a write in the other
		"all":       wide,        // two reads in each process, with faults, crashes and time
		"all-timed": timed,
	}
}

// fenceChanges are those of fleets.
func fenceChanges() map[string]func(*explore.FillConfig) {
	rule := func(r explore.FenceRule) func(*explore.FillConfig) {
		return func(c *explore.FillConfig) { c.Fence = r }
	}
	return map[string]func(*explore.FillConfig){
		"apart":    rule(explore.ApartRule),
		"losing":   func(c *explore.FillConfig) { c.Losses = 1 },
		"losing2":  func(c *explore.FillConfig) { c.Losses = 2 },
		"back":     func(c *explore.FillConfig) { c.StepBack = true },
		"strict":   func(c *explore.FillConfig) { c.Strict = true },
		"ordered":  func(c *explore.FillConfig) { c.Ordered = true },
		"timeless": func(c *explore.FillConfig) { c.TimeSteps = 0 },
		"failing":  func(c *explore.FillConfig) { c.Faults = 1 },
		"on-held":  func(c *explore.FillConfig) { c.Policy.ServeStale.OnHeld = true },
		"held-load": func(c *explore.FillConfig) {
			c.Policy.HeldWait, c.Policy.Held = 2*explore.FillSkew, cacheaside.HeldLoad
		},

		"plain-set":     rule(explore.PlainSetRule),
		"digest":        rule(explore.DigestRule),
		"entry-token":   rule(explore.EntryTokenRule),
		"dying-counter": rule(explore.DyingCounterRule),
		"token-alone":   rule(explore.TokenAloneRule),
		"two-servers":   rule(explore.TwoServersRule),
		"ungranted-too": rule(explore.UngrantedToo),
		"generous":      rule(explore.GenerousRule),
		"lost-accepts":  rule(explore.LostRecordAccepts),
	}
}
