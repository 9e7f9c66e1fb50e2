package sim

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/cacheaside"
)

// The time limits of the Redis adapter, as it has them by default.
const (
	lookupTimeout = 100 * time.Millisecond
	// RecordTimeout is that of a record, and of each step of a fenced fill.
	RecordTimeout = 250 * time.Millisecond
)

// port is a node's cache for the contenders on this library: the server behind a link, with the time limits and the breaker of the Redis adapter.
type port struct {
	link    link
	server  *server
	breaker *breaker
	world   *world // for its figures
	blind   *blind
}

var (
	_ cacheaside.Cache[uint64, contender.Row] = port{}
	_ cacheaside.Invalidator[uint64]          = port{}
	_ cacheaside.LifetimeReporter             = port{}
)

func (p port) Lifetimes() cacheaside.Lifetimes {
	lifetimes := p.server.current().Lifetimes()
	lifetimes.Lookup, lifetimes.Record = lookupTimeout, RecordTimeout
	return lifetimes
}

func (p port) Lookup(ctx context.Context, key uint64) cacheaside.Lookup[contender.Row] {
	if p.blind.knows(p.link, time.Now()) {
		defer p.timed(time.Now())
	}
	if p.breaker.isOpen() {
		return cacheaside.Lookup[contender.Row]{Kind: cacheaside.LookupUnavailable, Err: errBreakerOpen}
	}
	if _, err := p.link.trip(ctx, lookupTimeout, tripNumber(key, 'l')); err != nil {
		p.learn(ctx, err)
		return cacheaside.Lookup[contender.Row]{Kind: cacheaside.LookupUnavailable, Err: err}
	}
	p.breaker.succeeded()
	return p.server.current().Lookup(ctx, key)
}

func (p port) Record(
	ctx context.Context, key uint64, entry cacheaside.Entry[contender.Row], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	if outcome := p.send(ctx, tripNumber(key, 'r')); outcome != nil {
		return *outcome
	}
	outcome := p.server.current().Record(ctx, key, entry, condition)
	if outcome.Certainty == cacheaside.RecordApplied {
		p.server.keep(written{key: key, kind: recorded, value: entry})
	}
	return outcome
}

func (p port) Invalidate(ctx context.Context, key uint64) cacheaside.RecordOutcome {
	if outcome := p.send(ctx, tripNumber(key, 'i')); outcome != nil {
		return *outcome
	}
	outcome := p.server.current().Invalidate(ctx, key)
	if outcome.Certainty == cacheaside.RecordApplied {
		p.server.keep(written{key: key, kind: invalidated})
	}
	return outcome
}

// send takes a write to the server and gives what became of it where it did not arrive. The model loses no reply: what was sent and not answered in
// time has not been applied, but that the caller cannot know.
func (p port) send(ctx context.Context, n uint64) *cacheaside.RecordOutcome {
	neverSent := cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordNeverSent}
	if p.breaker.isOpen() {
		neverSent.Err = errBreakerOpen
		return &neverSent
	}
	sent, err := p.link.trip(ctx, RecordTimeout, n)
	if err == nil {
		p.breaker.succeeded()
		return nil
	}
	p.learn(ctx, err)
	if !sent && err == errRefused {
		neverSent.Err = err
		return &neverSent
	}
	return &cacheaside.RecordOutcome{Certainty: cacheaside.RecordIndeterminate, Err: err}
}

// timed keeps the longest lookup of those that a breaker should have spared.
func (p port) timed(began time.Time) {
	took := time.Since(began)
	p.world.note(func() { p.world.raise(SlowLookup, float64(took)/float64(time.Millisecond)) })
}

// learn tells the breaker of a failure that was the store's.
func (p port) learn(ctx context.Context, err error) {
	if ctx.Err() == nil {
		p.breaker.failed(err)
	}
}

// tripNumber numbers a trip by its key and moment, so that it takes as long whenever the same run is made again.
func tripNumber(key uint64, command byte) uint64 {
	return uint64(time.Now().UnixNano()) ^ key<<40 ^ uint64(command)<<56
}
