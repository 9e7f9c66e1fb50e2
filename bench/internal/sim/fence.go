package sim

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/cacheaside"
)

var _ cacheaside.Fencer[uint64, contender.Row] = port{}

func (p port) Fenced() bool { return p.server.fenced }

func (p port) Acquire(
	ctx context.Context, key uint64, request cacheaside.RequestID, seen cacheaside.Observation, lease time.Duration,
) cacheaside.Grant {
	p.world.asked()
	if p.breaker.isOpen() {
		return cacheaside.Grant{Kind: cacheaside.GrantUnavailable, Err: errBreakerOpen}
	}
	if _, err := p.link.trip(ctx, RecordTimeout, tripNumber(key, 'a')); err != nil {
		p.learn(ctx, err)
		kind := cacheaside.GrantIndeterminate
		if err == errRefused {
			kind = cacheaside.GrantUnavailable
		}
		return cacheaside.Grant{Kind: kind, Err: err}
	}
	p.breaker.succeeded()
	grant := p.server.current().Acquire(ctx, key, request, seen, lease)
	if grant.Kind == cacheaside.GrantGranted {
		p.server.keep(written{key: key, kind: granted, fence: grant.Fence, until: time.Now().Add(lease)})
	}
	return grant
}

func (p port) Fill(
	ctx context.Context, key uint64, fence cacheaside.Fence, entry cacheaside.Entry[contender.Row], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	if outcome := p.send(ctx, tripNumber(key, 'f')); outcome != nil {
		return *outcome
	}
	cache, known := p.server.fencesOf(fence)
	outcome := cache.Fill(ctx, key, known, entry, condition)
	if outcome.Certainty == cacheaside.RecordApplied {
		p.server.keep(written{key: key, kind: filled, fence: fence, value: entry})
	}
	if outcome.Reason == cacheaside.RecordSuperseded {
		p.world.note(func() { p.world.extra[RefusedFills]++ })
	}
	return outcome
}

func (p port) Release(ctx context.Context, key uint64, fence cacheaside.Fence) {
	if p.send(ctx, tripNumber(key, 'y')) != nil {
		return
	}
	cache, known := p.server.fencesOf(fence)
	cache.Release(ctx, key, known)
	p.server.keep(written{key: key, kind: released, fence: fence})
}
