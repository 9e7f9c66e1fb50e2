package leasetest

import (
	"testing"
	"time"

	"github.com/cacheaside/resilience/lease"
)

// key is enough for most assertions: each has a subject of its own.
const key = "job 1"

// tick is the least that an exact store tells apart.
const tick = time.Microsecond

// probe is a test with a subject, and the steps and comparisons that the assertions are made of.
type probe struct {
	testing.TB
	subject Subject
	opt     Options
}

func newProbe(t testing.TB, subject Subject) *probe {
	t.Helper()
	if subject.Store == nil || subject.Second == nil || subject.Advance == nil {
		t.Fatalf("the subject lacks Store, Second or Advance")
	}
	return &probe{TB: t, subject: subject, opt: options()}
}

func (p *probe) advance(d time.Duration) { p.subject.Advance(d) }

func (p *probe) needs(has bool, field string) {
	p.Helper()
	if !has {
		p.Skipf("the subject has no %s", field)
	}
}

// both are the two clients.
func (p *probe) both() []lease.Store { return []lease.Store{p.subject.Store, p.subject.Second} }

// ask is an Acquire with a request of its own that must be answered.
func (p *probe) ask(store lease.Store, key, owner string) lease.Acquired {
	p.Helper()
	return p.repeat(store, key, owner, lease.NewRequestID())
}

func (p *probe) repeat(store lease.Store, key, owner string, request lease.RequestID) lease.Acquired {
	p.Helper()
	a, err := store.Acquire(p.Context(), key, owner, request, ttl)
	if err != nil {
		p.Fatalf("acquire by %s: %v", owner, err)
	}
	return a
}

// take acquires what must be free.
func (p *probe) take(store lease.Store, key, owner string) lease.Grant {
	p.Helper()
	a := p.ask(store, key, owner)
	p.wantGranted(a, owner)
	return a.Grant
}

func (p *probe) wantGranted(a lease.Acquired, owner string) {
	p.Helper()
	if a.Kind != lease.Granted {
		p.Fatalf("%s is answered %v, held by %q, want Granted", owner, a.Kind, a.Owner)
	}
	if a.Grant.Token < 1 || a.Grant.Token > lease.MaxToken {
		p.Fatalf("%s is granted the token %d, want 1 to %d", owner, a.Grant.Token, lease.MaxToken)
	}
	p.wantRemaining(a.Grant.Expires.Sub(a.Grant.Now), "the lease of "+owner)
}

// wantTimed holds the token of a new lease to the store's time.
func (p *probe) wantTimed(granted lease.Grant) {
	p.Helper()
	if least := granted.Now.UnixMicro(); granted.Token < lease.Token(max(least, 0)) {
		p.Errorf("a lease is granted the token %d at %d µs of the store's time, want no less: a store that loses its records begins anew", granted.Token, least)
	}
}

// wantRemaining holds what is told to be left of a lease to what can be left.
func (p *probe) wantRemaining(left time.Duration, what string) {
	p.Helper()
	if left <= 0 || left > ttl {
		p.Errorf("%s has %v left, want more than 0 and at most %v", what, left, ttl)
	}
}

// wantHeld asks for what must be another's.
func (p *probe) wantHeld(store lease.Store, key, asker, holder string) lease.Acquired {
	p.Helper()
	a := p.ask(store, key, asker)
	if a.Kind != lease.Held || a.Owner != holder {
		p.Fatalf("%s is answered %v, held by %q, want Held by %q", asker, a.Kind, a.Owner, holder)
	}
	p.wantRemaining(a.Remaining, "the lease of "+holder)
	return a
}

func (p *probe) inspect(store lease.Store, key string) lease.Inspection {
	p.Helper()
	seen, err := store.Inspect(p.Context(), key)
	if err != nil {
		p.Fatalf("inspect: %v", err)
	}
	return seen
}

// wantLive holds what both clients see to a holder.
func (p *probe) wantLive(key, owner string, token lease.Token) {
	p.Helper()
	for _, store := range p.both() {
		seen := p.inspect(store, key)
		if !seen.Live || seen.Owner != owner || seen.Token != token {
			p.Fatalf("inspected: live %v, owner %q, token %d; want live, %q, %d", seen.Live, seen.Owner, seen.Token, owner, token)
		}
		p.wantRemaining(seen.Remaining, "the inspected lease")
	}
}

// wantUnheld holds what both clients see to nobody, and to the highest token.
func (p *probe) wantUnheld(key string, token lease.Token) {
	p.Helper()
	for _, store := range p.both() {
		if seen := p.inspect(store, key); seen != (lease.Inspection{Token: token}) {
			p.Fatalf("inspected: live %v, owner %q, token %d; want unheld with token %d", seen.Live, seen.Owner, seen.Token, token)
		}
	}
}

func (p *probe) renew(store lease.Store, key string, token lease.Token) lease.Renewed {
	p.Helper()
	return p.renewFor(store, key, token, ttl)
}

func (p *probe) renewFor(store lease.Store, key string, token lease.Token, ttl time.Duration) lease.Renewed {
	p.Helper()
	r, err := store.Renew(p.Context(), key, token, ttl)
	if err != nil {
		p.Fatalf("renew: %v", err)
	}
	return r
}

func (p *probe) wantRenewed(store lease.Store, key string, token lease.Token) lease.Grant {
	p.Helper()
	r := p.renew(store, key, token)
	if r.Lost != lease.NotLost || r.Grant.Token != token {
		p.Fatalf("a renewal is lost as %v with token %d, want none with %d", r.Lost, r.Grant.Token, token)
	}
	p.wantRemaining(r.Grant.Expires.Sub(r.Grant.Now), "the renewed lease")
	return r.Grant
}

func (p *probe) wantRenewLost(store lease.Store, key string, token lease.Token, want lease.Loss) {
	p.Helper()
	if r := p.renew(store, key, token); r.Lost != want {
		p.Fatalf("a renewal is lost as %v, want %v", r.Lost, want)
	}
}

// release ends with what was lost.
func (p *probe) release(store lease.Store, key string, token lease.Token, want lease.Loss) {
	p.Helper()
	r, err := store.Release(p.Context(), key, token)
	if err != nil {
		p.Fatalf("release: %v", err)
	}
	if r.Lost != want {
		p.Fatalf("a release is lost as %v, want %v", r.Lost, want)
	}
}

func (p *probe) wantAbove(later, earlier lease.Token, when string) {
	p.Helper()
	if later <= earlier {
		p.Fatalf("%s the token is %d, want more than %d", when, later, earlier)
	}
}
