package fleet_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/cachetest"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

type documentConfig = redisadapter.Config[string, cachetest.Document]

// movedClock stands still but for advance. A cache sets no timers on it.
type movedClock struct {
	clock.Clock

	mu  sync.Mutex
	now time.Time // guarded by mu
}

func (c *movedClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *movedClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

type offClock struct {
	clock.Clock
	off time.Duration
}

func (c offClock) Now() time.Time { return c.Clock.Now().Add(c.off) }

func openDocuments(t testing.TB, client *redis.Client, cfg documentConfig) *redisadapter.Cache[string, cachetest.Document] {
	t.Helper()
	cache, err := redisadapter.New(client, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cache.Close(); err != nil {
			t.Error(err)
		}
	})
	return cache
}

func openClient(t testing.TB, opts *redis.Options) *redis.Client {
	client := redis.NewClient(opts)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// TestTheFencesOfARealServerKeepTheContractOfThePort runs the suite on the server's own clock: the records of the fences are aged by hand.
func TestTheFencesOfARealServerKeepTheContractOfThePort(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	admin := server.Client()
	cachetest.Run(t, func(t testing.TB, opt cachetest.Options) cachetest.Subject {
		if err := admin.FlushAll(context.Background()).Err(); err != nil {
			t.Fatal(err)
		}
		return documentsOn(t, server, opt)
	})
}

func documentsOn(t testing.TB, server *redistest.Server, opt cachetest.Options) cachetest.Subject {
	t.Helper()
	ctx, still := context.Background(), &movedClock{Clock: clock.New(), now: time.Now()}
	cfg := documentConfig{
		Namespace: "suite", Region: "documents", Secret: []byte(strings.Repeat("s", 32)), Clock: still, MaxValueBytes: opt.MaxValueBytes,
		Fenced: opt.Fenced, OrderedRevisions: opt.OrderedRevisions, GenerationAge: opt.GenerationAge,
		TTL: redisadapter.TTLPolicy{
			Soft: opt.Soft, Hard: opt.Hard, Negative: opt.Negative, MinHard: opt.MinHard, TombstoneTTL: opt.Tombstone,
		},
		LookupTimeout: 10 * time.Second, RecordTimeout: 10 * time.Second,
	}
	client := openClient(t, server.ClientOptions())
	entryKind, other := plainEntry, cfg
	if opt.Fenced {
		entryKind, other.Fenced, other.OrderedRevisions = fencedEntry, false, false
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	subject := cachetest.Subject{
		Cache: openDocuments(t, client, cfg), Second: openDocuments(t, openClient(t, server.ClientOptions()), cfg), BoundsSize: true,
		Now: still.Now, Advance: still.advance,
		Drop:      func(key string) { must(client.Del(ctx, nameOf(t, cfg, key, entryKind)).Err()) },
		DropFence: func(key string) { must(client.Del(ctx, nameOf(t, cfg, key, fenceRecord)).Err()) },
		AgeFence: func(key string, by time.Duration) {
			record := nameOf(t, cfg, key, fenceRecord)
			must(client.HIncrBy(ctx, record, "expires", -by.Microseconds()).Err())
			left, err := client.PTTL(ctx, record).Result()
			must(err)
			must(client.PExpire(ctx, record, left-by).Err()) // deletes what has nothing left
		},
		Skewed: func(off time.Duration) cacheaside.Cache[string, cachetest.Document] {
			skewed := cfg
			skewed.Clock = offClock{Clock: still, off: off}
			return openDocuments(t, client, skewed)
		},
		OtherMode: openDocuments(t, client, other),
		Break:     func() { must(client.Close()) },
	}
	version := func(v byte) func(string) {
		return func(key string) {
			name := nameOf(t, cfg, key, entryKind)
			must(client.Set(ctx, name, sealed(t, cfg, name, []byte{'C', 'A', v, 'a', 'n', 'y'}), opt.Hard).Err())
		}
	}
	subject.Plant = map[cacheaside.EntryKind]func(string){
		cacheaside.EntryRetired: version(1),
		cacheaside.EntryFuture:  version(3),
	}
	if opt.Fenced {
		subject.Plant[cacheaside.EntryPayload] = func(key string) { plantPayload(t, client, cfg, key) }
	}
	return subject
}

// plantPayload stores a value of another schema under a fence of its own, and puts back the fence record that was there.
func plantPayload(t testing.TB, client *redis.Client, cfg documentConfig, key string) {
	t.Helper()
	ctx, record := context.Background(), nameOf(t, cfg, key, fenceRecord)
	before, _ := client.Dump(ctx, record).Result() // an error is that there is none
	client.Del(ctx, record, nameOf(t, cfg, key, fencedEntry))
	other := cfg
	other.PayloadSchema = 99
	cache := openDocuments(t, client, other)
	grant := cache.Acquire(ctx, key, cacheaside.RequestID{1}, "", time.Minute)
	value := cacheaside.Entry[cachetest.Document]{Value: cachetest.Document{ID: 1}}
	if outcome := cache.Fill(ctx, key, grant.Fence, value, cacheaside.Condition{}); outcome.Certainty != cacheaside.RecordApplied {
		t.Fatalf("planting is %v %v, after a grant that is %v", outcome.Certainty, outcome.Reason, grant.Kind)
	}
	if before == "" {
		return
	}
	if err := client.RestoreReplace(ctx, record, time.Hour, before).Err(); err != nil {
		t.Fatal(err)
	}
}
