package servers_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// mix is what hands do, in parts of 100; the rest are lookups alone. An entry is stale a millisecond after it was written, so that most records
// replace an observed one.
type mix struct{ small, large, absence, invalidate int }

var evenMix = mix{small: 35, large: 25, absence: 12, invalidate: 12}

const (
	// A replace of more than 64 KiB is staged.
	leastLarge = 66 << 10
	smallSpan  = 2 << 10
)

// hand writes some pages of a book, of which it is the only writer.
type hand struct {
	cache *redisadapter.Cache[string, string]
	book  *book
	pages []*page
	mix   mix
	dice  *rand.Rand
	ids   *atomic.Int64
}

// step is one lookup of one page, and what follows from it.
func (h *hand) step(ctx context.Context) {
	p := h.pages[h.dice.IntN(len(h.pages))]
	found := h.cache.Lookup(ctx, p.key)
	h.book.read(p, found, true)
	roll, sure := h.dice.IntN(100), true
	switch {
	case found.Kind == cacheaside.LookupFresh || found.Kind == cacheaside.LookupUnusable:
		return
	case found.Kind == cacheaside.LookupUnavailable:
		sure = false // and the record goes ahead, only if absent, as that of a load does
	}
	where := cacheaside.Condition{Observation: found.Observation}
	switch m := h.mix; {
	case roll < m.small:
		h.record(ctx, p, h.dice.IntN(smallSpan), where, sure)
	case roll < m.small+m.large:
		h.record(ctx, p, leastLarge+h.dice.IntN(smallSpan), where, sure)
	case roll < m.small+m.large+m.absence:
		h.book.end(p, negative, h.cache.Record(ctx, p.key, cacheaside.Entry[string]{Negative: true}, where), sure)
	case roll < m.small+m.large+m.absence+m.invalidate:
		out := h.cache.Invalidate(ctx, p.key)
		h.book.end(p, tombstone, out, false)
		h.book.count("invalidation " + describeOutcome(out))
	}
}

func (h *hand) record(ctx context.Context, p *page, size int, where cacheaside.Condition, sure bool) cacheaside.RecordOutcome {
	id := h.ids.Add(1)
	h.book.begin(p, numbered(id))
	out := h.cache.Record(ctx, p.key, cacheaside.Entry[string]{Value: compose(p.key, id, size)}, where)
	h.book.end(p, numbered(id), out, sure)
	return out
}

// reader looks at pages that others write.
func (h *hand) reader(ctx context.Context) {
	p := h.pages[h.dice.IntN(len(h.pages))]
	h.book.read(p, h.cache.Lookup(ctx, p.key), false)
}
