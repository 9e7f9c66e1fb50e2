package adapters

import (
	"context"
	"errors"

	"github.com/maypok86/otter/v2"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// capacity of the caches in memory: above what any scenario reads, so that nothing is evicted.
const capacity = 100_000

func otterPeer() Peer {
	return Peer{
		Contender: contender.Contender{ID: "otter", Name: "in-memory loading cache with refresh", Open: openOtter},
		Module:    "github.com/maypok86/otter/v2",
		Keeps:     memory,
		Page:      "https://maypok86.github.io/otter/user-guide/v2/features/refresh/",
	}
}

type otterReader struct {
	cache  *otter.Cache[uint64, contender.Row]
	loader otter.Loader[uint64, contender.Row]
	knowledge
}

// openOtter follows the page on refresh: an expiry after the write and a refresh before it, so that a value past Soft is answered while its
// successor is loaded. A missing row is told by ErrNotFound, as the page on loading asks for. Its log is switched off.
func openOtter(node contender.Node) (contender.Reader, error) {
	options := otter.Options[uint64, contender.Row]{
		MaximumSize:      capacity,
		ExpiryCalculator: otter.ExpiryWriting[uint64, contender.Row](node.TTL.Hard),
		Logger:           &otter.NoopLogger{},
	}
	if node.TTL.Soft < node.TTL.Hard {
		options.RefreshCalculator = otter.RefreshWriting[uint64, contender.Row](node.TTL.Soft)
	}
	cache, err := otter.New(&options)
	if err != nil {
		return nil, err
	}
	load := func(ctx context.Context, key uint64) (contender.Row, error) {
		row, err := node.Source.Load(ctx, key)
		if errors.Is(err, contender.ErrNoRow) {
			err = otter.ErrNotFound
		}
		return row, err
	}
	return &otterReader{
		cache:     cache,
		loader:    otter.LoaderFunc[uint64, contender.Row](load),
		knowledge: knowledge{absent: []error{otter.ErrNotFound}, soft: node.TTL.Soft},
	}, nil
}

func (r *otterReader) Get(ctx context.Context, key uint64) contender.Answer {
	return r.ask(ctx, func() (contender.Row, error) { return r.cache.Get(ctx, key, r.loader) })
}

func (r *otterReader) Invalidate(_ context.Context, key uint64) error {
	r.cache.Invalidate(key)
	return nil
}

func (r *otterReader) Close(context.Context) error {
	r.cache.StopAllGoroutines()
	return nil
}
