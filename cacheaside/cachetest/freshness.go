package cachetest

import (
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

const tick = time.Millisecond

func freshnessAssertions() []Assertion {
	return []Assertion{
		assertion("an absent key is a miss without an observation", checkAbsent),
		assertion("a recorded value is fresh, with its revision and expiries", checkFresh),
		assertion("a value turns stale at its soft expiry and not a millisecond earlier", checkSoft),
		assertion("a value is over at its hard expiry and not a millisecond earlier", checkHard),
		assertion("a stale value comes with value, revision, expiries and observation", checkStale),
		assertion("a recorded absence comes with its expiry and an observation, and without a value", checkNegative),
		assertion("a recorded absence is over at its expiry and not a millisecond earlier", checkNegativeExpiry),
		assertion("an applied record tells the expiries that lookups tell", checkOutcomeExpiries),
		assertion("lookups delete nothing and prolong nothing", checkLookupsAreReads),
		assertion("reported lifetimes are those the cache was built with", checkLifetimes),
	}
}

func checkAbsent(p *probe) {
	found := p.look(key)
	p.wantMiss(found, cacheaside.MissAbsent, "a key that was never recorded")
	p.wantNothing(found, "an absent key")
	if found.Observation != "" {
		p.Errorf("an absent key has an observation: with it a record would ask for an entry that never was")
	}
	if found.Err != nil {
		p.Errorf("an absent key has the error %v", found.Err)
	}
}

func checkFresh(p *probe) {
	start := p.now()
	p.seed(key, value(1))
	found := p.look(key)
	p.wantKind(found, cacheaside.LookupFresh, "a value just recorded")
	p.wantValue(found, value(1), "a fresh value")
	p.wantTime(found.SoftExpiresAt, start.Add(p.opt.Soft), "a fresh value's soft expiry")
	p.wantTime(found.HardExpiresAt, start.Add(p.opt.Hard), "a fresh value's hard expiry")
	if found.Miss != 0 || found.Entry != 0 || found.Err != nil {
		p.Errorf("a fresh value is also a miss (%d), unusable (%d) or an error (%v)", found.Miss, found.Entry, found.Err)
	}
}

func checkSoft(p *probe) {
	p.seed(key, value(1))
	p.advance(p.opt.Soft - tick)
	p.wantKind(p.look(key), cacheaside.LookupFresh, "a value a millisecond before its soft expiry")
	p.advance(tick)
	p.wantKind(p.look(key), cacheaside.LookupStale, "a value at its soft expiry")
}

func checkHard(p *probe) {
	p.seed(key, value(1))
	p.advance(p.opt.Hard - tick)
	p.wantKind(p.look(key), cacheaside.LookupStale, "a value a millisecond before its hard expiry")
	p.advance(tick)
	p.wantOver(p.look(key))
	p.advance(tick)
	p.wantOver(p.look(key))
}

func checkStale(p *probe) {
	start := p.now()
	p.seed(key, value(1))
	p.advance(p.opt.Soft)
	found := p.look(key)
	p.wantKind(found, cacheaside.LookupStale, "a value at its soft expiry")
	p.wantValue(found, value(1), "a stale value")
	p.wantTime(found.SoftExpiresAt, start.Add(p.opt.Soft), "a stale value's soft expiry")
	p.wantTime(found.HardExpiresAt, start.Add(p.opt.Hard), "a stale value's hard expiry")
	p.mustObserve(found, "a stale value")
}

func checkNegative(p *probe) {
	start := p.now()
	p.seed(key, entry{Negative: true, Value: document(1), Revision: "revision"})
	found := p.look(key)
	p.wantKind(found, cacheaside.LookupNegative, "an absence just recorded")
	p.wantNothing(found, "a recorded absence")
	p.wantTime(found.SoftExpiresAt, time.Time{}, "a recorded absence's soft expiry")
	p.wantTime(found.HardExpiresAt, start.Add(p.opt.Negative), "a recorded absence's expiry")
	p.mustObserve(found, "a recorded absence")
}

func checkNegativeExpiry(p *probe) {
	p.seed(key, absence())
	p.advance(p.opt.Negative - tick)
	p.wantKind(p.look(key), cacheaside.LookupNegative, "an absence a millisecond before its expiry")
	p.advance(tick)
	p.wantOver(p.look(key))
}

func checkOutcomeExpiries(p *probe) {
	start := p.now()
	stored := p.seed(key, value(1))
	p.wantTime(stored.SoftExpiresAt, start.Add(p.opt.Soft), "the soft expiry of a recorded value")
	p.wantTime(stored.HardExpiresAt, start.Add(p.opt.Hard), "the hard expiry of a recorded value")
	negative := p.seed("document 2", absence())
	p.wantTime(negative.SoftExpiresAt, time.Time{}, "the soft expiry of a recorded absence")
	p.wantTime(negative.HardExpiresAt, start.Add(p.opt.Negative), "the expiry of a recorded absence")
	for _, outcome := range []cacheaside.RecordOutcome{stored, negative} {
		if outcome.Reason != 0 || outcome.Err != nil {
			p.Errorf("an applied record has the reason %s and the error %v, want neither", outcome.Reason, outcome.Err)
		}
	}
	found := p.look(key)
	p.wantTime(found.SoftExpiresAt, stored.SoftExpiresAt, "the soft expiry of the lookup")
	p.wantTime(found.HardExpiresAt, stored.HardExpiresAt, "the hard expiry of the lookup")
}

func checkLookupsAreReads(p *probe) {
	p.seed(key, value(1))
	for _, stage := range []struct {
		name string
		wait time.Duration
	}{
		{"of a fresh value", p.opt.Soft - tick},
		{"of a stale value", p.opt.Hard - p.opt.Soft},
		{"of an expired value", tick},
	} {
		p.advance(stage.wait)
		before := p.look(key)
		for range 3 {
			p.wantUntouched(key, before, "a lookup "+stage.name)
		}
	}
	p.wantOver(p.look(key))
}

func checkLifetimes(p *probe) {
	reporter, ok := p.subject.Cache.(cacheaside.LifetimeReporter)
	p.needs(ok, "Lifetimes in its Cache")
	lives := reporter.Lifetimes()
	if shortest := min(p.opt.Hard, p.opt.Negative); lives.MinHard <= 0 || lives.MinHard > shortest {
		p.Errorf("the shortest life of an entry is told as %s, want more than 0 and at most %s", lives.MinHard, shortest)
	}
	if _, invalidates := p.subject.Cache.(cacheaside.Invalidator[string]); invalidates && lives.Tombstone != p.opt.Tombstone {
		p.Errorf("the life of a tombstone is told as %s, want %s", lives.Tombstone, p.opt.Tombstone)
	}
}
