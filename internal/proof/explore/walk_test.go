package explore_test

import (
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/proof/explore"
)

// walkConfig is what a walk with that seed may do: three processes under a policy, a skew and a start of its own.
func walkConfig(seed uint64) explore.FillConfig {
	cfg := explore.FillConfig{
		Actors: 3, Gets: 4, Updates: 3, Faults: 3, Crashes: 1, TimeSteps: 10,
		Writer: int(seed % 3),
		Skew:   []time.Duration{0, explore.FillSkew, -explore.FillSkew}[seed/3%3],
		Start:  []explore.StartState{explore.StartEmpty, explore.StartStale}[seed/9%2],
		Policy: explore.FillPolicy(),
	}
	switch seed / 18 % 4 {
	case 1: // every caller waits for its refresh, and trouble is told
		cfg.Policy.ServeStale = cacheaside.StaleRules{}
	case 2: // a stale value is taken at once
		cfg.Policy.ServeStale.RefreshWait, cfg.Policy.FailureBackoff = cacheaside.DontWait, 0
	case 3: // one load at once
		cfg.Policy.SourceConcurrency, cfg.Policy.MaxOverduePerKey, cfg.Policy.RecordWait = 1, 1, 0
	}
	return cfg
}

func walks(change func(*explore.FillConfig)) func(uint64) explore.System {
	return func(seed uint64) explore.System {
		cfg := walkConfig(seed)
		if change != nil {
			change(&cfg)
		}
		return fillsOf(cfg)()
	}
}

func TestNoWalkOfThreeProcessesBringsAnOldValueBack(t *testing.T) {
	t.Parallel()
	report := explore.Walk{New: walks(nil), Depth: 40, Walks: 200}.Run(t)
	t.Log(report)
	if len(report.Violations) > 0 {
		t.Errorf("%s", texts(report.Violations[:1]))
	}
	if report.Walks != 200 || report.Deepest != 40 {
		t.Errorf("%s, want 200 walks of 40 choices", report)
	}
}

func TestWalksBringAnOldValueBackUnderEveryOtherRule(t *testing.T) {
	t.Parallel()
	rules := map[string]func(*explore.FillConfig){
		"plain delete":  func(c *explore.FillConfig) { c.Rule = explore.PlainDeleteRule },
		"unconditional": func(c *explore.FillConfig) { c.Rule = explore.UnconditionalRule },
		"vanishing":     func(c *explore.FillConfig) { c.Evictions = 3 },
	}
	for rule, change := range rules {
		report := explore.Walk{New: walks(change), Depth: 40, Walks: 2000, Violations: 1}.Run(t)
		t.Log(rule, report)
		if len(report.Violations) == 0 {
			t.Errorf("%s: no walk of %d brings an old value back", rule, report.Walks)
		}
	}
}
