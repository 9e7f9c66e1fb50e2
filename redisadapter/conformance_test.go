package redisadapter_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/cachetest"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

type documentConfig = redisadapter.Config[string, cachetest.Document]

func documentsOf(opt cachetest.Options, mock clock.Clock) documentConfig {
	return documentConfig{
		Namespace: "suite", Region: "documents", Secret: base().Secret, Clock: mock, MaxValueBytes: opt.MaxValueBytes,
		TTL: redisadapter.TTLPolicy{
			Soft: opt.Soft, Hard: opt.Hard, Negative: opt.Negative, MinHard: opt.MinHard, TombstoneTTL: opt.Tombstone,
		},
		LookupTimeout: 10 * time.Second, RecordTimeout: 10 * time.Second,
	}
}

// storeUnderTest is a server of either kind.
type storeUnderTest struct {
	client  func() *redis.Client
	flush   func()
	advance func(now time.Time)
	stop    func()
}

func (s storeUnderTest) subject(t testing.TB, opt cachetest.Options) cachetest.Subject {
	t.Helper()
	s.flush()
	mock, client := mockNow(), s.client()
	s.advance(mock.Now())
	cfg := documentsOf(opt, mock)
	cache := open(t, client, cfg)
	ctx := context.Background()
	name := func(key string) string {
		return redisadapter.PhysicalKeyOf(cfg.Namespace, cfg.Region, cfg.Scope, cfg.Secret, []byte("s"+key))
	}
	plant := func(make func(name string) string) func(string) {
		return func(key string) {
			if err := client.Set(ctx, name(key), make(name(key)), opt.Hard).Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
	version := func(v byte) func(string) string {
		return func(name string) string {
			return string(redisadapter.Seal(cfg, name, []byte{'C', 'A', v, 'a', 'n', 'y'}))
		}
	}
	return cachetest.Subject{
		Cache: cache, Second: open(t, s.client(), cfg), BoundsSize: true,
		Now: mock.Now,
		Advance: func(d time.Duration) {
			mock.Add(d)
			s.advance(mock.Now())
		},
		Drop: func(key string) { client.Del(ctx, name(key)) },
		Break: func() {
			s.stop()
			_ = client.Close()
		},
		Plant: map[cacheaside.EntryKind]func(string){
			cacheaside.EntryRetired:  plant(version(1)),
			cacheaside.EntryFuture:   plant(version(3)),
			cacheaside.EntryCorrupt:  plant(func(string) string { return "anything" }),
			cacheaside.EntryOversize: plant(func(string) string { return strings.Repeat("x", opt.MaxValueBytes+1000) }),
			cacheaside.EntryForeign: func(key string) {
				client.Del(ctx, name(key))
				client.RPush(ctx, name(key), "a", "b", "c")
			},
			cacheaside.EntryPayload: func(key string) {
				other := cfg
				other.PayloadSchema = 99
				client.Del(ctx, name(key))
				mustApply(t, open(t, client, other).Record(ctx, key, value(cachetest.Document{ID: 1}), ifAbsent))
			},
		},
	}
}

func TestTheCacheKeepsTheContractOfThePortOnARealServer(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	admin := server.Client()
	cachetest.Run(t, func(t testing.TB, opt cachetest.Options) cachetest.Subject {
		return storeUnderTest{
			client:  func() *redis.Client { return newClient(t, server.ClientOptions()) },
			flush:   func() { admin.FlushAll(context.Background()) },
			advance: func(time.Time) {}, // the server's clock stands for one that does not follow
			stop:    func() {},
		}.subject(t, opt)
	})
}

func TestTheCacheKeepsTheContractOfThePortOnAServerWhoseClockFollows(t *testing.T) {
	cachetest.Run(t, func(t testing.TB, opt cachetest.Options) cachetest.Subject {
		server := miniredis.NewMiniRedis()
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Close)
		server.ClockTTL(true)
		return storeUnderTest{
			client:  func() *redis.Client { return newClient(t, redistest.ClientOptions(server.Addr())) },
			flush:   func() {},
			advance: server.SetTime,
			stop:    server.Close,
		}.subject(t, opt)
	})
}

func newClient(t testing.TB, o *redis.Options) *redis.Client {
	client := redis.NewClient(o)
	t.Cleanup(func() { _ = client.Close() })
	return client
}
