package cachetest

import "github.com/cacheaside/resilience/cacheaside"

func expiredConditionAssertions() []Assertion {
	return []Assertion{
		assertion("an expired value is replaced by what its lookup gave", func(p *probe) { checkExpiredIsReplaced(p, value(1)) }),
		assertion("an expired absence is replaced by what its lookup gave", func(p *probe) { checkExpiredIsReplaced(p, absence()) }),
		assertion("only-if-absent over an expired value is told as it was done", checkAbsentOverExpired),
		assertion("an expired entry's observation is satisfied by one that is gone", checkExpiredGone),
		assertion("an expired entry's observation does not replace a newer entry", checkExpiredChanged),
		assertion("an expired entry's observation, satisfied by nothing, is good for one write", checkExpiredOnce),
	}
}

func checkExpiredIsReplaced(p *probe, old entry) {
	over := p.seedExpired(key, old)
	p.wantApplied(p.record(key, value(2), over.Observation), "a record by what the lookup of an expired entry gave")
	p.wantFresh(key, value(2), "a value over an expired entry")
}

func checkAbsentOverExpired(p *probe) {
	p.seedExpired(key, value(1))
	switch outcome := p.record(key, value(2), onlyIfAbsent); outcome.Certainty {
	case cacheaside.RecordApplied:
		p.wantFresh(key, value(2), "a value that was told as applied")
	default:
		p.wantRefused(outcome, cacheaside.RecordConditionFailed, "only-if-absent over an expired value")
		p.wantOver(p.look(key))
	}
}

// expiredObservation skips where the store forgets by itself: what is told as absent has no observation to test.
func (p *probe) expiredObservation() cacheaside.Observation {
	p.Helper()
	over := p.seedExpired(key, value(1))
	if over.Miss != cacheaside.MissExpired {
		p.Skipf("the store forgets an entry at its hard expiry")
	}
	return over.Observation
}

func checkExpiredGone(p *probe) {
	p.needs(p.subject.Drop != nil, "Drop")
	seen := p.expiredObservation()
	p.subject.Drop(key)
	p.wantApplied(p.record(key, value(2), seen), "a record by the observation of an expired entry that is gone")
	p.wantFresh(key, value(2), "a value recorded after an expired one had gone")
}

func checkExpiredChanged(p *probe) {
	seen := p.expiredObservation()
	p.wantApplied(p.record(key, value(2), seen), "a record by the observation of an expired entry")
	before := p.look(key)
	p.wantRefused(p.record(key, value(3), seen), cacheaside.RecordConditionFailed, "a second record by the observation of an expired entry")
	p.wantUntouched(key, before, "a refused record")
}

func checkExpiredOnce(p *probe) {
	p.needs(p.subject.Drop != nil, "Drop")
	seen := p.expiredObservation()
	p.subject.Drop(key)
	p.wantApplied(p.record(key, value(2), seen), "a record by the observation of an expired entry that is gone")
	p.wantRefused(p.record(key, value(3), seen), cacheaside.RecordConditionFailed, "a second record by the observation of an expired entry")
	p.wantFresh(key, value(2), "the value recorded first")
}
