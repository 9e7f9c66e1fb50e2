package explore_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/proof/explore"
)

// setting gives what may happen in an exploration, by name: what it is about, and then words that change it, as in "pair stale ahead". By the same
// name -explore.replay finds it again.
func setting(t *testing.T, name string) explore.FillConfig {
	t.Helper()
	words := strings.Fields(name)
	if len(words) == 0 {
		t.Fatal("a setting has no name")
	}
	all := abouts()
	maps.Copy(all, fenceAbouts())
	cfg, known := all[words[0]]
	if !known {
		t.Fatalf("there is no setting %q", words[0])
	}
	more := changes()
	maps.Copy(more, fenceChanges())
	for _, word := range words[1:] {
		change, known := more[word]
		if !known {
			t.Fatalf("setting %q: there is no change %q", words[0], word)
		}
		change(&cfg)
	}
	return cfg
}

// abouts are the settings. The row is written in the process of the last actor.
func abouts() map[string]explore.FillConfig {
	about := func(gets ...int) explore.FillConfig {
		return explore.FillConfig{Gets: gets, Updates: 1, Writer: len(gets) - 1, Policy: explore.FillPolicy()}
	}
	faulty, own, wide, timed := about(1, 1), about(2), about(2, 2), about(2, 2)
	hung, ending, leaving := about(3), about(2), about(2)
	faulty.Faults, faulty.TimeSteps, faulty.Crashes = 1, 2, 1
	own.Faults, own.Blind = 1, true
	wide.Faults, wide.TimeSteps, wide.Crashes = 1, 2, 1
	timed.TimeSteps = 3
	hung.Whole, hung.Updates, hung.TimeSteps, hung.Policy.SourceConcurrency, hung.Policy.MaxOverduePerKey = true, 0, 2, 4, 1
	ending.Updates, ending.TimeSteps, ending.Start = 0, 3, explore.StartEnding
	leaving.Leaves, leaving.TimeSteps, leaving.Policy.CancelAbandoned = 2, 1, true
	return map[string]explore.FillConfig{
		"pair":      about(1, 1), // a read in each process
		"overtaken": about(2, 0), // two reads in the process that the row is not written in
		"thrice":    about(3, 0), // three of them
		"own":       own,         // two reads in the very process that the row is written in, where a lookup fails
		"hung":      hung,        // loads that outlive their deadlines
		"ending":    ending,      // an entry that is over while its refresh runs
		"leaving":   leaving,     // callers that leave, and loads that are given up when nobody waits
		"faulty":    faulty,      // a read in each process, with faults, crashes and time
		"timed":     timed,       // two reads in each process, with time
		"wide":      wide,        // two reads in each process, with faults, crashes and time
	}
}

func changes() map[string]func(*explore.FillConfig) {
	return map[string]func(*explore.FillConfig){
		"stale":         func(c *explore.FillConfig) { c.Start = explore.StartStale },
		"ahead":         func(c *explore.FillConfig) { c.Skew = explore.FillSkew },
		"behind":        func(c *explore.FillConfig) { c.Skew = -explore.FillSkew },
		"far-behind":    func(c *explore.FillConfig) { c.Skew = -explore.FillTTL().Tombstone }, // its tombstones are over before they are there
		"plain-delete":  func(c *explore.FillConfig) { c.Rule = explore.PlainDeleteRule },
		"unconditional": func(c *explore.FillConfig) { c.Rule = explore.UnconditionalRule },
		"vanishing":     func(c *explore.FillConfig) { c.Evictions = 1 },
	}
}

// walkSetting is what a walk with that seed may do: three processes under a policy, a skew, a start and a writer of its own.
func walkSetting(seed uint64) explore.FillConfig {
	cfg := explore.FillConfig{
		Gets: []int{4, 4, 4}, Updates: 3, Faults: 3, Crashes: 1, Leaves: 2, TimeSteps: 8,
		Writer: int(seed % 3),
		Skew:   []time.Duration{0, explore.FillSkew, -explore.FillSkew}[seed/3%3],
		Start:  []explore.StartState{explore.StartEmpty, explore.StartStale, explore.StartEnding}[seed/9%3],
		Policy: explore.FillPolicy(),
	}
	cfg.Policy.CancelAbandoned = seed/108%2 == 1
	switch seed / 27 % 4 {
	case 1: // every caller waits for its refresh, and trouble is told
		cfg.Policy.ServeStale = cacheaside.StaleRules{}
	case 2: // a stale value is taken at once
		cfg.Policy.ServeStale.RefreshWait, cfg.Policy.FailureBackoff = cacheaside.DontWait, 0
	case 3: // one load at once
		cfg.Policy.SourceConcurrency, cfg.Policy.MaxOverduePerKey, cfg.Policy.RecordWait = 1, 1, 0
	}
	return cfg
}

// newWalk makes the system of a walk, under a change of its setting.
func newWalk(change func(*explore.FillConfig)) func(uint64) explore.System {
	return walkOf(walkSetting, change)
}

// newFenceWalk makes that of a walk of a fleet.
func newFenceWalk(change func(*explore.FillConfig)) func(uint64) explore.System {
	return walkOf(fenceWalkSetting, change)
}

func walkOf(setting func(uint64) explore.FillConfig, change func(*explore.FillConfig)) func(uint64) explore.System {
	return func(seed uint64) explore.System {
		cfg := setting(seed)
		if change != nil {
			change(&cfg)
		}
		return newFills(cfg)()
	}
}

func newFills(cfg explore.FillConfig) func() explore.System {
	return func() explore.System {
		system, err := explore.NewFills(cfg)
		if err != nil {
			panic(err) // it is told as the run's violation
		}
		return system
	}
}

func texts(violations []explore.Violation) string {
	var all []string
	for _, v := range violations {
		all = append(all, v.String())
	}
	return strings.Join(all, "\n")
}
