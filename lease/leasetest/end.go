package leasetest

import (
	"time"

	"github.com/cacheaside/resilience/lease"
)

func endAssertions() []Assertion {
	return []Assertion{
		assertion(4, "a token is strictly greater than every earlier one, after expiry and after release", checkTokens),
		assertion(5, "an expired lease is taken by another", checkTakeover),
		assertion(6, "an expired lease inspects as unheld, with its token", checkExpiredInspection),
		assertion(9, "an expired lease cannot be renewed", checkExpiredRenewal),
		assertion(11, "a release frees the key at once", checkRelease),
		assertion(18, "releasing twice is lost", checkReleaseTwice),
		assertion(21, "a lease is over at its expiry, and not a microsecond earlier", checkHalfOpen),
	}
}

func checkTokens(p *probe) {
	take := func(store lease.Store) lease.Token {
		p.Helper()
		granted := p.take(store, key, "a")
		p.wantTimed(granted)
		return granted.Token
	}
	last := take(p.subject.Store)
	for i := range 3 {
		for _, store := range p.both() {
			p.advance(ttl)
			p.wantUnheld(key, last)
			next := take(store)
			p.wantAbove(next, last, "after an expiry")
			last = next

			p.release(p.subject.Store, key, last, lease.NotLost)
			p.wantUnheld(key, last)
			next = take(store)
			p.wantAbove(next, last, "at the moment of a release")
			last = next
		}
		if i == 1 {
			// Far longer than any record would be kept that is not kept for ever.
			p.advance(400 * 24 * time.Hour)
			p.wantUnheld(key, last)
		}
	}
}

func checkTakeover(p *probe) {
	first := p.take(p.subject.Store, key, "a")
	p.wantHeld(p.subject.Second, key, "b", "a")
	p.advance(ttl)
	second := p.take(p.subject.Second, key, "b")
	p.wantAbove(second.Token, first.Token, "taken over,")
	p.wantHeld(p.subject.Store, key, "a", "b")
	p.wantLive(key, "b", second.Token)
}

func checkExpiredInspection(p *probe) {
	granted := p.take(p.subject.Store, key, "a")
	p.advance(ttl)
	p.wantUnheld(key, granted.Token)
	p.advance(10 * ttl)
	p.wantUnheld(key, granted.Token)
}

func checkExpiredRenewal(p *probe) {
	first := p.take(p.subject.Store, key, "a")
	p.advance(ttl)
	for _, store := range p.both() {
		p.wantRenewLost(store, key, first.Token, lease.LostExpired)
	}
	p.wantUnheld(key, first.Token)
	second := p.take(p.subject.Second, key, "b")
	p.release(p.subject.Second, key, second.Token, lease.NotLost)
	p.wantRenewLost(p.subject.Second, key, second.Token, lease.LostExpired)
	p.wantUnheld(key, second.Token)
}

func checkRelease(p *probe) {
	first := p.take(p.subject.Store, key, "a")
	p.release(p.subject.Store, key, first.Token, lease.NotLost)
	p.wantUnheld(key, first.Token)
	second := p.take(p.subject.Second, key, "b")
	p.wantLive(key, "b", second.Token)
	p.release(p.subject.Store, key, second.Token, lease.NotLost) // the token is the proof, not the client
	p.wantUnheld(key, second.Token)
}

func checkReleaseTwice(p *probe) {
	granted := p.take(p.subject.Store, key, "a")
	p.release(p.subject.Store, key, granted.Token, lease.NotLost)
	for _, store := range p.both() {
		p.release(store, key, granted.Token, lease.LostExpired)
	}
	p.wantUnheld(key, granted.Token)
	expired := p.take(p.subject.Store, key, "b")
	p.advance(ttl)
	p.release(p.subject.Store, key, expired.Token, lease.LostExpired)
	p.release(p.subject.Store, "nobody's", expired.Token, lease.LostSuperseded)
}

func checkHalfOpen(p *probe) {
	p.needs(p.subject.StandsStill, "clock that stands still")
	granted := p.take(p.subject.Store, key, "a")
	p.advance(ttl - tick)
	p.wantLive(key, "a", granted.Token)
	if left := p.wantHeld(p.subject.Second, key, "b", "a").Remaining; left != tick {
		p.Errorf("a microsecond before the end %v are left, want %v", left, tick)
	}
	p.advance(tick)
	p.wantUnheld(key, granted.Token)
	p.wantOver(granted)
	p.wantRenewLost(p.subject.Store, key, granted.Token, lease.LostExpired)
	p.release(p.subject.Store, key, granted.Token, lease.LostExpired)
	taken := p.take(p.subject.Second, key, "b")
	p.advance(ttl - tick)
	renewed := p.wantRenewed(p.subject.Store, key, taken.Token)
	p.advance(ttl)
	p.wantUnheld(key, taken.Token)
	p.wantOver(renewed)
	p.holdAmid()
}

// holdAmid takes and renews a lease in the middle of what a store tells apart, of which it gives the holder nothing.
func (p *probe) holdAmid() {
	p.Helper()
	p.advance(tick - time.Nanosecond)
	granted := p.take(p.subject.Store, "amid", "a")
	renewed := p.wantRenewed(p.subject.Store, "amid", granted.Token)
	p.advance(ttl - (tick - time.Nanosecond))
	if !p.inspect(p.subject.Second, "amid").Live {
		p.wantOver(granted)
		p.wantOver(renewed)
	}
}

// wantOver wants a holder to know that its lease is over, where it is at the store.
func (p *probe) wantOver(granted lease.Grant) {
	p.Helper()
	if p.subject.Now != nil && granted.ValidAt(p.subject.Now()) {
		p.Errorf("over at the store, a lease is valid for its holder for %v more", granted.ValidUntil.Sub(p.subject.Now()))
	}
}
