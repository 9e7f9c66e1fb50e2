package adapters

import (
	"context"
	"time"

	"github.com/go-redis/cache/v9"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

func goRedisCachePeer(at Place) Peer {
	return Peer{
		Contender: contender.Contender{
			ID: "go-redis/cache", Name: "Once with a local TinyLFU",
			Open: func(node contender.Node) (contender.Reader, error) { return openGoRedisCache(node, at), nil },
		},
		Module: "github.com/go-redis/cache/v9",
		Keeps:  redisAndMemory,
		Page:   "https://github.com/go-redis/cache#quickstart",
	}
}

// What the README's quick start sets for the local cache.
const (
	tinyLFUSize = 1000
	tinyLFULife = time.Minute
)

type goRedisCacheReader struct {
	at     Place
	client *redis.Client
	cache  *cache.Cache
	source contender.Source
	ttl    time.Duration
	knowledge
}

// openGoRedisCache follows the README's quick start, with one server instead of a ring, and Once as its second example. The local cache lives as
// long as there, and no longer than Soft. The library takes lifetimes from one second up. A missing row is an error of Do, since the README has no
// word for it.
func openGoRedisCache(node contender.Node, at Place) contender.Reader {
	client := at.Client()
	return &goRedisCacheReader{
		at:     at,
		client: client,
		cache: cache.New(&cache.Options{
			Redis:      client,
			LocalCache: cache.NewTinyLFU(tinyLFUSize, min(tinyLFULife, node.TTL.Soft)),
		}),
		source: node.Source,
		ttl:    node.TTL.Soft,
	}
}

func (r *goRedisCacheReader) key(key uint64) string { return r.at.key("go-redis-cache", key) }

func (r *goRedisCacheReader) Get(ctx context.Context, key uint64) contender.Answer {
	return r.ask(ctx, func() (row contender.Row, err error) {
		err = r.cache.Once(&cache.Item{
			Ctx:   ctx,
			Key:   r.key(key),
			Value: &row,
			TTL:   r.ttl,
			Do: func(item *cache.Item) (any, error) {
				row, err := r.source.Load(item.Context(), key)
				if err != nil {
					return nil, err
				}
				return &row, nil
			},
		})
		return row, err
	})
}

func (r *goRedisCacheReader) Invalidate(ctx context.Context, key uint64) error {
	return r.cache.Delete(ctx, r.key(key))
}

func (r *goRedisCacheReader) Close(context.Context) error { return r.client.Close() }
