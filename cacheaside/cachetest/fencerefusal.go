package cachetest

import "github.com/cacheaside/resilience/cacheaside"

func fillRefusalAssertions() []Assertion {
	return []Assertion{
		fencedAssertion("a fill is accepted only with both the token and the request of the grant", checkForgedFence),
		fencedAssertion("a fill without any grant is refused", checkFillUngranted),
		fencedAssertion("a fill from before an invalidation is refused", checkFillBeforeInvalidation),
		fencedAssertion("a fill from before an invalidation is refused after a new grant and its fill too", checkFillBeforeNewGrant),
		fencedAssertion("an invalidation at a second instance refuses the fill of the first", checkSecondSupersedes),
		fencedAssertion("a fill whose fence record is lost is refused", checkFillOfLost),
		fencedAssertion("a fill whose fence record is lost is refused after a new grant too", checkFillOfLostAndNew),
		fencedAssertion("an accepted fill may not be repeated over an invalidation", checkRepeatedOverInvalidation),
		fencedAssertion("a tombstone of a key without a grant refuses no fill that begins after it", checkFillAfterInvalidation),
	}
}

func checkForgedFence(p *probe, f *fenced) {
	fence := f.grant(1, "a grant")
	for what, forged := range map[string]cacheaside.Fence{
		"the token of another's grant":      {Token: fence.Token, Request: request(2)},
		"the token alone":                   {Token: fence.Token},
		"the request and a greater token":   {Token: fence.Token + 1, Request: fence.Request},
		"the request and a lesser token":    {Token: fence.Token - 1, Request: fence.Request},
		"the request alone":                 {Request: fence.Request},
		"nothing":                           {},
		"a token and a request of no grant": {Token: fence.Token + 1, Request: request(2)},
	} {
		f.wantSuperseded(f.fill(forged, value(1)), "a fill with "+what)
		p.wantMiss(p.look(key), cacheaside.MissAbsent, "a key after a refused fill")
	}
	p.wantApplied(f.fill(fence, value(2)), "a fill after others were refused")
	p.wantFresh(key, value(2), "a filled value")
}

func checkFillUngranted(p *probe, f *fenced) {
	for _, forged := range []cacheaside.Fence{{}, {Request: request(1)}, {Token: 1, Request: request(1)}} {
		f.wantSuperseded(f.fill(forged, value(1)), "a fill without a grant")
		p.wantMiss(p.look(key), cacheaside.MissAbsent, "a key after a refused fill")
	}
	f.invalidate()
	f.wantSuperseded(f.fill(cacheaside.Fence{}, value(1)), "a fill without a grant after an invalidation")
	p.wantMiss(p.look(key), cacheaside.MissInvalidated, "a key after a refused fill")
}

func checkFillBeforeInvalidation(p *probe, f *fenced) {
	fence := f.grant(1, "a grant")
	f.invalidate()
	before := p.look(key)
	f.wantSuperseded(f.fill(fence, value(1)), "a fill from before an invalidation")
	p.wantUntouched(key, before, "a refused fill")

	p.advance(p.opt.Soft)
	f.seed(2, value(2))
	p.advance(p.opt.Soft)
	fence = f.grant(3, "a request that saw a stale value")
	f.invalidate()
	before = p.look(key)
	f.wantSuperseded(f.fill(fence, value(3)), "a fill over a stale value, from before an invalidation")
	p.wantUntouched(key, before, "a refused fill")
}

func checkFillBeforeNewGrant(p *probe, f *fenced) {
	old := f.grant(1, "a grant")
	f.invalidate()
	fresh := f.grant(2, "a request after an invalidation")
	f.wantSuperseded(f.fill(old, value(1)), "a fill from before an invalidation and another grant")
	p.wantMiss(p.look(key), cacheaside.MissInvalidated, "a key after a refused fill")
	p.wantApplied(f.fill(fresh, value(2)), "a fill from after an invalidation")
	f.wantSuperseded(f.fill(old, value(1)), "a fill from before an invalidation and another fill")
	p.wantFresh(key, value(2), "a value filled after an invalidation")
}

func checkSecondSupersedes(p *probe, f *fenced) {
	second := p.fencedSecond()
	fence := f.grant(1, "a grant")
	second.invalidate()
	f.wantSuperseded(f.fill(fence, value(1)), "a fill from before an invalidation at another instance")
	p.wantMiss(p.look(key), cacheaside.MissInvalidated, "a key that was invalidated at another instance")
}

func checkFillOfLost(p *probe, f *fenced) {
	fence := f.grant(1, "a grant")
	f.lose()
	f.wantSuperseded(f.fill(fence, value(1)), "a fill whose fence record is lost")
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "a key after a refused fill")
	f.wantSuperseded(f.fill(fence, large(1)), "a large fill whose fence record is lost")
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "a key after a refused fill")
}

func checkFillOfLostAndNew(p *probe, f *fenced) {
	old := f.grant(1, "a grant")
	f.lose()
	fresh := f.grant(2, "a request after the fence record was lost")
	f.wantSuperseded(f.fill(old, value(1)), "a fill whose fence record was lost and made anew")
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "a key after a refused fill")
	p.wantApplied(f.fill(fresh, value(2)), "a fill under the new fence record")
	f.wantSuperseded(f.fill(old, value(1)), "a fill whose fence record was lost and made anew")
	p.wantFresh(key, value(2), "a value filled under the new fence record")
}

func checkRepeatedOverInvalidation(p *probe, f *fenced) {
	fence := f.seed(1, value(1))
	f.invalidate()
	f.wantSuperseded(f.fill(fence, value(1)), "a fill that is repeated after an invalidation")
	p.wantMiss(p.look(key), cacheaside.MissInvalidated, "a key after a refused fill")
}

func checkFillAfterInvalidation(p *probe, f *fenced) {
	f.invalidate()
	f.seed(1, value(1))
	p.wantFresh(key, value(1), "a value filled after an invalidation")
	f.invalidate()
	f.seed(2, value(2))
	p.wantFresh(key, value(2), "a value filled after two invalidations")
}
