package redisstore

import (
	"errors"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/redisadapter"
)

// JitterRatio is by how much the lifetimes of entries of this library are stretched or shrunk at most.
const JitterRatio = 0.1

// Library is a cache of this library on Redis, with the client that it is on.
type Library struct {
	*redisadapter.Cache[uint64, contender.Row]
	client *redis.Client
}

// OpenLibrary opens the cache, with the recommended client; it dials nothing yet. fenced makes it one for fenced fills. count is called for each
// command that is sent.
func (s Space) OpenLibrary(ttl contender.TTL, fenced bool, count func()) (*Library, error) {
	client, err := open(s.URL)
	if err != nil {
		return nil, err
	}
	client.AddHook(Counter(count))
	cache, err := redisadapter.New(client, redisadapter.Config[uint64, contender.Row]{
		Namespace: s.Namespace, Region: "lab", Secret: s.Secret, Fenced: fenced,
		TTL: redisadapter.TTLPolicy{Soft: ttl.Soft, Hard: ttl.Hard, Negative: ttl.Negative, JitterRatio: JitterRatio},
	})
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return &Library{cache, client}, nil
}

// Close closes the cache, then the client.
func (l *Library) Close() error { return errors.Join(l.Cache.Close(), l.client.Close()) }
