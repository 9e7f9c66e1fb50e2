package cachetest

import (
	"strings"

	"github.com/cacheaside/resilience/cacheaside"
)

func releaseAssertions() []Assertion {
	return []Assertion{
		fencedAssertion("a release frees the key at once", checkRelease),
		fencedAssertion("a release without a token is that of its request", checkReleaseByRequest),
		fencedAssertion("a release of somebody else's grant changes nothing", checkReleaseOfOthers),
		fencedAssertion("a release of a grant that ran out does not begin it again where the clock steps back", checkLateRelease),
	}
}

func fenceFailureAssertions() []Assertion {
	return []Assertion{
		fencedAssertion("a done context gets no grant, fills nothing and releases nothing", checkFenceDoneContext),
		fencedAssertion("a store that cannot be asked grants nothing and fills nothing", checkFenceBroken),
	}
}

func checkRelease(p *probe, f *fenced) {
	first := f.grant(1, "a grant")
	f.Release(p.Context(), key, first)
	second := f.grant(2, "a request right after a release")
	f.Release(p.Context(), key, first)
	f.wantHeld(f.acquire(3, onlyIfAbsent), leaseTime, "a request after the old grant was released again")
	p.wantApplied(f.fill(second, value(1)), "a fill after the old grant was released again")
	p.wantFresh(key, value(1), "a filled value")
}

func checkReleaseByRequest(p *probe, f *fenced) {
	f.grant(1, "a grant")
	f.Release(p.Context(), key, cacheaside.Fence{Request: request(2)})
	f.wantHeld(f.acquire(3, onlyIfAbsent), leaseTime, "a request after a release that names another")
	f.Release(p.Context(), key, cacheaside.Fence{Request: request(1)})
	f.grant(3, "a request after a release that names the holder's")
}

func checkReleaseOfOthers(p *probe, f *fenced) {
	fence := f.grant(1, "a grant")
	for _, forged := range []cacheaside.Fence{
		{Token: fence.Token, Request: request(2)}, {Token: fence.Token + 1, Request: fence.Request}, {Token: fence.Token}, {},
	} {
		f.Release(p.Context(), key, forged)
		f.wantHeld(f.acquire(3, onlyIfAbsent), leaseTime, "a request after somebody else's release")
	}
	f.Release(p.Context(), "document 2", fence)
	f.wantHeld(f.acquire(3, onlyIfAbsent), leaseTime, "a request after a release of another key")
	p.wantApplied(f.fill(fence, value(1)), "a fill after somebody else's release")
}

func checkLateRelease(p *probe, f *fenced) {
	fence := f.grant(1, "a grant")
	f.pass(2 * leaseTime)
	f.Release(p.Context(), key, fence)
	f.pass(-leaseTime / 2)
	f.grant(2, "a request for what ran out, after its release and a step back of the clock")
}

func checkFenceDoneContext(p *probe, f *fenced) {
	done := doneContext(p)
	got := f.Acquire(done, key, request(1), onlyIfAbsent, leaseTime)
	if got.Kind != cacheaside.GrantUnavailable {
		p.Fatalf("a request with a done context is %s, want Unavailable", answered(got))
	}
	p.wantCancelled(got.Err, "a request")
	fence := f.grant(2, "a request after one with a done context")
	outcome := f.Fill(done, key, fence, value(1), cacheaside.Condition{})
	p.wantRefused(outcome, cacheaside.RecordNeverSent, "a fill with a done context")
	p.wantCancelled(outcome.Err, "a fill")
	f.Release(done, key, fence)
	f.wantHeld(f.acquire(3, onlyIfAbsent), leaseTime, "a request after a release with a done context")
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "a key after calls with a done context")
}

func checkFenceBroken(p *probe, f *fenced) {
	p.needs(p.subject.Break != nil, "Break")
	fence := f.grant(1, "a grant")
	p.subject.Break()
	for _, name := range []string{key, "account-of-nobody"} {
		got := f.Acquire(p.Context(), name, request(1), onlyIfAbsent, leaseTime)
		if got.Kind != cacheaside.GrantUnavailable && got.Kind != cacheaside.GrantIndeterminate {
			p.Errorf("a request at a broken store is %s, want Unavailable or Indeterminate", answered(got))
		}
		if got.Err == nil || strings.Contains(got.Err.Error(), name) {
			p.Errorf("a request at a broken store does not tell why, or names the key")
		}
	}
	outcome := f.fill(fence, value(1))
	if outcome.Certainty != cacheaside.RecordNotApplied && outcome.Certainty != cacheaside.RecordIndeterminate {
		p.Errorf("a fill at a broken store is %s, want NotApplied or Indeterminate", done(outcome))
	}
	f.Release(p.Context(), key, fence)
}
