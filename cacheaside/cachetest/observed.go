package cachetest

import "github.com/cacheaside/resilience/cacheaside"

func observedConditionAssertions() []Assertion {
	return []Assertion{
		assertion("a stale value is replaced by its observation", checkReplace),
		assertion("a replaced entry has the expiries of the new one", checkReplacedExpiries),
		assertion("an absence replaces a stale value by its observation", checkAbsenceReplaces),
		assertion("a value replaces a recorded absence by its observation", checkValueReplaces),
		assertion("an observation is refused when the entry has changed", checkChanged),
		assertion("an observation is refused when the entry is gone", checkGone),
		assertion("an observation is good for one write, even of equal values", checkOneWrite),
		assertion("an observation that was never given stores nothing", checkNeverGiven),
	}
}

func checkReplace(p *probe) {
	stale := p.seedStale(key, value(1))
	p.wantApplied(p.record(key, value(2), stale.Observation), "a record by the observation of what is stored")
	p.wantFresh(key, value(2), "the replacing value")
}

// checkReplacedExpiries lets the clock pass every expiry of the old entry, since a life that is carried over shows only there.
func checkReplacedExpiries(p *probe) {
	stale := p.seedStale(key, value(1))
	p.advance(tick)
	replaced := p.now()
	outcome := p.record(key, value(2), stale.Observation)
	p.wantApplied(outcome, "a record by the observation of what is stored")
	p.wantTime(outcome.SoftExpiresAt, replaced.Add(p.opt.Soft), "the soft expiry of a replacing value")
	p.wantTime(outcome.HardExpiresAt, replaced.Add(p.opt.Hard), "the hard expiry of a replacing value")
	found := p.look(key)
	p.wantTime(found.SoftExpiresAt, replaced.Add(p.opt.Soft), "the soft expiry of a replaced entry")
	p.wantTime(found.HardExpiresAt, replaced.Add(p.opt.Hard), "the hard expiry of a replaced entry")
	p.advance(p.opt.Soft - tick)
	p.wantKind(p.look(key), cacheaside.LookupFresh, "a replacing value a millisecond before its soft expiry")
	p.advance(p.opt.Hard - p.opt.Soft)
	p.wantKind(p.look(key), cacheaside.LookupStale, "a replacing value a millisecond before its hard expiry")
	p.advance(tick)
	p.wantOver(p.look(key))
}

func checkAbsenceReplaces(p *probe) {
	stale := p.seedStale(key, value(1))
	replaced := p.now()
	p.wantApplied(p.record(key, absence(), stale.Observation), "an absence by the observation of a stale value")
	found := p.look(key)
	p.wantKind(found, cacheaside.LookupNegative, "an absence over a stale value")
	p.wantNothing(found, "an absence over a stale value")
	p.wantTime(found.HardExpiresAt, replaced.Add(p.opt.Negative), "the expiry of an absence over a stale value")
	p.advance(p.opt.Negative)
	p.wantOver(p.look(key))
}

func checkValueReplaces(p *probe) {
	p.seed(key, absence())
	negative := p.look(key)
	p.wantKind(negative, cacheaside.LookupNegative, "a recorded absence")
	p.mustObserve(negative, "a recorded absence")
	p.wantApplied(p.record(key, value(1), negative.Observation), "a value by the observation of an absence")
	p.wantFresh(key, value(1), "a value over a recorded absence")
}

func checkChanged(p *probe) {
	stale := p.seedStale(key, value(1))
	p.wantApplied(p.record(key, value(2), stale.Observation), "a record by the observation of what is stored")
	before := p.look(key)
	for _, late := range []entry{value(3), absence()} {
		p.wantRefused(p.record(key, late, stale.Observation), cacheaside.RecordConditionFailed, "a record by the observation of a replaced entry")
		p.wantUntouched(key, before, "a refused record")
	}
}

func checkGone(p *probe) {
	p.needs(p.subject.Drop != nil, "Drop")
	stale := p.seedStale(key, value(1))
	p.subject.Drop(key)
	p.wantRefused(p.record(key, value(2), stale.Observation), cacheaside.RecordObservationGone, "a record by the observation of a lost stale value")
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "a lost entry")

	p.seed("document 2", absence())
	negative := p.look("document 2")
	p.mustObserve(negative, "a recorded absence")
	p.subject.Drop("document 2")
	outcome := p.record("document 2", value(2), negative.Observation)
	p.wantRefused(outcome, cacheaside.RecordObservationGone, "a record by the observation of a lost absence")
	p.wantMiss(p.look("document 2"), cacheaside.MissAbsent, "a lost entry")
}

// checkOneWrite replaces a value by an equal one at the same moment, so that nothing but the write itself differs.
func checkOneWrite(p *probe) {
	late := value(1)
	late.LoadedAt = p.now()
	stale := p.seedStale(key, late)
	p.wantApplied(p.record(key, late, stale.Observation), "a record by the observation of what is stored")
	again := p.look(key)
	p.wantKind(again, cacheaside.LookupStale, "an equal value with the same expiries")
	p.wantValue(again, late, "an equal value")
	if again.Observation == stale.Observation {
		p.Errorf("two writes of equal values have the same observation")
	}
	p.wantRefused(p.record(key, value(2), stale.Observation), cacheaside.RecordConditionFailed, "a second record by one observation")
}

func checkNeverGiven(p *probe) {
	invented := []cacheaside.Observation{"invented", "\x00", "*", cacheaside.Observation(make([]byte, 32))}
	for _, seen := range invented {
		p.wantRefused(p.record(key, value(1), seen), 0, "a record for an absent key by an invented observation")
	}
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "what was refused")
	stale := p.seedStale(key, value(1))
	for _, seen := range invented {
		p.wantRefused(p.record(key, value(2), seen), 0, "a record by an invented observation")
		p.wantUntouched(key, stale, "an invented observation")
	}
}
