package cacheaside_test

import (
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestTheDecisionIsThisTable(t *testing.T) {
	t.Parallel()
	strict, survive := cacheaside.StrictPolicy(), cacheaside.SurvivePolicy()
	none := cacheaside.EntryKind(0)
	for _, row := range []struct {
		name                       string
		kind                       cacheaside.LookupKind
		entry                      cacheaside.EntryKind
		observed                   bool
		policy                     cacheaside.Policy
		next                       string
		retain, write, unavailable bool
	}{
		{"fresh", cacheaside.LookupFresh, none, true, strict, "answer", false, false, false},
		{"negative", cacheaside.LookupNegative, none, true, strict, "absence", false, false, false},
		{"stale", cacheaside.LookupStale, none, true, strict, "load", true, true, false},
		{"stale, unobserved", cacheaside.LookupStale, none, false, strict, "load", true, true, false},
		{"miss", cacheaside.LookupMiss, none, false, strict, "load", false, true, false},
		{"expired or invalidated", cacheaside.LookupMiss, none, true, strict, "load", false, true, false},
		{"unavailable", cacheaside.LookupUnavailable, none, false, strict, "load", false, true, true},
		{"no such kind", cacheaside.LookupKind(77), none, false, strict, "load", false, true, true},
		{"zero kind", cacheaside.LookupKind(0), none, false, survive, "load", false, true, true},

		{"retired, strict", cacheaside.LookupUnusable, cacheaside.EntryRetired, true, strict, "refuse", false, false, false},
		{"payload, strict", cacheaside.LookupUnusable, cacheaside.EntryPayload, true, strict, "refuse", false, false, false},
		{"future, strict", cacheaside.LookupUnusable, cacheaside.EntryFuture, true, strict, "refuse", false, false, false},
		{"corrupt, strict", cacheaside.LookupUnusable, cacheaside.EntryCorrupt, false, strict, "refuse", false, false, false},
		{"oversize, strict", cacheaside.LookupUnusable, cacheaside.EntryOversize, false, strict, "refuse", false, false, false},
		{"foreign, strict", cacheaside.LookupUnusable, cacheaside.EntryForeign, false, strict, "refuse", false, false, false},

		{"retired, quarantined", cacheaside.LookupUnusable, cacheaside.EntryRetired, true, survive, "load", false, true, false},
		{"payload, quarantined", cacheaside.LookupUnusable, cacheaside.EntryPayload, true, survive, "load", false, true, false},
		{"retired, nothing observed", cacheaside.LookupUnusable, cacheaside.EntryRetired, false, survive, "refuse", false, false, false},
		{"future, load only", cacheaside.LookupUnusable, cacheaside.EntryFuture, true, survive, "load", false, false, false},
		{"corrupt, load only", cacheaside.LookupUnusable, cacheaside.EntryCorrupt, false, survive, "load", false, false, false},
		{"oversize, load only", cacheaside.LookupUnusable, cacheaside.EntryOversize, false, survive, "load", false, false, false},
		{"foreign, load only", cacheaside.LookupUnusable, cacheaside.EntryForeign, true, survive, "load", false, false, false},
		{"no such entry", cacheaside.LookupUnusable, cacheaside.EntryKind(77), true, survive, "refuse", false, false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			next, retain, write, unavailable := cacheaside.Decide(row.kind, row.entry, row.observed, row.policy)
			if next != row.next || retain != row.retain || write != row.write || unavailable != row.unavailable {
				t.Errorf("got %s, retain %v, write %v, unavailable %v", next, retain, write, unavailable)
			}
		})
	}
}
