package servers_test

import (
	"context"
	"fmt"

	"github.com/cacheaside/resilience/cacheaside"
)

// expect says what the servers may lose from now on. Invalidations count no more until they settle: a tombstone that is lost refuses nothing.
func (tr *trial) expect(what losses) {
	tr.gate.Lock()
	defer tr.gate.Unlock()
	tr.book.lose(what)
	for _, w := range tr.shop.wares {
		if what != nothingLost {
			w.floor.Store(0)
		}
	}
}

// settle holds the traffic, looks up what is left of the book after what the servers may have lost, and lets them lose no more from now on.
func (tr *trial) settle(ctx context.Context) {
	tr.t.Helper()
	tr.gate.Lock()
	defer tr.gate.Unlock()
	for _, p := range tr.book.pages {
		found := tr.cache.Lookup(ctx, p.key)
		if found.Kind == cacheaside.LookupUnavailable {
			tr.t.Fatalf("%s: %v", p.key, found.Err)
		}
		tr.book.read(p, found, true)
		tr.book.mu.Lock()
		clear(p.ghosts)
		tr.book.mu.Unlock()
	}
	tr.book.lose(nothingLost)
}

// conclude ends the traffic and shows that the cache is as it was: what is stored is what was told, every kind of operation is applied at its first try,
// and the regions answer what the source has.
func (tr *trial) conclude(ctx context.Context) {
	tr.t.Helper()
	tr.stop()
	for i, p := range tr.book.pages {
		h := tr.writers[i%hands]
		for _, size := range []int{10, leastLarge, 20} {
			found := tr.cache.Lookup(ctx, p.key)
			tr.book.read(p, found, true)
			where := cacheaside.Condition{Observation: found.Observation}
			if found.Kind == cacheaside.LookupFresh { // for one more millisecond
				continue
			}
			if out := h.record(ctx, p, size, where, true); out.Certainty != cacheaside.RecordApplied {
				tr.t.Errorf("%s: in the end a record of %d bytes is %v (%v)", p.key, size, describeOutcome(out), out.Err)
			}
		}
		out := tr.cache.Invalidate(ctx, p.key)
		tr.book.end(p, tombstone, out, false)
		found := tr.cache.Lookup(ctx, p.key)
		tr.book.read(p, found, true)
		if out.Certainty != cacheaside.RecordApplied || found.Miss != cacheaside.MissInvalidated {
			tr.t.Errorf("%s: in the end an invalidation is %v, and then found %v", p.key, describeOutcome(out), describeLookup(found))
		}
	}
	for _, w := range tr.shop.wares {
		if err := tr.inTheEnd(ctx, w); err != nil {
			tr.t.Errorf("%s: %v", w.key, err)
		}
	}
	tr.report()
}

// inTheEnd shows that a ware that changes is seen by both regions at once.
func (tr *trial) inTheEnd(ctx context.Context, w *ware) error {
	if err := tr.shop.replace(ctx, w); err != nil {
		return err
	}
	for _, want := range []cacheaside.Status{cacheaside.StatusLoaded, cacheaside.StatusFresh} {
		region := tr.shop.regions[1]
		if want == cacheaside.StatusFresh {
			region = tr.shop.regions[0]
		}
		result, err := cacheaside.Get(ctx, region, w.key, func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
			return tr.shop.load(ctx, w, 100, 0)
		})
		if err != nil || result.Status != want {
			return fmt.Errorf("in the end a read is %v, %w; want %v", result.Status, err, want)
		}
		if _, version, err := whole(result.Value); err != nil || version != w.version.Load() {
			return fmt.Errorf("in the end version %d is read, %w; the source has %d", version, err, w.version.Load())
		}
	}
	return nil
}
