package cachetest

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func grantAssertions() []Assertion {
	return []Assertion{
		fencedAssertion("an unheld key is granted with a token above zero", checkGranted),
		fencedAssertion("a live grant is held against every other request, with what remains of it", checkHeld),
		fencedAssertion("a request that holds the grant gets the same token again", checkGrantedAgain),
		fencedAssertion("grants of different keys do not exclude each other", checkGrantOfAnotherKey),
		fencedAssertion("a grant that ran out is taken over with a greater token", checkTakeover),
		fencedAssertion("a grant is live up to its expiry and not at it", checkGrantExpiry),
		fencedAssertion("tokens grow across release, expiry, fill and invalidation", checkTokensGrow),
		fencedAssertion("a second instance is held by the first one's grant and goes on with its tokens", checkSecondHeld),
		fencedAssertion("no clock of who asks decides about a grant", checkSkewed),
		fencedAssertion("of twenty requests for one key exactly one is granted", checkTwentyRequests),
	}
}

func checkGranted(_ *probe, f *fenced) {
	f.grant(1, "the first request for a key")
}

func checkHeld(_ *probe, f *fenced) {
	f.grant(1, "the first request for a key")
	f.wantHeld(f.acquire(2, onlyIfAbsent), leaseTime, "another request")
	f.wantHeld(f.acquire(3, onlyIfAbsent), leaseTime, "a third request")
	f.pass(leaseTime / 2)
	f.wantHeld(f.acquire(2, onlyIfAbsent), leaseTime/2, "another request at half of the grant's life")
}

func checkGrantedAgain(p *probe, f *fenced) {
	first := f.grant(1, "the first request for a key")
	f.wantHeld(f.acquire(2, onlyIfAbsent), leaseTime, "another request")
	if again := f.grant(1, "a request that is repeated"); again != first {
		p.Errorf("a request that is repeated gets the token %d, want %d again", again.Token, first.Token)
	}
	p.wantApplied(f.fill(first, value(1)), "a fill by a request that asked twice")
}

func checkGrantOfAnotherKey(p *probe, f *fenced) {
	f.grant(1, "the first request for a key")
	f.wantGranted(2, f.Acquire(p.Context(), "document 2", request(2), onlyIfAbsent, leaseTime), "a request for another key")
	f.wantHeld(f.acquire(2, onlyIfAbsent), leaseTime, "another request")
}

func checkTakeover(p *probe, f *fenced) {
	first := f.grant(1, "the first request for a key")
	f.pass(leaseTime)
	second := f.grant(2, "a request after the grant ran out")
	if second.Token <= first.Token {
		p.Errorf("a grant is taken over with the token %d, want one above %d", second.Token, first.Token)
	}
	f.wantHeld(f.acquire(1, onlyIfAbsent), leaseTime, "the request whose grant was taken over")
	f.wantSuperseded(f.fill(first, value(1)), "a fill under the grant that was taken over")
	p.wantApplied(f.fill(second, value(2)), "the fill of who has taken over")
	f.wantSuperseded(f.fill(first, value(1)), "a fill under the grant that was taken over")
	p.wantFresh(key, value(2), "what was filled after a takeover")
}

func checkGrantExpiry(p *probe, f *fenced) {
	p.needs(p.subject.AgeFence == nil, "clock that decides about grants and stands still")
	f.grant(1, "the first request for a key")
	p.advance(leaseTime - tick)
	f.wantHeld(f.acquire(2, onlyIfAbsent), tick, "another request a millisecond before the expiry")
	p.advance(tick)
	f.grant(2, "another request at the expiry")
}

func checkTokensGrow(p *probe, f *fenced) {
	last := f.grant(1, "the first request for a key").Token
	grow := func(n int, what string) {
		p.Helper()
		next := f.grant(n, "a request after "+what).Token
		if next <= last {
			p.Errorf("after %s the token is %d, want one above %d", what, next, last)
		}
		last = next
	}
	f.Release(p.Context(), key, cacheaside.Fence{Token: last, Request: request(1)})
	grow(2, "a release")
	f.pass(leaseTime)
	grow(3, "an expiry")
	p.wantApplied(f.fill(cacheaside.Fence{Token: last, Request: request(3)}, absence()), "a fill under a live grant")
	grow(4, "a fill")
	f.invalidate()
	grow(5, "an invalidation")
	f.invalidate()
	f.invalidate()
	grow(5, "two invalidations")
}

func checkSecondHeld(p *probe, f *fenced) {
	second := p.fencedSecond()
	first := f.grant(1, "the first request for a key")
	second.wantHeld(second.acquire(2, onlyIfAbsent), leaseTime, "a request at another instance")
	f.Release(p.Context(), key, first)
	taken := second.grant(2, "a request at another instance after a release")
	if taken.Token <= first.Token {
		p.Errorf("another instance issues the token %d, want one above %d", taken.Token, first.Token)
	}
	f.wantSuperseded(f.fill(first, value(1)), "a fill whose grant another instance has taken over")
	p.wantApplied(second.fill(taken, value(2)), "a fill at another instance")
	p.wantFresh(key, value(2), "a value that was filled at another instance")
}

func checkSkewed(p *probe, f *fenced) {
	p.needs(p.subject.Skewed != nil, "Skewed")
	for _, off := range []time.Duration{-time.Hour, -leaseTime, -leaseTime / 2, leaseTime / 2, leaseTime, time.Hour} {
		other := p.fencedAt(p.subject.Skewed(off))
		first := f.grant(1, "a request")
		other.wantHeld(other.acquire(2, onlyIfAbsent), leaseTime, "a request at an instance whose clock is off by "+off.String())
		f.Release(p.Context(), key, first)
		taken := other.wantGranted(2, other.acquire(2, onlyIfAbsent), "a request after a release, at an instance whose clock is off by "+off.String())
		if taken.Token <= first.Token {
			p.Errorf("an instance whose clock is off by %v issues the token %d, want one above %d", off, taken.Token, first.Token)
		}
		f.wantHeld(f.acquire(1, onlyIfAbsent), leaseTime, "a request beside the grant of an instance whose clock is off by "+off.String())
		other.Release(p.Context(), key, taken)
	}
}

func checkTwentyRequests(p *probe, f *fenced) {
	const requests = 20
	var granted atomic.Int64
	var asking sync.WaitGroup
	start := make(chan struct{})
	for n := range requests {
		asking.Go(func() {
			<-start
			if f.acquire(n+1, onlyIfAbsent).Kind == cacheaside.GrantGranted {
				granted.Add(1)
			}
		})
	}
	close(start)
	asking.Wait()
	if got := granted.Load(); got != 1 {
		p.Errorf("%d of %d requests were granted, want 1", got, requests)
	}
}
