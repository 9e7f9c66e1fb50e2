package explore_test

import (
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

func TestNoWalkOfThreeProcessesBringsAnOldValueBack(t *testing.T) {
	t.Parallel()
	report := explore.Walk{New: newWalk(nil), Depth: 40, Walks: 200}.Run(t)
	t.Log(report)
	if len(report.Violations) > 0 {
		t.Errorf("%s", texts(report.Violations[:1]))
	}
	if report.Walks != 200 || report.Deepest != 40 {
		t.Errorf("%s, want 200 walks of 40 choices", report)
	}
}

func TestWalksBringAnOldValueBackWhereAConditionDoesNotHold(t *testing.T) {
	t.Parallel()
	rules := map[string]func(*explore.FillConfig){
		"plain delete":  func(c *explore.FillConfig) { c.Rule = explore.PlainDeleteRule },
		"unconditional": func(c *explore.FillConfig) { c.Rule = explore.UnconditionalRule },
		"vanishing":     func(c *explore.FillConfig) { c.Evictions = 3 },
	}
	for rule, change := range rules {
		report := explore.Walk{New: newWalk(change), Depth: 40, Walks: 2000, Violations: 1}.Run(t)
		t.Log(rule, report)
		if len(report.Violations) == 0 {
			t.Errorf("%s: no walk of %d brings an old value back", rule, report.Walks)
		}
	}
}
