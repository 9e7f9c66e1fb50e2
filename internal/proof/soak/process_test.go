package soak_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// port is a cache that a process can be put on.
type port interface {
	cacheaside.Cache[string, value]
	cacheaside.Invalidator[string]
	cacheaside.LifetimeReporter
}

// process is one region of several over the same entries, with its loader and what its callers do.
type process struct {
	id      int
	region  *cacheaside.Region[string, value]
	policy  cacheaside.Policy
	source  *source
	ledger  *ledger
	manners []manner
	keys    []string
	seldom  []string
	ended   chan struct{} // closed when loaders that hang must return

	running, loads atomic.Int64

	mu    sync.Mutex
	seeds *rand.Rand // guarded by mu; everything else draws from one of its own
}

func newProcess(id int, on port, policy cacheaside.Policy, l *ledger, seed uint64) (*process, error) {
	p := &process{
		id: id, policy: policy, source: l.source, ledger: l, manners: manners(), keys: keys(), seldom: seldomKeys(), ended: make(chan struct{}),
		seeds: rand.New(rand.NewPCG(seed, uint64(id))),
	}
	var err error
	p.region, err = cacheaside.NewRegion(cacheaside.RegionConfig[string, value]{
		Name: fmt.Sprintf("process-%d", id), Cache: watched{on}, Policy: policy, Observer: cacheaside.ObserverFunc(p.observe),
	})
	return p, err
}

// dice are for one goroutine.
func (p *process) dice() *rand.Rand {
	p.mu.Lock()
	defer p.mu.Unlock()
	return rand.New(rand.NewPCG(p.seeds.Uint64(), p.seeds.Uint64()))
}

func (p *process) observe(event cacheaside.Event) {
	if event.Kind == cacheaside.EventWarning {
		p.ledger.breach(ruleWarned, "process %d: %s", p.id, event.Code)
	}
}

// close ends the region, and with it the loaders that hang.
func (p *process) close() error {
	close(p.ended)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return p.region.Close(ctx)
}

// watched tells each caller what its own lookup found, through the caller's context.
type watched struct{ port }

type probeKey struct{}

// probe is the kind of the first lookup on a context: a load looks up once more with the values of the caller that began it.
type probe struct{ first atomic.Int32 }

// Lookup asks the port, and tells.
func (w watched) Lookup(ctx context.Context, key string) cacheaside.Lookup[value] {
	found := w.port.Lookup(ctx, key)
	if seen, ok := ctx.Value(probeKey{}).(*probe); ok {
		seen.first.CompareAndSwap(0, int32(found.Kind))
	}
	return found
}

// blinking fails every so many lookups by itself, with no breaker that would keep the next invalidation from being sent: so a caller who has just
// invalidated meets the loads from before it without seeing the tombstone.
type blinking struct {
	port
	lookups atomic.Int64
}

var errBlink = errors.New("a lookup failed")

// Lookup asks the port, mostly.
func (b *blinking) Lookup(ctx context.Context, key string) cacheaside.Lookup[value] {
	if b.lookups.Add(1)%23 == 0 {
		return cacheaside.Lookup[value]{Kind: cacheaside.LookupUnavailable, Err: errBlink}
	}
	return b.port.Lookup(ctx, key)
}

// get is one call, judged. A panic of the loader reaches its caller here.
func (p *process) get(ctx context.Context, key string) {
	seen := new(probe)
	ctx = context.WithValue(ctx, probeKey{}, seen)
	a := answer{process: p.id, key: key, begun: time.Now()}
	result, err, panicked := p.call(ctx, key)
	a.ended = time.Now()
	a.status, a.value, a.shared = result.Status, result.Value, result.Shared
	a.early = ctx.Err() != nil || result.Record.Reason == cacheaside.RecordPending
	a.lookup = cacheaside.LookupKind(seen.first.Load())
	if panicked {
		a.status = cacheaside.StatusFailed
	}
	p.ledger.answered(a, p.policy.MaxWaitersPerKey)
	var rejected *cacheaside.RejectedError
	p.ledger.tell(func(s *summary) {
		if panicked {
			s.panics++
		}
		if errors.As(err, &rejected) || errors.As(result.Cause, &rejected) {
			s.reasons[rejected.Reason]++
		}
	})
	if !panicked && !fits(a, ctx, err) {
		p.ledger.breach(ruleError, "%v of process %d with %v", a.status, p.id, err)
	}
}

func (p *process) call(ctx context.Context, key string) (result cacheaside.Result[value], err error, panicked bool) {
	defer func() {
		if thrown := recover(); thrown != nil {
			var of *cacheaside.LoaderPanic
			if asError, _ := thrown.(error); !errors.As(asError, &of) {
				panic(thrown)
			}
			panicked = true
		}
	}()
	result, err = cacheaside.Get(ctx, p.region, key, p.load)
	return result, err, false
}

// fits tells whether an error belongs to its status. An entry that cannot be used is none: nobody else writes here, so it would be the bytes of
// another reply.
func fits(a answer, ctx context.Context, err error) bool {
	var entry *cacheaside.EntryError
	switch a.status {
	case cacheaside.StatusFresh, cacheaside.StatusLoaded, cacheaside.StatusStale:
		return err == nil
	case cacheaside.StatusAbsent, cacheaside.StatusNegativeHit:
		return errors.Is(err, cacheaside.ErrAbsent)
	case cacheaside.StatusRejected:
		return errors.Is(err, cacheaside.ErrRejected)
	case cacheaside.StatusCancelled: // the caller was, or the loader gave up
		return ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) || errors.Is(err, context.Canceled) && errors.Is(err, errSource)
	case cacheaside.StatusFailed:
		return err != nil && !errors.As(err, &entry)
	}
	return false
}

// invalidate is one invalidation of the rows before now.
func (p *process) invalidate(ctx context.Context, key string) {
	by := invalidation{process: p.id, begun: time.Now(), floor: p.source.read(key).version}
	err := cacheaside.Invalidate(ctx, p.region, key)
	by.ended = time.Now()
	var failed *cacheaside.InvalidateError
	switch {
	case err == nil:
		p.ledger.invalidatedBy(key, by)
	case errors.As(err, &failed):
		p.ledger.tell(func(s *summary) { s.refused++ })
	default:
		p.ledger.breach(ruleError, "invalidation by process %d: %v", p.id, err)
	}
}
