package model_test

import (
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// TestAnyHistoryOnRedisIsLegal runs the same histories on the adapter for Redis and a server in this process, which expires by the bubble's clock. A
// history costs several times what it costs in memory, so that only some are run.
func TestAnyHistoryOnRedisIsLegal(t *testing.T) {
	t.Parallel()
	property := historiesAreLegal(t, openRedis)
	rapid.Check(t, func(r *rapid.T) {
		if rapid.IntRange(0, 9).Draw(r, "run") == 0 {
			property(r)
		}
	})
}

// redisStore is the adapter, with the bytes beneath it.
type redisStore struct {
	*redisadapter.Cache[string, string]

	t      *testing.T
	cfg    redisadapter.Config[string, string]
	server *miniredis.Miniredis
	made   int
}

func openRedis(t *testing.T, l lives) (store, func()) {
	server := miniredis.NewMiniRedis()
	server.ClockTTL(true)
	options := redistest.ClientOptions("")
	options.Dialer = func(context.Context, string, string) (net.Conn, error) { return server.Dial() }
	client := redis.NewClient(options)
	live := ttl(l)
	cfg := redisadapter.Config[string, string]{
		Namespace: "proof", Region: "model", Secret: []byte("0123456789abcdef0123456789abcdef"),
		TTL: redisadapter.TTLPolicy{Soft: live.Soft, Hard: live.Hard, Negative: live.Negative, TombstoneTTL: live.Tombstone},
		// Time does not pass while the server answers.
		LookupTimeout: time.Second, RecordTimeout: time.Second, MaxValueBytes: 256,
	}
	cache, err := redisadapter.New(client, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &redisStore{Cache: cache, t: t, cfg: cfg, server: server}, func() {
		if err := cache.Close(); err != nil {
			t.Error(err)
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		server.Close()
	}
}

// spoil writes bytes that the adapter cannot use. What outlives its life or refuses tombstones is left out, so not every kind can be had.
func (s *redisStore) spoil(key string, kind cacheaside.EntryKind) cacheaside.EntryKind {
	physical := s.physical(key)
	raw := "bytes of nobody, but long enough to be an entry"
	switch kind {
	case cacheaside.EntryRetired, cacheaside.EntryPayload:
		kind, raw = cacheaside.EntryRetired, s.sealed(physical, "CA\x01 whatever it was")
	case cacheaside.EntryFuture:
		raw = s.sealed(physical, "CA\x03 whatever it will be")
	case cacheaside.EntryOversize:
		raw = string(make([]byte, 1024))
	case cacheaside.EntryCorrupt, cacheaside.EntryForeign:
		kind = cacheaside.EntryCorrupt
	}
	if err := s.server.Set(physical, raw); err != nil {
		s.t.Error(err)
	}
	return kind
}

// sealed makes bytes unlike all others, as entries are.
func (s *redisStore) sealed(physical, head string) string {
	s.made++
	return string(redisadapter.Seal(s.cfg, physical, fmt.Append(nil, head, s.made)))
}

// physical derives the key as docs and published vectors say.
func (s *redisStore) physical(key string) string {
	secret, err := hkdf.Key(sha256.New, s.cfg.Secret, nil, "cacheaside/2/key", 32)
	if err != nil {
		s.t.Error(err)
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("s" + key))
	return "proof:model:-:{" + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16]) + "}:v"
}
