package model_test

import (
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
)

// TestACallerWhomTwoBoundsRefuseLooksOnceMore lets a caller with a stale value find the key's loads at their bound and the region's keys at theirs,
// after an invalidation that did not arrive. Whichever bound it is told of, it asks the store once whether its value still counts.
func TestACallerWhomTwoBoundsRefuseLooksOnceMore(t *testing.T) {
	p := program{
		policy: cacheaside.StrictPolicy(),
		lives:  lives{soft: 1, hard: 90, negative: 50, tombstone: 60},
		actions: []action{
			{does: elsewhere, which: 1},
			{does: step},
			{does: get, which: 1, special: true},
			{does: trouble, how: 1},
			{does: get, which: 1},
			{does: invalidate, which: 1},
			{does: get, which: 1},
			{does: invalidate, which: 1},
		},
	}
	p.policy.MaxInFlightKeys, p.policy.MaxWaitersPerKey = 2, 0
	p.policy.SourceConcurrency, p.policy.MaxOverduePerKey = 2, 1
	p.policy.ServeStale = cacheaside.StaleRules{OnRejected: true, RefreshWait: cacheaside.DontWait}
	if err := p.run(t, openMemory); err != nil {
		t.Errorf("%v\n%s", err, p)
	}
}
