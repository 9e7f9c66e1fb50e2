package leasetest

import (
	"fmt"
	"time"

	"github.com/cacheaside/resilience/lease"
)

func grantAssertions() []Assertion {
	return []Assertion{
		assertion(1, "an unheld key is granted with its owner, a token and an expiry ahead", checkGrant),
		assertion(2, "a live lease is refused to everyone, its holder included", checkRefusal),
		assertion(3, "leases of different keys do not exclude each other", checkKeys),
		assertion(7, "an inspection tells the owner and the token", checkInspection),
		assertion(13, "inspecting a key that nobody has held is a value", checkInspectUnheld),
		assertion(19, "a request that is repeated gets its own grant, and another request is refused", checkRepeat),
		assertion(23, "an inspection changes nothing", checkInspectIdle),
	}
}

func checkGrant(p *probe) {
	granted := p.take(p.subject.Store, key, "a")
	if left := granted.Expires.Sub(granted.Now); left != ttl {
		p.Errorf("a new lease has %v, want %v", left, ttl)
	}
	p.wantTimed(granted)
	if !granted.ValidAt(granted.ValidUntil.Add(-tick)) || granted.ValidAt(granted.ValidUntil) {
		p.Error("a grant is not valid exactly before its ValidUntil")
	}
	p.wantLive(key, "a", granted.Token)
}

func checkRefusal(p *probe) {
	granted := p.take(p.subject.Store, key, "a")
	for _, store := range p.both() {
		p.wantHeld(store, key, "a", "a")
		p.wantHeld(store, key, "b", "a")
	}
	p.advance(ttl / 2)
	if left := p.wantHeld(p.subject.Second, key, "b", "a").Remaining; left > ttl/2 {
		p.Errorf("half a lease on, %v are left, want at most %v", left, ttl/2)
	}
	p.wantHeld(p.subject.Store, key, "a", "a")
	p.wantLive(key, "a", granted.Token)
}

func checkKeys(p *probe) {
	keys := []string{"k", "K", " k", "k ", "k\x00", "k:l", "{k}", "k:", "é"}
	tokens := map[string]lease.Token{}
	for i, k := range keys {
		tokens[k] = p.take(p.subject.Store, k, fmt.Sprint("owner-", i)).Token
	}
	p.release(p.subject.Store, keys[0], tokens[keys[0]], lease.NotLost)
	p.wantUnheld(keys[0], tokens[keys[0]])
	for i, k := range keys[1:] {
		p.wantLive(k, fmt.Sprint("owner-", i+1), tokens[k])
	}
}

func checkInspection(p *probe) {
	granted := p.take(p.subject.Store, key, "a")
	p.wantLive(key, "a", granted.Token)
	p.advance(ttl / 2)
	p.wantLive(key, "a", granted.Token)
	if left := p.inspect(p.subject.Store, key).Remaining; left > ttl/2 {
		p.Errorf("half a lease on, %v are left, want at most %v", left, ttl/2)
	}
	p.release(p.subject.Store, key, granted.Token, lease.NotLost)
	second := p.take(p.subject.Second, key, "b")
	p.wantLive(key, "b", second.Token)
}

func checkInspectUnheld(p *probe) {
	p.wantUnheld("nobody's", 0)
	p.wantUnheld("nobody's", 0)
	p.take(p.subject.Store, "nobody's", "a")
}

func checkRepeat(p *probe) {
	request := lease.NewRequestID()
	first := p.repeat(p.subject.Store, key, "a", request)
	p.wantGranted(first, "a")
	p.advance(ttl / 4)
	for _, store := range p.both() {
		again := p.repeat(store, key, "a", request)
		p.wantGranted(again, "a repeated request")
		if again.Grant.Token != first.Grant.Token {
			p.Errorf("a repeated request is granted the token %d, want its own, %d", again.Grant.Token, first.Grant.Token)
		}
		if left := again.Grant.Expires.Sub(again.Grant.Now); left > ttl-ttl/4 {
			p.Errorf("a quarter of a lease on, a repeated request is told of %v, want what is left of it", left)
		}
		p.wantHeld(store, key, "a", "a")
	}
	p.wantLive(key, "a", first.Grant.Token)
	p.advance(ttl)
	after := p.repeat(p.subject.Store, key, "a", request)
	p.wantGranted(after, "a request whose lease is over")
	p.wantAbove(after.Grant.Token, first.Grant.Token, "granted anew to the same request,")
}

// checkInspectIdle looks at a key in each of its states, and then holds the state to what it would be unlooked at.
func checkInspectIdle(p *probe) {
	look := func() {
		for range 3 {
			p.inspect(p.subject.Store, key)
			p.inspect(p.subject.Second, key)
		}
	}
	look()
	granted := p.take(p.subject.Store, key, "a")
	for range 3 {
		look()
		p.advance(ttl/4 - time.Millisecond)
	}
	p.wantLive(key, "a", granted.Token)
	look()
	p.advance(ttl / 2)
	look()
	p.wantUnheld(key, granted.Token)
	p.wantRenewLost(p.subject.Store, key, granted.Token, lease.LostExpired)
	second := p.take(p.subject.Second, key, "b")
	look()
	p.wantRenewed(p.subject.Second, key, second.Token)
	p.release(p.subject.Second, key, second.Token, lease.NotLost)
	look()
	p.wantUnheld(key, second.Token)
}
