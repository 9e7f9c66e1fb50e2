package redisstore

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// Plain is a [contender.Store] as people write it: a client with its defaults, GET, SET with a time to live, DEL, and SET NX for a lock, with
// entries in msgpack.
type Plain struct {
	client *redis.Client
	prefix string
}

// OpenPlain opens the store; it dials nothing yet. count is called for each command that is sent.
func (s Space) OpenPlain(count func()) (*Plain, error) {
	options, err := redis.ParseURL(s.URL)
	if err != nil {
		return nil, errURL
	}
	client := redis.NewClient(options)
	client.AddHook(Counter(count))
	return &Plain{client: client, prefix: s.Namespace + ":"}, nil
}

// Close closes the client.
func (p *Plain) Close() error { return p.client.Close() }

func (p *Plain) row(key uint64) string  { return p.prefix + "row:" + strconv.FormatUint(key, 10) }
func (p *Plain) lock(key uint64) string { return p.prefix + "lock:" + strconv.FormatUint(key, 10) }

// Get gives the entry of a key, if there is one.
func (p *Plain) Get(ctx context.Context, key uint64) (contender.Entry, bool, error) {
	text, err := p.client.Get(ctx, p.row(key)).Bytes()
	if errors.Is(err, redis.Nil) {
		return contender.Entry{}, false, nil
	}
	if err != nil {
		return contender.Entry{}, false, err
	}
	var entry contender.Entry
	if err := msgpack.Unmarshal(text, &entry); err != nil {
		return contender.Entry{}, false, err
	}
	return entry, true, nil
}

// Set keeps an entry for a time.
func (p *Plain) Set(ctx context.Context, key uint64, entry contender.Entry, ttl time.Duration) error {
	text, err := msgpack.Marshal(entry)
	if err != nil {
		return err
	}
	return p.client.Set(ctx, p.row(key), text, ttl).Err()
}

// Delete drops an entry.
func (p *Plain) Delete(ctx context.Context, key uint64) error {
	return p.client.Del(ctx, p.row(key)).Err()
}

// Lock takes the lock of a key for a time, unless somebody has it.
func (p *Plain) Lock(ctx context.Context, key uint64, ttl time.Duration) (bool, error) {
	return p.client.SetNX(ctx, p.lock(key), "1", ttl).Result()
}

// Unlock drops the lock, whoever has it.
func (p *Plain) Unlock(ctx context.Context, key uint64) error {
	return p.client.Del(ctx, p.lock(key)).Err()
}

var _ contender.Store = (*Plain)(nil)
