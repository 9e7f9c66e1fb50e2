package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestEitherRuleAnswersWhoeverIsHeldOutWithAStaleValue(t *testing.T) {
	for name, row := range map[string]struct {
		rules cacheaside.StaleRules
		stale bool
	}{
		"the rule of held loads": {cacheaside.StaleRules{OnHeld: true}, true},
		"the rule of refusals":   {cacheaside.StaleRules{OnRejected: true}, true},
		"both":                   {cacheaside.StaleRules{OnHeld: true, OnRejected: true}, true},
		"another":                {cacheaside.StaleRules{OnTransient: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := &fencedScript{grant: func(int, string) cacheaside.Grant { return heldFor(time.Hour) }}
				cache.lookup = func(context.Context, string) cacheaside.Lookup[string] {
					return stale("old", time.Now().Add(time.Hour))
				}
				region := newRegion(t, cache, inFleet(func(p *cacheaside.Policy) {
					p.HeldWait, p.ServeStale = cacheaside.DontWait, row.rules
				}))
				o := get(context.Background(), region, "key", mustNotLoad(t))
				if row.stale {
					wantStale(t, o, "old")
				} else {
					wantRejected(t, o, cacheaside.ReasonHeld)
				}
			})
		})
	}
}
