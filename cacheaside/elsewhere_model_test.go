package cacheaside_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// fleetPolicy is a policy of milliseconds, drawn from rng, under which every bound is met now and then.
func fleetPolicy(rng *rand.Rand) cacheaside.Policy {
	p := cacheaside.StrictPolicy()
	p.SourceConcurrency = 1 + rng.IntN(4)
	p.MaxOverduePerKey = 1 + rng.IntN(min(p.SourceConcurrency, 3))
	p.MaxInFlightKeys, p.MaxWaitersPerKey = p.SourceConcurrency+rng.IntN(8), 1+rng.IntN(12)
	p.AdmissionWait, p.LoadDeadline = time.Duration(rng.IntN(5))*time.Millisecond, 8*time.Millisecond
	p.RecordWait, p.FailureBackoff = time.Duration(rng.IntN(5))*time.Millisecond, time.Duration(rng.IntN(3))*5*time.Millisecond
	p.CancelAbandoned, p.Incompatible = rng.IntN(2) == 0, cacheaside.QuarantineAndReload
	waits := []time.Duration{0, cacheaside.DontWait, 3 * time.Millisecond}
	p.ServeStale = cacheaside.StaleRules{
		OnTransient: rng.IntN(2) == 0, OnRejected: rng.IntN(2) == 0, OnDeadline: rng.IntN(2) == 0, RefreshWait: waits[rng.IntN(len(waits))],
	}
	return p
}

// fleetLives outlive every load of a [fleetPolicy] over a [distant] cache, as the conditions of Invalidate ask, and Soft a load with its record.
var fleetLives = memory.TTL{
	Soft: 35 * time.Millisecond, Hard: 70 * time.Millisecond, Negative: 50 * time.Millisecond, MinHard: 50 * time.Millisecond, Tombstone: 60 * time.Millisecond,
}

// askedKey is where the context of a call carries its asked.
type askedKey struct{}

// asked is what became of the first lookup of a call: the promise is to those whose lookup worked.
type asked struct {
	lookups atomic.Int64
	failed  atomic.Bool
}

// distant is one process's way to the store that all share: every call takes a while there and back, and fails now and then. Entries of processes
// with another schema are unusable to it.
type distant struct {
	store  *memory.Cache[string, string]
	schema string

	mu  sync.Mutex
	rng *rand.Rand // guarded by mu
}

func (d *distant) draw(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rng.IntN(n)
}

// travel is one way, mostly a short one.
func (d *distant) travel() {
	most := 300
	if d.draw(4) == 0 {
		most = 2500
	}
	<-time.After(time.Duration(d.draw(most)) * time.Microsecond)
}

func (d *distant) Lookup(ctx context.Context, key string) cacheaside.Lookup[string] {
	d.travel()
	found := cacheaside.Lookup[string]{Kind: cacheaside.LookupUnavailable, Err: errDown}
	if d.draw(12) > 0 {
		found = d.store.Lookup(ctx, key)
	}
	d.travel()
	if call, ok := ctx.Value(askedKey{}).(*asked); ok && call.lookups.Add(1) == 1 && found.Kind == cacheaside.LookupUnavailable {
		call.failed.Store(true)
	}
	if found.Kind != cacheaside.LookupFresh && found.Kind != cacheaside.LookupStale {
		return found
	}
	schema, value, _ := strings.Cut(found.Value, ":")
	if schema != d.schema {
		return unusable(cacheaside.EntryPayload, found.Observation)
	}
	found.Value = value
	return found
}

// Record may be executed although nobody learns of it, and may be lost although nobody learns of that either.
func (d *distant) Record(
	ctx context.Context, key string, entry cacheaside.Entry[string], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	entry.Value = d.schema + ":" + entry.Value
	return d.send(func() cacheaside.RecordOutcome { return d.store.Record(ctx, key, entry, condition) })
}

func (d *distant) Invalidate(ctx context.Context, key string) cacheaside.RecordOutcome {
	return d.send(func() cacheaside.RecordOutcome { return d.store.Invalidate(ctx, key) })
}

func (d *distant) send(command func() cacheaside.RecordOutcome) cacheaside.RecordOutcome {
	d.travel()
	outcome, lost := cacheaside.RecordOutcome{Certainty: cacheaside.RecordIndeterminate}, d.draw(20)
	if lost > 0 {
		outcome = command()
	}
	d.travel()
	if lost == 1 {
		outcome = cacheaside.RecordOutcome{Certainty: cacheaside.RecordIndeterminate}
	}
	return outcome
}

// row is the truth about one key: the version that the source has, and the newest that an invalidation had settled. Every seventh version of it is
// no row at all.
type row struct {
	mu              sync.Mutex
	latest, settled int
}

func missingVersion(version int) bool { return version%7 == 6 }

func (r *row) write() (version int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latest++
	return r.latest
}

func (r *row) settle(version int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settled = max(r.settled, version)
}

func (r *row) state() (settled, latest int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.settled, r.latest
}

// allows tells whether an answer is what the row was at some moment from settled on.
func (r *row) allows(settled int, o outcome) bool {
	_, latest := r.state()
	switch o.result.Status {
	case cacheaside.StatusFresh, cacheaside.StatusLoaded, cacheaside.StatusStale:
		version, err := strconv.Atoi(o.result.Value)
		return err == nil && version >= settled && version <= latest && !missingVersion(version)
	case cacheaside.StatusAbsent, cacheaside.StatusNegativeHit:
		for version := settled; version <= latest; version++ {
			if missingVersion(version) {
				return true
			}
		}
		return false
	case cacheaside.StatusFailed, cacheaside.StatusRejected, cacheaside.StatusCancelled:
	}
	return true
}

// loadCount counts the loaders of one process, all and by key.
type loadCount struct {
	mu    sync.Mutex
	all   int
	byKey map[string]int
	most  int // of one key
	peak  int // of all
}

func (l *loadCount) enter(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all++
	l.byKey[key]++
	l.peak, l.most = max(l.peak, l.all), max(l.most, l.byKey[key])
}

func (l *loadCount) leave(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	l.byKey[key]--
}
