package cachetest

import "github.com/cacheaside/resilience/cacheaside"

func tombstoneAssertions() []Assertion {
	return []Assertion{
		assertion("an invalidated value is a miss of that reason, with an observation", checkTombstone),
		assertion("a tombstone refuses a fill that began with a miss", checkTombstoneOverNothing),
		assertion("a tombstone refuses a fill that observed the older entry", checkTombstoneOverStale),
		assertion("a tombstone is replaced by its own observation", checkTombstoneReplaced),
		assertion("a tombstone's observation is satisfied by one that is gone", checkTombstoneGone),
		assertion("a tombstone refuses the observation of an earlier tombstone", checkTwoTombstones),
		assertion("a tombstone is over at its expiry and not a millisecond earlier", checkTombstoneExpiry),
		assertion("an absence recorded over a tombstone is told as an absence", checkAbsenceOverTombstone),
	}
}

// tombstone invalidates the key and gives the lookup of that.
func (p *probe) tombstone(key string) lookup {
	p.Helper()
	p.invalidate(key)
	found := p.look(key)
	p.wantMiss(found, cacheaside.MissInvalidated, "an invalidated key")
	p.mustObserve(found, "a tombstone")
	return found
}

func checkTombstone(p *probe) {
	p.invalidator()
	p.seed(key, value(1))
	start := p.now()
	outcome := p.invalidate(key)
	p.wantTime(outcome.HardExpiresAt, start.Add(p.opt.Tombstone), "the expiry of a tombstone")
	found := p.look(key)
	p.wantMiss(found, cacheaside.MissInvalidated, "an invalidated key")
	p.wantNothing(found, "a tombstone")
	p.mustObserve(found, "a tombstone")
}

func checkTombstoneOverNothing(p *probe) {
	p.invalidator()
	missed := p.look(key)
	p.wantMiss(missed, cacheaside.MissAbsent, "an absent key")
	before := p.tombstone(key)
	for _, late := range []entry{value(1), absence()} {
		p.wantRefused(p.record(key, late, missed.Observation), cacheaside.RecordConditionFailed, "a fill that missed before the invalidation")
		p.wantUntouched(key, before, "a refused fill")
	}
}

func checkTombstoneOverStale(p *probe) {
	p.invalidator()
	stale := p.seedStale(key, value(1))
	before := p.tombstone(key)
	for _, late := range []entry{value(2), absence()} {
		p.wantRefused(p.record(key, late, stale.Observation), cacheaside.RecordConditionFailed, "a fill that observed before the invalidation")
		p.wantUntouched(key, before, "a refused fill")
	}
}

func checkTombstoneReplaced(p *probe) {
	p.invalidator()
	p.seed(key, value(1))
	found := p.tombstone(key)
	start := p.now()
	p.wantApplied(p.record(key, value(2), found.Observation), "a fill that began after the invalidation")
	p.wantFresh(key, value(2), "a value over a tombstone")
	p.wantTime(p.look(key).HardExpiresAt, start.Add(p.opt.Hard), "the hard expiry of a value over a tombstone")
	p.wantRefused(p.record(key, value(3), found.Observation), cacheaside.RecordConditionFailed, "a second fill by one tombstone's observation")
}

func checkTombstoneGone(p *probe) {
	p.invalidator()
	p.needs(p.subject.Drop != nil, "Drop")
	found := p.tombstone(key)
	p.subject.Drop(key)
	p.wantApplied(p.record(key, value(1), found.Observation), "a fill by the observation of a tombstone that is gone")
	p.wantFresh(key, value(1), "a value recorded after its tombstone had gone")
}

func checkTwoTombstones(p *probe) {
	p.invalidator()
	first := p.tombstone(key)
	second := p.tombstone(key)
	p.wantRefused(p.record(key, value(1), first.Observation), cacheaside.RecordConditionFailed, "a fill that began before the last invalidation")
	p.wantUntouched(key, second, "a refused fill")
}

func checkTombstoneExpiry(p *probe) {
	p.invalidator()
	p.seed(key, value(1))
	p.tombstone(key)
	p.advance(p.opt.Tombstone - tick)
	p.wantMiss(p.look(key), cacheaside.MissInvalidated, "a tombstone a millisecond before its expiry")
	p.wantRefused(p.record(key, value(2), onlyIfAbsent), cacheaside.RecordConditionFailed, "only-if-absent over a tombstone")
	p.advance(tick)
	over := p.look(key)
	p.wantOver(over)
	p.wantApplied(p.record(key, value(2), over.Observation), "a record by what the lookup of an expired tombstone gave")
	p.wantFresh(key, value(2), "a value over an expired tombstone")
}

func checkAbsenceOverTombstone(p *probe) {
	p.invalidator()
	found := p.tombstone(key)
	p.wantApplied(p.record(key, absence(), found.Observation), "an absence by a tombstone's observation")
	p.wantKind(p.look(key), cacheaside.LookupNegative, "an absence over a tombstone")
	p.advance(p.opt.Negative)
	p.wantOver(p.look(key))
}
