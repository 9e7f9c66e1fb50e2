package cachetest

import "github.com/cacheaside/resilience/cacheaside"

func absentConditionAssertions() []Assertion {
	return []Assertion{
		assertion("only-if-absent refuses a fresh value and leaves it as it was", func(p *probe) {
			p.seed(key, value(1))
			checkPresentStays(p)
		}),
		assertion("only-if-absent refuses a stale value and leaves it as it was", func(p *probe) {
			p.seedStale(key, value(1))
			checkPresentStays(p)
		}),
		assertion("only-if-absent refuses a recorded absence and leaves it as it was", func(p *probe) {
			p.seed(key, absence())
			checkPresentStays(p)
		}),
		assertion("an absence does not replace a value that came meanwhile", checkAbsenceComesLate),
		assertion("what is gone is absent", checkGoneIsAbsent),
	}
}

func checkPresentStays(p *probe) {
	before := p.look(key)
	p.wantRefused(p.record(key, value(2), onlyIfAbsent), cacheaside.RecordConditionFailed, "only-if-absent over what is present")
	p.wantUntouched(key, before, "a refused record")
	p.wantRefused(p.record(key, absence(), onlyIfAbsent), cacheaside.RecordConditionFailed, "only-if-absent of an absence over what is present")
	p.wantUntouched(key, before, "a refused record of an absence")
}

// checkAbsenceComesLate is a reader that asked the source before the value was made, and answers after somebody else has recorded it.
func checkAbsenceComesLate(p *probe) {
	missed := p.look(key)
	p.wantMiss(missed, cacheaside.MissAbsent, "an absent key")
	p.seed(key, value(1))
	p.wantRefused(p.record(key, absence(), missed.Observation), cacheaside.RecordConditionFailed, "an absence for a key that has a value by now")
	p.wantFresh(key, value(1), "the value that came meanwhile")
}

func checkGoneIsAbsent(p *probe) {
	p.needs(p.subject.Drop != nil, "Drop")
	p.seed(key, value(1))
	p.subject.Drop(key)
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "an entry that the store has lost")
	p.seed(key, value(2))
	p.wantFresh(key, value(2), "a value recorded after the store had lost the old one")
}
