package leasetest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cacheaside/resilience/lease"
)

func storeAssertions() []Assertion {
	return []Assertion{
		assertion(22, "a lost store is no decision, and a lost answer is indeterminate", checkFailure),
		assertion(24, "acknowledged tokens survive a crash of the store", checkCrash),
		assertion(25, "pressure on the store never lowers a token, and a store that may drop leases is refused", checkPressure),
	}
}

const secretKey = "key-of-nobody's-business"

// checkFailure tries every way not to be answered that the subject has: a context that is done, arguments that cannot be, an answer that is lost, a store
// that is.
func checkFailure(p *probe) {
	granted := p.take(p.subject.Store, secretKey, "a")
	done, cancel := context.WithCancel(p.Context())
	cancel()
	p.wantErrors(done, p.subject.Store, granted.Token, "a done context", lease.ErrNoDecision, context.Canceled)
	p.wantArgumentsRefused()
	p.wantLive(secretKey, "a", granted.Token)

	p.needs(p.subject.LoseAnswer != nil, "LoseAnswer")
	p.loseAnswers(granted)
	p.needs(p.subject.Break != nil, "Break")
	p.subject.Break()
	p.wantErrors(p.Context(), p.subject.Store, granted.Token, "a store that is lost", lease.ErrNoDecision, nil)
}

// wantErrors holds the errors of all four operations to what they must be.
func (p *probe) wantErrors(ctx context.Context, store lease.Store, token lease.Token, when string, want, cause error) {
	p.Helper()
	acquired, err := store.Acquire(ctx, secretKey, "b", lease.NewRequestID(), ttl)
	p.wantError(err, lease.OpAcquire, when, want, cause)
	renewed, err := store.Renew(ctx, secretKey, token, ttl)
	p.wantError(err, lease.OpRenew, when, want, cause)
	released, err := store.Release(ctx, secretKey, token)
	p.wantError(err, lease.OpRelease, when, want, cause)
	seen, err := store.Inspect(ctx, secretKey)
	p.wantError(err, lease.OpInspect, when, want, cause)
	if acquired != (lease.Acquired{}) || renewed != (lease.Renewed{}) || released != (lease.Released{}) || seen != (lease.Inspection{}) {
		p.Errorf("%s comes with an answer as well", when)
	}
}

func (p *probe) wantError(err error, op lease.Op, when string, want, cause error) {
	p.Helper()
	if !errors.Is(err, want) {
		p.Errorf("%s: %s is told %v, want %v", when, op, err, want)
		return
	}
	if cause != nil && !errors.Is(err, cause) {
		p.Errorf("%s: %v has no %v in its chain", when, err, cause)
	}
	var typed *lease.Error
	if !errors.As(err, &typed) || typed.Op != op {
		p.Errorf("%s: %v is no *lease.Error of %s", when, err, op)
	}
	if strings.Contains(err.Error(), secretKey) || strings.Contains(fmt.Sprintf("%+v", err), secretKey) {
		p.Errorf("%s: the error of %s holds the key", when, op)
	}
}

func (p *probe) wantArgumentsRefused() {
	p.Helper()
	ctx, store, request := p.Context(), p.subject.Store, lease.NewRequestID()
	for name, call := range map[string]func() error{
		"an empty key":         func() error { _, err := store.Acquire(ctx, "", "a", request, ttl); return err },
		"an endless key":       func() error { _, err := store.Inspect(ctx, strings.Repeat("k", lease.MaxKeyBytes+1)); return err },
		"no owner":             func() error { _, err := store.Acquire(ctx, key, "", request, ttl); return err },
		"an odd owner":         func() error { _, err := store.Acquire(ctx, key, "a b", request, ttl); return err },
		"no request":           func() error { _, err := store.Acquire(ctx, key, "a", lease.RequestID{}, ttl); return err },
		"no time":              func() error { _, err := store.Acquire(ctx, key, "a", request, 0); return err },
		"a time below zero":    func() error { _, err := store.Renew(ctx, key, 1, -ttl); return err },
		"more than MaxHold":    func() error { _, err := store.Acquire(ctx, key, "a", request, p.opt.MaxHold+tick); return err },
		"a renewal beyond it":  func() error { _, err := store.Renew(ctx, key, 1, p.opt.MaxHold+tick); return err },
		"an empty key's lease": func() error { _, err := store.Release(ctx, "", 1); return err },
	} {
		var argument *lease.ArgumentError
		if err := call(); !errors.Is(err, lease.ErrNoDecision) || !errors.As(err, &argument) {
			p.Errorf("%s is told %v, want no decision and an *ArgumentError", name, err)
		}
	}
	p.wantUnheld(key, 0)
}

