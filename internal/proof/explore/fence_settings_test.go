package explore_test

import (
	"time"

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

// fleetWalk names the walks of fleets.
const fleetWalk = "fleet walk"

// fenceWalkSetting is what a walk of a fleet with that seed may do: three processes under a rule, a skew, a start, a writer and a policy of its own.
func fenceWalkSetting(seed uint64) explore.FillConfig {
	cfg := explore.FillConfig{
		Gets: []int{4, 4, 4}, Updates: 3, Faults: 3, Crashes: 1, Leaves: 2, TimeSteps: 10, Losses: 2,
		Writer:   int(seed % 3),
		Skew:     time.Duration([]int{0, 1, -1}[seed/3%3]) * fenceSkews()[seed/7%4],
		Start:    []explore.StartState{explore.StartEmpty, explore.StartStale, explore.StartEnding}[seed/9%3],
		Fence:    []explore.FenceRule{explore.FencedRule, explore.ApartRule}[seed%2],
		Ordered:  seed/2%2 == 1,
		StepBack: seed/4%2 == 1,
		Policy:   explore.FencePolicy(),
	}
	cfg.Policy.CancelAbandoned = seed/5%2 == 1
	switch seed / 27 % 5 {
	case 1: // every caller waits for its refresh, and trouble is told
		cfg.Policy.ServeStale = cacheaside.StaleRules{}
	case 2: // a stale value is taken as soon as another process loads
		cfg.Policy.ServeStale.OnHeld, cfg.Policy.FailureBackoff = true, 0
	case 3: // nobody waits for long, and loads for itself then
		cfg.Policy.HeldWait, cfg.Policy.Held, cfg.Policy.RecordWait = explore.FillSkew, cacheaside.HeldLoad, 0
	case 4: // nobody waits
		cfg.Policy.HeldWait, cfg.Policy.SourceConcurrency, cfg.Policy.MaxOverduePerKey = cacheaside.DontWait, 1, 1
	}
	return cfg
}

// fenceSkews is by how much a process' clock may be off, either way: by a little, by half a grant, by one and by ten.
func fenceSkews() [4]time.Duration {
	grant := explore.FenceLease()
	return [...]time.Duration{explore.FillSkew, grant / 2, grant, 10 * grant}
}

// fenceChanges are those of fleets.
func fenceChanges() map[string]func(*explore.FillConfig) {
	rule := func(r explore.FenceRule) func(*explore.FillConfig) {
		return func(c *explore.FillConfig) { c.Fence = r }
	}
	return map[string]func(*explore.FillConfig){
		"apart":             rule(explore.ApartRule),
		"losing":            func(c *explore.FillConfig) { c.Losses = 1 },
		"losing2":           func(c *explore.FillConfig) { c.Losses = 2 },
		"back":              func(c *explore.FillConfig) { c.StepBack = true },
		"strict":            func(c *explore.FillConfig) { c.Strict = true },
		"only-puts":         func(c *explore.FillConfig) { c.OnlyPuts = true },
		"late-puts":         func(c *explore.FillConfig) { c.LatePuts, c.Updates = true, 2 },
		"ordered":           func(c *explore.FillConfig) { c.Ordered = true },
		"timeless":          func(c *explore.FillConfig) { c.TimeSteps = 0 },
		"failing":           func(c *explore.FillConfig) { c.Faults = 1 },
		"grant-ahead":       func(c *explore.FillConfig) { c.Skew = explore.FenceLease() },
		"grant-behind":      func(c *explore.FillConfig) { c.Skew = -explore.FenceLease() },
		"half-grant-ahead":  func(c *explore.FillConfig) { c.Skew = explore.FenceLease() / 2 },
		"half-grant-behind": func(c *explore.FillConfig) { c.Skew = -explore.FenceLease() / 2 },
		"ten-grants-ahead":  func(c *explore.FillConfig) { c.Skew = 10 * explore.FenceLease() },
		"ten-grants-behind": func(c *explore.FillConfig) { c.Skew = -10 * explore.FenceLease() },

		"on-held": func(c *explore.FillConfig) { c.Policy.ServeStale.OnHeld = true },
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
