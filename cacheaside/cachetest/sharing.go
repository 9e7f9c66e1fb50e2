package cachetest

import "github.com/cacheaside/resilience/cacheaside"

func sharingAssertions() []Assertion {
	return []Assertion{
		assertion("a second instance reads what the first recorded", checkSecondReads),
		assertion("an observation holds at every instance", checkObservationTravels),
		assertion("an invalidation at one instance refuses the fill of another", checkSecondInvalidates),
	}
}

func (p *probe) second() cache {
	p.Helper()
	p.needs(p.subject.Second != nil, "Second")
	return p.subject.Second
}

func (p *probe) lookAtSecond(key string) lookup { return p.second().Lookup(p.Context(), key) }

func (p *probe) recordAtSecond(key string, given entry, seen cacheaside.Observation) cacheaside.RecordOutcome {
	return p.second().Record(p.Context(), key, given, cacheaside.Condition{Observation: seen})
}

func checkSecondReads(p *probe) {
	p.second()
	stored := p.seed(key, value(1))
	p.seed("document 2", absence())
	found := p.lookAtSecond(key)
	p.wantKind(found, cacheaside.LookupFresh, "a value recorded at another instance")
	p.wantValue(found, value(1), "a value recorded at another instance")
	p.wantTime(found.SoftExpiresAt, stored.SoftExpiresAt, "the soft expiry at another instance")
	p.wantTime(found.HardExpiresAt, stored.HardExpiresAt, "the hard expiry at another instance")
	p.wantKind(p.lookAtSecond("document 2"), cacheaside.LookupNegative, "an absence recorded at another instance")
	p.wantRefused(p.recordAtSecond(key, value(2), onlyIfAbsent), cacheaside.RecordConditionFailed, "only-if-absent at another instance")
	p.wantFresh(key, value(1), "a value that another instance was refused to replace")
}

func checkObservationTravels(p *probe) {
	p.second()
	stale := p.seedStale(key, value(1))
	elsewhere := p.lookAtSecond(key)
	p.wantKind(elsewhere, cacheaside.LookupStale, "a stale value at another instance")
	p.wantApplied(p.recordAtSecond(key, value(2), elsewhere.Observation), "a record at another instance by its own observation")
	outcome := p.record(key, value(3), stale.Observation)
	p.wantRefused(outcome, cacheaside.RecordConditionFailed, "a record by the observation of what another instance replaced")
	p.wantFresh(key, value(2), "the value recorded at another instance")

	p.seed("document 2", absence())
	p.wantApplied(p.recordAtSecond("document 2", value(4), p.look("document 2").Observation), "a record by an observation of another instance")
	p.wantFresh("document 2", value(4), "the value recorded at another instance")
}

func checkSecondInvalidates(p *probe) {
	p.invalidator()
	p.second()
	missed := p.lookAtSecond(key)
	p.invalidate(key)
	p.wantMiss(p.lookAtSecond(key), cacheaside.MissInvalidated, "a key invalidated at another instance")
	outcome := p.recordAtSecond(key, value(1), missed.Observation)
	p.wantRefused(outcome, cacheaside.RecordConditionFailed, "a fill that began at another instance before the invalidation")
	found := p.lookAtSecond(key)
	p.wantApplied(p.recordAtSecond(key, value(2), found.Observation), "a fill that began at another instance after the invalidation")
	p.wantFresh(key, value(2), "the value recorded at another instance")
}
