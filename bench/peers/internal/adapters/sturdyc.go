package adapters

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/viccon/sturdyc"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

func sturdycPeer() Peer {
	return Peer{
		Contender: contender.Contender{ID: "sturdyc", Name: "in-memory cache with early refresh", Open: openSturdyc},
		Module:    "github.com/viccon/sturdyc",
		Keeps:     memory,
		Page:      "https://github.com/viccon/sturdyc#early-refreshes",
	}
}

// What the README's examples set.
const (
	sturdycShards          = 10
	sturdycEvictionPercent = 10
	sturdycRetryBase       = 10 * time.Millisecond
)

type sturdycReader struct {
	cache  *sturdyc.Client[contender.Row]
	source contender.Source
	knowledge
}

// openSturdyc follows the README on early refreshes and on missing records. Refreshes begin at random between half of Soft and Soft, in the
// background; a value past Soft is refreshed while its callers wait, and answers if that fails; a value lives until Hard. Missing records have no
// lifetime of their own. Its log is switched off.
func openSturdyc(node contender.Node) (contender.Reader, error) {
	soft, hard := node.TTL.Soft, node.TTL.Hard
	return &sturdycReader{
		cache: sturdyc.New[contender.Row](capacity, sturdycShards, hard, sturdycEvictionPercent,
			sturdyc.WithEarlyRefreshes(soft/2, soft, soft, sturdycRetryBase),
			sturdyc.WithMissingRecordStorage(),
			sturdyc.WithLog(&sturdyc.NoopLogger{})),
		source:    node.Source,
		knowledge: knowledge{absent: []error{sturdyc.ErrMissingRecord, sturdyc.ErrNotFound}, soft: soft},
	}, nil
}

func (r *sturdycReader) Get(ctx context.Context, key uint64) contender.Answer {
	fromCacheOnly := false
	answer := r.ask(ctx, func() (contender.Row, error) {
		row, err := r.cache.GetOrFetch(ctx, strconv.FormatUint(key, 36), func(ctx context.Context) (contender.Row, error) {
			row, err := r.source.Load(ctx, key)
			if errors.Is(err, contender.ErrNoRow) {
				err = sturdyc.ErrNotFound
			}
			return row, err
		})
		// The documentation leaves it to the consumer whether a value beside this error is used.
		if errors.Is(err, sturdyc.ErrOnlyCachedRecords) && row.Version > 0 {
			fromCacheOnly = true
			return row, nil
		}
		return row, err
	})
	if fromCacheOnly {
		answer.Ending = contender.Stale
	}
	return answer
}

func (r *sturdycReader) Invalidate(_ context.Context, key uint64) error {
	r.cache.Delete(strconv.FormatUint(key, 36))
	return nil
}

// Close does nothing: the library has no way to end the goroutine that evicts.
func (r *sturdycReader) Close(context.Context) error { return nil }
