package model_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// store is what a history runs on. Spoil puts something unusable under a key, of the given kind or of one like it, which it tells.
type store interface {
	cacheaside.Cache[string, string]
	cacheaside.Invalidator[string]
	spoil(key string, kind cacheaside.EntryKind) cacheaside.EntryKind
}

// outage is what is wrong with the way to the store.
type outage int

const (
	reachable outage = iota
	down             // nothing arrives
	mute             // writes arrive, and nobody learns of it
)

var errOutage = errors.New("outage")

// port stands between the region and the store. It keeps the plain store beside the real one, compares what they say, and does what an unreliable way
// to a store does: it fails, it holds lookups after they have looked and records before they are made.
type port struct {
	inner store
	begun time.Time

	mu      sync.Mutex
	plain   plainStore                           // guarded by mu, like all that follows
	seen    map[cacheaside.Observation]condition // what the observations mean that the store gave
	broken  outage
	staging bool           // nothing reaches the store, which is empty
	looked  map[string]int // lookups by key, the other process' own not counted
	written []writing      // records that the model has not taken yet
	holding bool
	held    []chan struct{}
	wrong   string // the first thing that the store said and must not have
}

// writing is one record that was made, or was not for an outage.
type writing struct {
	key       string
	value     string
	negative  bool
	condition condition
	loadedAt  int64 // 0 = now
	told      string
}

// heldKey is where a caller's context carries the gate that its first lookup waits at, having looked.
type heldKey struct{}

func newPort(inner store, l lives) *port {
	return &port{
		inner: inner, begun: time.Now(),
		plain: plainStore{lives: l, entries: map[string]plainEntry{}}, seen: map[cacheaside.Observation]condition{"": {}}, looked: map[string]int{},
		staging: true,
	}
}

// rehearsed ends the time before the history, in which nothing reaches the store.
func (p *port) rehearsed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.staging = false
	clear(p.looked)
}

func (p *port) Lookup(ctx context.Context, key string) cacheaside.Lookup[string] {
	p.mu.Lock()
	p.looked[key]++
	broken, staging := p.broken, p.staging
	p.mu.Unlock()
	found := cacheaside.Lookup[string]{Kind: cacheaside.LookupUnavailable, Err: errOutage}
	switch {
	case staging:
		found = cacheaside.Lookup[string]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent}
	case broken == reachable:
		found = p.look(ctx, key)
	}
	if gate, held := ctx.Value(heldKey{}).(*gate); held {
		gate.once.Do(func() { <-gate.open })
	}
	return found
}

type gate struct {
	open chan struct{}
	once sync.Once
}

// look asks the store and compares.
func (p *port) look(ctx context.Context, key string) cacheaside.Lookup[string] {
	found := p.inner.Lookup(ctx, key)
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	want := p.plain.look(key, now)
	if found.Kind == cacheaside.LookupMiss && found.Miss == cacheaside.MissAbsent && p.plain.mayBeGone(key, now) {
		delete(p.plain.entries, key)
		want = p.plain.look(key, now)
	}
	got := glimpse{
		kind: found.Kind, miss: found.Miss, entry: found.Entry, value: found.Value, soft: p.since(found.SoftExpiresAt), hard: p.since(found.HardExpiresAt),
	}
	want.condition, got.condition = condition{}, condition{}
	if found.Kind == cacheaside.LookupMiss {
		got.soft, got.hard = 0, 0
	}
	if got != want {
		p.complain("lookup of %s gave %+v, want %+v", key, got, want)
	}
	if found.Observation != "" {
		p.seen[found.Observation] = condition{p.plain.entries[key].version, found.Kind == cacheaside.LookupMiss}
	}
	return found
}

func (p *port) Record(ctx context.Context, key string, entry cacheaside.Entry[string], asked cacheaside.Condition) cacheaside.RecordOutcome {
	if gate := p.recordGate(); gate != nil {
		<-gate
	}
	p.mu.Lock()
	broken := p.broken
	p.mu.Unlock()
	outcome := cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordNeverSent, Err: errOutage}
	if broken != down {
		outcome = p.record(ctx, key, entry, asked)
	}
	if broken == mute {
		outcome = cacheaside.RecordOutcome{Certainty: cacheaside.RecordIndeterminate, Err: errOutage}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	w := writing{key: key, value: entry.Value, negative: entry.Negative, condition: p.seen[asked.Observation]}
	if !entry.LoadedAt.IsZero() {
		w.loadedAt = p.since(entry.LoadedAt)
	}
	w.told = recorded(cacheaside.Result[string]{Record: outcome}, fmt.Sprintf(" %d/%d", p.since(outcome.SoftExpiresAt), p.since(outcome.HardExpiresAt)))
	p.written = append(p.written, w)
	return outcome
}

func (p *port) recordGate() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.holding {
		return nil
	}
	gate := make(chan struct{})
	p.held = append(p.held, gate)
	return gate
}

// record asks the store and compares.
func (p *port) record(ctx context.Context, key string, entry cacheaside.Entry[string], asked cacheaside.Condition) cacheaside.RecordOutcome {
	outcome := p.inner.Record(ctx, key, entry, asked)
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	from := now
	if !entry.LoadedAt.IsZero() {
		from = p.since(entry.LoadedAt)
	}
	life := p.plain.lives.hard
	if entry.Negative {
		life = p.plain.lives.negative
	}
	var legal []cacheaside.RecordReason
	if now+1 >= from+life {
		legal = append(legal, cacheaside.RecordNeverSent)
	}
	for _, reason := range p.plain.allows(key, p.seen[asked.Observation], now) {
		if reason != 0 || now < from+life {
			legal = append(legal, reason)
		}
	}
	applied := outcome.Certainty == cacheaside.RecordApplied
	if !applied && outcome.Certainty != cacheaside.RecordNotApplied || !slices.Contains(legal, outcome.Reason) {
		p.complain("record of %s was %s %s, legal are %v", key, outcome.Certainty, outcome.Reason, legal)
	}
	if !applied {
		return outcome
	}
	made := p.plain.put(key, plainEntry{value: entry.Value, negative: entry.Negative}, from)
	if p.since(outcome.SoftExpiresAt) != made.soft || p.since(outcome.HardExpiresAt) != made.hard {
		p.complain("record of %s until %d/%d, want %d/%d", key, p.since(outcome.SoftExpiresAt), p.since(outcome.HardExpiresAt), made.soft, made.hard)
	}
	return outcome
}

func (p *port) Invalidate(ctx context.Context, key string) cacheaside.RecordOutcome {
	p.mu.Lock()
	broken, staging := p.broken, p.staging
	p.mu.Unlock()
	if broken == down || staging {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordNeverSent, Err: errOutage}
	}
	p.bury(ctx, key)
	if broken == mute {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordIndeterminate, Err: errOutage}
	}
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}

func (p *port) bury(ctx context.Context, key string) {
	outcome := p.inner.Invalidate(ctx, key)
	p.mu.Lock()
	defer p.mu.Unlock()
	if outcome.Certainty != cacheaside.RecordApplied {
		p.complain("invalidation of %s was %s %s", key, outcome.Certainty, outcome.Reason)
	}
	p.plain.put(key, plainEntry{tombstone: true}, p.now())
}

// complain keeps the first fault. It is called with mu held.
func (p *port) complain(format string, args ...any) {
	if p.wrong == "" {
		p.wrong = fmt.Sprintf(format, args...)
	}
}

func (p *port) now() int64 { return millis(time.Since(p.begun)) }

// since gives a moment in the milliseconds of the history, 0 for none.
func (p *port) since(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli() - p.begun.UnixMilli()
}
