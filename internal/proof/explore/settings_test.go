package explore_test

import (
	"strings"
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

// settings are the explorations that have a name, by which -explore.replay finds them again.
func settings() map[string]explore.FillConfig {
	wide := explore.FillConfig{Actors: 2, Gets: 2, Updates: 1, Faults: 1, TimeSteps: 2, Crashes: 1, Writer: 1, Policy: explore.FillPolicy()}
	timed := explore.FillConfig{Actors: 2, Gets: 2, Updates: 1, TimeSteps: 3, Writer: 1, Policy: explore.FillPolicy()}
	narrow := explore.FillConfig{Actors: 2, Gets: 1, Updates: 1, Writer: 1, Policy: explore.FillPolicy()}
	faulty := narrow
	faulty.Faults, faulty.TimeSteps, faulty.Crashes = 1, 2, 1

	all := map[string]explore.FillConfig{}
	name := func(name string, cfg explore.FillConfig, change func(*explore.FillConfig)) {
		if change != nil {
			change(&cfg)
		}
		all[name] = cfg
	}
	stale := func(c *explore.FillConfig) { c.Start = explore.StartStale }
	for of, cfg := range map[string]explore.FillConfig{"wide": wide, "timed": timed, "narrow": narrow, "faulty": faulty} {
		name(of, cfg, nil)
		name(of+"-stale", cfg, stale)
		name(of+"-ahead", cfg, func(c *explore.FillConfig) { c.Skew = explore.FillSkew })
		name(of+"-behind", cfg, func(c *explore.FillConfig) { c.Skew = -explore.FillSkew })
		name(of+"-stale-ahead", cfg, func(c *explore.FillConfig) { stale(c); c.Skew = explore.FillSkew })
		name(of+"-stale-behind", cfg, func(c *explore.FillConfig) { stale(c); c.Skew = -explore.FillSkew })
		name(of+"-plain-delete", cfg, func(c *explore.FillConfig) { c.Rule = explore.PlainDeleteRule })
		name(of+"-unconditional", cfg, func(c *explore.FillConfig) { c.Rule = explore.UnconditionalRule })
		name(of+"-vanishing", cfg, func(c *explore.FillConfig) { c.Evictions = 1 })
	}
	return all
}

// newFills makes a fresh system of a setting, or one of three actors where the name says which walk it is: "walk-17".
func newFills(t *testing.T, name string) func() explore.System {
	t.Helper()
	cfg, known := settings()[name]
	if !known {
		t.Fatalf("there is no setting %q", name)
	}
	return fillsOf(cfg)
}

func fillsOf(cfg explore.FillConfig) func() explore.System {
	return func() explore.System {
		system, err := explore.NewFills(cfg)
		if err != nil {
			panic(err) // it is told as the run's violation
		}
		return system
	}
}

// shortest searches deeper and deeper, so that the first violation has as few choices as any.
func shortest(t *testing.T, name string, depth int) explore.Report {
	t.Helper()
	var sum explore.Report
	for d := 1; d <= depth; d++ {
		report := explore.Search{New: newFills(t, name), Depth: d, Violations: 1}.Run(t)
		if sum = sum.Add(report); len(report.Violations) > 0 {
			break
		}
	}
	return sum
}

func texts(violations []explore.Violation) string {
	var all []string
	for _, v := range violations {
		all = append(all, v.String())
	}
	return strings.Join(all, "\n")
}