// loseAnswers goes through each operation with its answer lost: it was carried out, and the caller is told that this is not known.
func (p *probe) loseAnswers(granted lease.Grant) {
	p.Helper()
	request := lease.NewRequestID()
	// What a store prepares at the first call of an operation has answers of its own to lose.
	p.wantRenewed(p.subject.Store, secretKey, granted.Token)
	p.release(p.subject.Store, secretKey, granted.Token, lease.NotLost)

	p.subject.LoseAnswer()
	_, err := p.subject.Store.Acquire(p.Context(), key, "a", request, ttl)
	p.wantError(err, lease.OpAcquire, "a lost answer", lease.ErrIndeterminate, nil)
	seen := p.inspect(p.subject.Second, key)
	if !seen.Live || seen.Owner != "a" {
		p.Fatalf("the request whose answer was lost was not carried out: %+v", seen)
	}
	again := p.repeat(p.subject.Store, key, "a", request)
	p.wantGranted(again, "the repeated request")
	if again.Grant.Token != seen.Token {
		p.Errorf("the repeated request has token %d, want %d", again.Grant.Token, seen.Token)
	}

	p.subject.LoseAnswer()
	_, err = p.subject.Store.Renew(p.Context(), key, seen.Token, ttl)
	p.wantError(err, lease.OpRenew, "a lost answer", lease.ErrIndeterminate, nil)
	p.wantRenewed(p.subject.Store, key, seen.Token)

	p.subject.LoseAnswer()
	_, err = p.subject.Store.Inspect(p.Context(), key)
	p.wantError(err, lease.OpInspect, "a lost answer", lease.ErrNoDecision, nil)

	p.subject.LoseAnswer()
	_, err = p.subject.Store.Release(p.Context(), key, seen.Token)
	p.wantError(err, lease.OpRelease, "a lost answer", lease.ErrIndeterminate, nil)
	p.release(p.subject.Store, key, seen.Token, lease.LostExpired)
	p.wantUnheld(key, seen.Token)
}

func checkCrash(p *probe) {
	p.needs(p.subject.Crash != nil, "Crash")
	var last lease.Token
	for _, owner := range []string{"a", "b"} {
		granted := p.take(p.subject.Store, key, owner)
		p.wantAbove(granted.Token, last, "after a crash")
		last = granted.Token
		p.subject.Crash()
		p.wantLive(key, owner, last)
		p.release(p.subject.Second, key, last, lease.NotLost)
		p.subject.Crash()
		p.wantUnheld(key, last)
	}
	p.wantAbove(p.take(p.subject.Second, key, "c").Token, last, "after a crash")
}

func checkPressure(p *probe) {
	p.needs(p.subject.Press != nil, "Press")
	highest := map[string]lease.Token{}
	for _, name := range []string{"live", "released", "expired"} {
		highest[name] = p.take(p.subject.Store, name, "a").Token
	}
	p.release(p.subject.Store, "released", highest["released"], lease.NotLost)
	p.advance(ttl / 2)
	p.wantRenewed(p.subject.Store, "live", highest["live"])
	p.advance(ttl / 2)
	p.subject.Press()
	p.wantLive("live", "a", highest["live"])
	p.wantUnheld("released", highest["released"])
	p.wantUnheld("expired", highest["expired"])
	for _, name := range []string{"released", "expired"} {
		p.wantAbove(p.take(p.subject.Second, name, "b").Token, highest[name], "under pressure")
	}
	p.needs(p.subject.OpenEvicting != nil, "OpenEvicting")
	if err := p.subject.OpenEvicting(); err == nil {
		p.Error("a store that may drop leases is opened")
	}
}
