package cachetest

import (
	"fmt"

	"github.com/cacheaside/resilience/cacheaside"
)

// unusableKinds tells which unusable entries come with an observation: those whose bytes are known to be whole, so that they may be replaced.
func unusableKinds() []struct {
	kind     cacheaside.EntryKind
	observed bool
} {
	return []struct {
		kind     cacheaside.EntryKind
		observed bool
	}{
		{cacheaside.EntryRetired, true},
		{cacheaside.EntryPayload, true},
		{cacheaside.EntryFuture, true},
		{cacheaside.EntryCorrupt, false},
		{cacheaside.EntryOversize, false},
		{cacheaside.EntryForeign, false},
	}
}

func unusableAssertions() []Assertion {
	var list []Assertion
	for _, planted := range unusableKinds() {
		kind, observed := planted.kind, planted.observed
		list = append(list,
			assertion(fmt.Sprintf("an unusable entry is told as %s", kind), func(p *probe) { checkUnusable(p, kind, observed) }),
			assertion(fmt.Sprintf("what is %s is not overwritten by only-if-absent", kind), func(p *probe) { checkUnusableStays(p, kind) }),
			assertion(fmt.Sprintf("what has become %s refuses an older observation", kind), func(p *probe) { checkBecameUnusable(p, kind) }),
		)
		if observed {
			list = append(list, assertion(fmt.Sprintf("what is %s is replaced by its observation", kind), func(p *probe) { checkQuarantine(p, kind) }))
		}
		if kind != cacheaside.EntryForeign {
			list = append(list, assertion(fmt.Sprintf("what is %s is replaced by a tombstone", kind), func(p *probe) { checkUnusableInvalidated(p, kind) }))
		}
	}
	return list
}

// plant puts an unusable entry into the store and gives its lookup.
func (p *probe) plant(kind cacheaside.EntryKind) lookup {
	p.Helper()
	plant := p.subject.Plant[kind]
	p.needs(plant != nil, "Plant for "+kind.String())
	plant(key)
	found := p.look(key)
	p.wantUnusable(found, kind)
	return found
}

func (p *probe) wantUnusable(found lookup, kind cacheaside.EntryKind) {
	p.Helper()
	p.wantKind(found, cacheaside.LookupUnusable, "an entry that is "+kind.String())
	if found.Entry != kind {
		p.Fatalf("an entry that is %s is told as %s", kind, found.Entry)
	}
}

func checkUnusable(p *probe, kind cacheaside.EntryKind, observed bool) {
	found := p.plant(kind)
	p.wantNothing(found, "an unusable entry")
	if has := found.Observation != ""; has != observed {
		p.Errorf("an entry that is %s has an observation: %t, want %t", kind, has, observed)
	}
	for range 3 {
		p.wantUntouched(key, found, "a lookup of an unusable entry")
	}
}

func checkUnusableStays(p *probe, kind cacheaside.EntryKind) {
	before := p.plant(kind)
	for _, given := range []entry{value(1), absence()} {
		p.wantRefused(p.record(key, given, onlyIfAbsent), 0, "only-if-absent over an unusable entry")
		p.wantUntouched(key, before, "a refused record")
	}
}

func checkBecameUnusable(p *probe, kind cacheaside.EntryKind) {
	p.needs(p.subject.Plant[kind] != nil, "Plant for "+kind.String())
	stale := p.seedStale(key, value(1))
	before := p.plant(kind)
	p.wantRefused(p.record(key, value(2), stale.Observation), 0, "a record by the observation of what an unusable entry has replaced")
	p.wantUntouched(key, before, "a refused record")
}

func checkQuarantine(p *probe, kind cacheaside.EntryKind) {
	found := p.plant(kind)
	p.mustObserve(found, "an entry that is "+kind.String())
	p.wantApplied(p.record(key, value(1), found.Observation), "a record by the observation of an unusable entry")
	p.wantFresh(key, value(1), "a value over an unusable entry")
	p.wantRefused(p.record(key, value(2), found.Observation), cacheaside.RecordConditionFailed, "a second record by one observation")
}

func checkUnusableInvalidated(p *probe, kind cacheaside.EntryKind) {
	p.invalidator()
	p.plant(kind)
	found := p.tombstone(key)
	p.wantApplied(p.record(key, value(1), found.Observation), "a fill that began after the invalidation")
	p.wantFresh(key, value(1), "a value over a tombstone")
}
