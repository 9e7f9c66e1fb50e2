package leasetest

import "github.com/cacheaside/resilience/lease"

func fenceAssertions() []Assertion {
	return []Assertion{
		assertion(10, "a superseded token cannot renew", checkSupersededRenewal),
		assertion(12, "a superseded token cannot release", checkSupersededRelease),
		assertion(16, "a second client continues the sequence of tokens", checkSequence),
	}
}

// superseded lets the lease of a run out and b take over.
func (p *probe) superseded() (first, second lease.Grant) {
	p.Helper()
	first = p.take(p.subject.Store, key, "a")
	p.advance(ttl)
	second = p.take(p.subject.Second, key, "b")
	p.wantAbove(second.Token, first.Token, "taken over,")
	return first, second
}

// notThe is every kind of token that is not the highest.
func notThe(first, second lease.Grant) []lease.Token {
	return []lease.Token{first.Token, second.Token - 1, second.Token + 1, 0, 1, lease.MaxToken}
}

func checkSupersededRenewal(p *probe) {
	first, second := p.superseded()
	p.advance(ttl / 2)
	for _, token := range notThe(first, second) {
		for _, store := range p.both() {
			p.wantRenewLost(store, key, token, lease.LostSuperseded)
		}
	}
	p.wantLive(key, "b", second.Token)
	p.advance(ttl / 2)
	p.wantUnheld(key, second.Token)
	p.wantRenewLost(p.subject.Store, key, first.Token, lease.LostSuperseded)
	p.wantRenewLost(p.subject.Store, "nobody's", second.Token, lease.LostSuperseded)
	p.wantUnheld("nobody's", 0)
}

func checkSupersededRelease(p *probe) {
	first, second := p.superseded()
	for _, token := range notThe(first, second) {
		for _, store := range p.both() {
			p.release(store, key, token, lease.LostSuperseded)
		}
	}
	p.wantLive(key, "b", second.Token)
	p.wantHeld(p.subject.Store, key, "c", "b")
}

func checkSequence(p *probe) {
	var last lease.Token
	for range 3 {
		for _, store := range p.both() {
			granted := p.take(store, key, "a")
			p.wantAbove(granted.Token, last, "at the other client")
			last = granted.Token
			for _, other := range p.both() {
				p.wantUnchanged(other, granted)
			}
			p.release(store, key, granted.Token, lease.NotLost)
		}
	}
}

// wantUnchanged renews through a client, which must know the token.
func (p *probe) wantUnchanged(store lease.Store, granted lease.Grant) {
	p.Helper()
	p.wantRenewed(store, key, granted.Token)
	p.wantLive(key, "a", granted.Token)
}
