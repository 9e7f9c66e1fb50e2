package explore

import (
	"context"
	"encoding/binary"
	"sync"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// The kinds of parked calls of a fleet. Its fills are records.
const (
	kindAcquire = "acquire"
	kindRelease = "release"
	kindPut     = "put"
	kindCheck   = "check" // of TwoServersRule
)

// acquisition is what a request for a grant asks for.
type acquisition struct {
	request cacheaside.RequestID
	seen    cacheaside.Observation
	lease   time.Duration
}

// releasing is the grant that is given back.
type releasing struct{ fence cacheaside.Fence }

// checking is a fence that is looked at before the fill.
type checking struct{ fence cacheaside.Fence }

// putting is what a writer stores.
type putting struct{ entry cacheaside.Entry[Row] }

// fencePort is one actor's way to the store of a fleet.
type fencePort struct{ port }

func (f *Fills) portOf(a *actor) cacheaside.Cache[string, Row] {
	if f.fences == nil {
		return &port{f, a}
	}
	return &fencePort{port{f, a}}
}

// Fenced implements [cacheaside.Fencer].
func (p *fencePort) Fenced() bool { return true }

// OrderedRevisions implements [cacheaside.Putter].
func (p *fencePort) OrderedRevisions() bool { return p.fills.cfg.Ordered }

// Acquire implements [cacheaside.Fencer].
func (p *fencePort) Acquire(
	ctx context.Context, key string, request cacheaside.RequestID, seen cacheaside.Observation, lease time.Duration,
) cacheaside.Grant {
	if key != rowKey {
		return cacheaside.Grant{Kind: cacheaside.GrantGranted, Fence: cacheaside.Fence{Token: 1, Request: request}}
	}
	granted, answered := p.park(ctx, kindAcquire, acquireTimeout, acquisition{request, seen, lease}).(cacheaside.Grant)
	if !answered {
		granted = cacheaside.Grant{Kind: cacheaside.GrantIndeterminate, Err: errStoreDown}
	}
	if p.fills.cfg.Fence == UngrantedToo && granted.Err != nil {
		return cacheaside.Grant{Kind: cacheaside.GrantGranted, Fence: cacheaside.Fence{Request: request}}
	}
	return granted
}

// Fill implements [cacheaside.Fencer].
func (p *fencePort) Fill(
	ctx context.Context, key string, fence cacheaside.Fence, entry cacheaside.Entry[Row], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	if key != rowKey {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordStoreRefused}
	}
	if p.fills.cfg.Fence == TwoServersRule {
		switch passed, answered := p.park(ctx, kindCheck, recordTimeout, checking{fence}).(bool); {
		case !answered:
			return outcomeOf(nil)
		case !passed:
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordSuperseded}
		}
	}
	return outcomeOf(p.park(ctx, kindRecord, recordTimeout, recording{entry, condition, fence}))
}

// Release implements [cacheaside.Fencer].
func (p *fencePort) Release(ctx context.Context, key string, fence cacheaside.Fence) {
	if key == rowKey {
		p.park(ctx, kindRelease, recordTimeout, releasing{fence})
	}
}

// Put implements [cacheaside.Putter].
func (p *fencePort) Put(ctx context.Context, _ string, entry cacheaside.Entry[Row]) cacheaside.RecordOutcome {
	return outcomeOf(p.park(ctx, kindPut, recordTimeout, putting{entry}))
}

// requests names an actor's requests, all differently, and has every actor poll at a pace of its own that is always the same: what draws on it as if
// it were random is then part of no state.
type requests struct {
	actor int

	mu    sync.Mutex
	count uint64 // guarded by mu
}

// Read implements [io.Reader].
func (r *requests) Read(name []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	var full [16]byte
	binary.BigEndian.PutUint16(full[:], 1<<15+uint16(r.actor)*0xb00) //nolint:gosec // a few actors
	full[2] = byte(r.actor) + 1
	binary.BigEndian.PutUint64(full[8:], r.count)
	return copy(name, full[:]), nil
}
