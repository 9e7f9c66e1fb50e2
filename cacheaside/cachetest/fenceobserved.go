package cachetest

import "github.com/cacheaside/resilience/cacheaside"

func grantObservationAssertions() []Assertion {
	return []Assertion{
		fencedAssertion("an entry other than the observed one is already filled, held or not", checkAlreadyFilled),
		fencedAssertion("what is already filled issues no token", checkFilledIssuesNothing),
		fencedAssertion("a stale value's observation is granted, and that of the entry before is not", checkGrantOfStale),
		fencedAssertion("an expired entry's observation is granted", checkGrantOfExpired),
		fencedAssertion("a tombstone that is gone is as good for a grant", checkGrantOfGoneTombstone),
		fencedAssertion("an observation that no lookup gave is not granted", checkGrantOfUnknown),
	}
}

func checkAlreadyFilled(p *probe, f *fenced) {
	f.seed(1, value(1))
	f.wantFilled(f.acquire(2, onlyIfAbsent), "a request that saw nothing where a value is")
	p.advance(p.opt.Soft)
	f.wantFilled(f.acquire(2, onlyIfAbsent), "a request that saw nothing where a stale value is")
	f.grant(2, "a request that saw the stale value")
	f.wantFilled(f.acquire(3, onlyIfAbsent), "a request that saw nothing, beside a live grant")
	f.invalidate()
	f.wantFilled(f.acquire(3, onlyIfAbsent), "a request that saw nothing where a tombstone is")
}

func checkFilledIssuesNothing(p *probe, f *fenced) {
	f.seed(1, absence())
	held := f.grant(2, "a request that saw the absence")
	f.wantFilled(f.acquire(3, onlyIfAbsent), "a request that saw nothing")
	f.wantFilled(f.acquire(2, onlyIfAbsent), "a request of the holder that saw nothing")
	p.wantApplied(f.fill(held, absence()), "a fill beside a request that was told of another entry")
	f.wantFilled(f.acquire(4, onlyIfAbsent), "a request that saw nothing")
	f.grant(5, "a request that saw the absence, after one that was told of another entry")
}

func checkGrantOfStale(p *probe, f *fenced) {
	f.seed(1, value(1))
	p.advance(p.opt.Soft)
	before := p.look(key)
	p.wantKind(before, cacheaside.LookupStale, "a value at its soft expiry")
	p.wantApplied(f.fill(f.wantGranted(2, f.acquire(2, before.Observation), "a request that saw the stale value"), value(2)), "a fill over a stale value")
	f.wantFilled(f.acquire(3, before.Observation), "a request that saw the stale value before it was replaced")
	p.wantFresh(key, value(2), "a value filled over a stale one")
}

func checkGrantOfExpired(p *probe, f *fenced) {
	f.seed(1, value(1))
	p.advance(p.opt.Hard)
	over := p.look(key)
	p.wantOver(over)
	p.wantApplied(f.fill(f.wantGranted(2, f.acquire(2, over.Observation), "a request that saw an expired value"), value(2)), "a fill over an expired value")
	p.wantFresh(key, value(2), "a value filled over an expired one")
}

func checkGrantOfGoneTombstone(p *probe, f *fenced) {
	p.needs(p.subject.Drop != nil, "Drop")
	f.invalidate()
	buried := f.seen()
	f.seed(1, absence())
	absent := f.seen()
	f.wantFilled(f.acquire(2, buried), "a request that saw a tombstone which was replaced")
	p.subject.Drop(key)
	f.wantFilled(f.acquire(2, absent), "a request that saw an absence which is gone")
	fence := f.wantGranted(3, f.acquire(3, buried), "a request that saw a tombstone which is gone")
	p.wantApplied(f.fill(fence, value(1)), "a fill where a tombstone was")
	p.wantFresh(key, value(1), "a value filled where a tombstone was")
}

func checkGrantOfUnknown(p *probe, f *fenced) {
	if got := f.acquire(1, "never given by any lookup"); got.Kind == cacheaside.GrantGranted {
		p.Errorf("an observation that no lookup gave is granted")
	}
	f.grant(2, "a request after one that was refused")
}
