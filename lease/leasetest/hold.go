package leasetest

import (
	"time"

	"github.com/cacheaside/resilience/lease"
)

func holdAssertions() []Assertion {
	return []Assertion{
		assertion(8, "a renewal extends the lease and keeps the token", checkRenewal),
		assertion(15, "a client whose clock is wrong changes nothing", checkSkew),
		assertion(17, "what holds the token is kept for ever, on all paths", checkKept),
		assertion(20, "renewing stops at MaxHold since the grant", checkMaxHold),
	}
}

func checkRenewal(p *probe) {
	granted := p.take(p.subject.Store, key, "a")
	for i := range 3 {
		p.advance(ttl * 3 / 4)
		renewed := p.wantRenewed(p.both()[i%2], key, granted.Token)
		if left := renewed.Expires.Sub(renewed.Now); left != ttl {
			p.Errorf("a renewed lease has %v, want %v", left, ttl)
		}
		p.wantLive(key, "a", granted.Token)
		p.wantHeld(p.subject.Second, key, "b", "a")
	}
	p.advance(ttl * 3 / 4)
	p.wantLive(key, "a", granted.Token)
	p.advance(ttl / 4)
	p.wantUnheld(key, granted.Token)
	next := p.take(p.subject.Store, key, "b")
	p.wantAbove(next.Token, granted.Token, "after a renewed lease")
	p.shorten(next.Token)
}

// shorten renews a lease of b for less than it has: it ends so much after the renewal, and not when it would have.
func (p *probe) shorten(token lease.Token) {
	p.Helper()
	const less = ttl / 2
	r := p.renewFor(p.subject.Second, key, token, less)
	if left := r.Grant.Expires.Sub(r.Grant.Now); r.Lost != lease.NotLost || left != less {
		p.Errorf("a lease that is renewed for %v is lost as %v and has %v left", less, r.Lost, left)
	}
	p.advance(less / 2)
	p.wantLive(key, "b", token)
	p.advance(less / 2)
	p.wantUnheld(key, token)
}

// checkSkew lets clients whose clocks are off hold, ask, renew and look, beside one whose clock is not.
func checkSkew(p *probe) {
	p.needs(p.subject.Skewed != nil, "Skewed")
	for _, off := range []time.Duration{ttl / 2, ttl, 10 * ttl, time.Hour} {
		for _, off := range []time.Duration{off, -off} {
			p.skew(p.subject.Skewed(off), "right "+off.String(), "skewed "+off.String())
		}
	}
}

func (p *probe) skew(skewed lease.Store, rightKey, skewedKey string) {
	p.Helper()
	right := p.take(p.subject.Store, rightKey, "right")
	wrong := p.take(skewed, skewedKey, "skewed")
	p.advance(ttl / 2)
	p.wantHeld(skewed, rightKey, "skewed", "right")
	p.wantHeld(p.subject.Second, skewedKey, "right", "skewed")
	for _, look := range []struct {
		key, owner string
		token      lease.Token
	}{{rightKey, "right", right.Token}, {skewedKey, "skewed", wrong.Token}} {
		p.wantLive(look.key, look.owner, look.token)
		if seen := p.inspect(skewed, look.key); !seen.Live || seen.Token != look.token || seen.Remaining > ttl/2 {
			p.Errorf("a client whose clock is wrong sees live %v, token %d, %v left", seen.Live, seen.Token, seen.Remaining)
		}
	}
	p.wantRenewed(skewed, rightKey, right.Token)
	p.wantRenewed(skewed, skewedKey, wrong.Token)
	p.advance(ttl * 3 / 4)
	p.wantLive(rightKey, "right", right.Token)
	p.wantLive(skewedKey, "skewed", wrong.Token)
	p.advance(ttl / 4)
	p.wantUnheld(rightKey, right.Token)
	p.wantUnheld(skewedKey, wrong.Token)
	p.wantRenewLost(skewed, skewedKey, wrong.Token, lease.LostExpired)
	p.wantAbove(p.take(skewed, rightKey, "skewed").Token, right.Token, "taken with a wrong clock,")
	after := p.take(p.subject.Store, skewedKey, "right")
	p.wantAbove(after.Token, wrong.Token, "taken after a wrong clock,")
	p.release(skewed, skewedKey, after.Token, lease.NotLost)
	p.wantUnheld(skewedKey, after.Token)
}

// checkKept goes every way that a record can go and looks, at each step, for what would be deleted, and at last for what was.
func checkKept(p *probe) {
	mortal := func(after string) {
		p.Helper()
		if p.subject.Mortal == nil {
			return
		}
		for _, name := range p.subject.Mortal() {
			p.Errorf("after %s the store will delete %s by itself", after, name)
		}
	}
	highest := map[string]lease.Token{}
	for _, path := range []string{"released", "expired", "renewed", "repeated"} {
		highest[path] = p.take(p.subject.Store, path, "a").Token
		mortal("a grant")
	}
	p.release(p.subject.Store, "released", highest["released"], lease.NotLost)
	mortal("a release")
	p.wantHeld(p.subject.Second, "repeated", "b", "a")
	mortal("a refusal")
	p.wantRenewed(p.subject.Store, "renewed", highest["renewed"])
	mortal("a renewal")
	p.inspect(p.subject.Store, "expired")
	p.advance(ttl)
	for _, path := range []string{"expired", "released"} {
		p.wantRenewLost(p.subject.Store, path, highest[path], lease.LostExpired)
		p.release(p.subject.Store, path, highest[path], lease.LostExpired)
	}
	mortal("a lost lease")
	highest["expired"] = p.take(p.subject.Second, "expired", "b").Token
	mortal("a takeover")
	p.advance(400 * 24 * time.Hour)
	for path, token := range highest {
		p.wantUnheld(path, token)
		p.wantAbove(p.take(p.subject.Store, path, "c").Token, token, "after a year")
	}
	mortal("a year")
}

func checkMaxHold(p *probe) {
	granted := p.take(p.subject.Store, key, "a")
	const step = ttl / 2
	for held := step; held < p.opt.MaxHold; held += step {
		p.advance(step)
		renewed := p.wantRenewed(p.subject.Store, key, granted.Token)
		if left, most := renewed.Expires.Sub(renewed.Now), p.opt.MaxHold-held; left > most {
			p.Errorf("held for %v, a renewal gives %v, want at most %v", held, left, most)
		}
		p.wantHeld(p.subject.Second, key, "b", "a")
	}
	p.advance(step)
	p.wantUnheld(key, granted.Token)
	p.wantRenewLost(p.subject.Store, key, granted.Token, lease.LostMaxHold)
	p.release(p.subject.Store, key, granted.Token, lease.LostMaxHold)
	next := p.take(p.subject.Second, key, "b")
	p.wantAbove(next.Token, granted.Token, "after MaxHold")
	p.advance(step)
	p.wantRenewed(p.subject.Second, key, next.Token)
	p.wantRenewLost(p.subject.Store, key, granted.Token, lease.LostSuperseded)
}
