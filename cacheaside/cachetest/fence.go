package cachetest

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

type fencer = cacheaside.Fencer[string, Document]

// leaseTime is how long the suite's grants live: longer than any of its entries' lives, so that those may pass under a live grant.
const leaseTime = 5 * time.Minute

// fencedAssertion needs a cache that is built for fenced fills. Its values may be large, since those may take another way to the store.
func fencedAssertion(name string, check func(p *probe, f *fenced)) Assertion {
	needs := func(opt *Options) { opt.Fenced, opt.MaxValueBytes = true, 1<<20 }
	return assertionWith(name, needs, func(p *probe) { check(p, p.fencedAt(p.subject.Cache)) })
}

// fenced is an instance under test, with the steps that the assertions about fences are made of.
type fenced struct {
	fencer
	p     *probe
	cache cache
}

func (p *probe) fencedAt(instance cache) *fenced {
	p.Helper()
	able, ok := instance.(fencer)
	p.needs(ok && able.Fenced(), "Cache that is built for fenced fills")
	return &fenced{fencer: able, p: p, cache: instance}
}

func (p *probe) fencedSecond() *fenced {
	p.Helper()
	return p.fencedAt(p.second())
}

// request is the n-th of the assertion's requests, none of them zero.
func request(n int) (id cacheaside.RequestID) {
	binary.BigEndian.PutUint64(id[:], uint64(n)) //nolint:gosec // small
	id[len(id)-1] = 1
	return id
}

func (f *fenced) acquire(n int, seen cacheaside.Observation) cacheaside.Grant {
	return f.Acquire(f.p.Context(), key, request(n), seen, leaseTime)
}

// seen is what a lookup of the key observes now.
func (f *fenced) seen() cacheaside.Observation { return f.cache.Lookup(f.p.Context(), key).Observation }

// grant wants the n-th request to be granted for what is stored.
func (f *fenced) grant(n int, what string) cacheaside.Fence {
	f.p.Helper()
	return f.wantGranted(n, f.acquire(n, f.seen()), what)
}

func (f *fenced) wantGranted(n int, got cacheaside.Grant, what string) cacheaside.Fence {
	f.p.Helper()
	if got.Kind != cacheaside.GrantGranted {
		f.p.Fatalf("%s is %s, want Granted", what, answered(got))
	}
	if got.Fence.Token == 0 || got.Fence.Token >= 1<<53 || got.Fence.Request != request(n) {
		f.p.Fatalf("%s is granted with the token %d, or for another request; want 1 to 2^53 for its own", what, got.Fence.Token)
	}
	return got.Fence
}

func (f *fenced) wantHeld(got cacheaside.Grant, most time.Duration, what string) {
	f.p.Helper()
	if got.Kind != cacheaside.GrantHeld {
		f.p.Fatalf("%s is %s, want Held", what, answered(got))
	}
	if got.Remaining <= 0 || got.Remaining > most {
		f.p.Errorf("%s tells that %v remain of the grant, want some and at most %v", what, got.Remaining, most)
	}
	if got.Fence != (cacheaside.Fence{}) {
		f.p.Errorf("%s comes with a fence, want none", what)
	}
}

func (f *fenced) wantFilled(got cacheaside.Grant, what string) {
	f.p.Helper()
	if got.Kind != cacheaside.GrantAlreadyFilled {
		f.p.Fatalf("%s is %s, want AlreadyFilled", what, answered(got))
	}
}

func (f *fenced) fill(fence cacheaside.Fence, given entry) cacheaside.RecordOutcome {
	return f.Fill(f.p.Context(), key, fence, given, cacheaside.Condition{})
}

// seed stores an entry under a grant of its own, the n-th, and gives its fence.
func (f *fenced) seed(n int, given entry) cacheaside.Fence {
	f.p.Helper()
	fence := f.grant(n, "a grant")
	f.p.wantApplied(f.fill(fence, given), "a fill under a live grant")
	return fence
}

func (f *fenced) wantSuperseded(outcome cacheaside.RecordOutcome, what string) {
	f.p.Helper()
	f.p.wantRefused(outcome, cacheaside.RecordSuperseded, what)
}

func (f *fenced) invalidate() {
	f.p.Helper()
	f.p.wantApplied(f.Invalidate(f.p.Context(), key), "an invalidation")
}

// pass lets time go by at the store, as fences have it.
func (f *fenced) pass(d time.Duration) {
	if f.p.subject.AgeFence != nil {
		f.p.subject.AgeFence(key, d)
		return
	}
	f.p.advance(d)
}

func (f *fenced) lose() {
	f.p.Helper()
	f.p.needs(f.p.subject.DropFence != nil, "DropFence")
	f.p.subject.DropFence(key)
}

func doneContext(p *probe) context.Context {
	done, cancel := context.WithCancel(p.Context())
	cancel()
	return done
}

// answered is the kind of a grant with its error, where it has one.
func answered(got cacheaside.Grant) string {
	if got.Err != nil {
		return got.Kind.String() + ": " + got.Err.Error()
	}
	return got.Kind.String()
}
