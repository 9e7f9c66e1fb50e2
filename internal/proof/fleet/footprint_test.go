package fleet_test

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// infoOf is a number of INFO.
func infoOf(t testing.TB, client *redis.Client, field string) int {
	t.Helper()
	info, err := client.Info(context.Background()).Result()
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(info, "\n"+field+":")
	text, _, _ := strings.Cut(rest, "\r")
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("INFO has no number %s", field)
	}
	return n
}

// TestFenceRecordsOfInvalidatedKeysAreGoneAfterTheirLife looks at memory too: what invalidations leave behind must go by itself.
func TestFenceRecordsOfInvalidatedKeysAreGoneAfterTheirLife(t *testing.T) {
	t.Parallel()
	const writers = 8
	keys := amount(t, "FLEET_INVALIDATIONS", 20_000)
	server := redistest.Start(t, redistest.Options{})
	admin, ctx := server.Client(), context.Background()
	cfg := redisConfig(true)
	cfg.TTL.TombstoneTTL = 3 * time.Second
	cache := openCache(t, server, cfg)
	empty := infoOf(t, admin, "used_memory")
	var writing sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for n := w; n < keys; n += writers {
				if outcome := cache.Invalidate(ctx, "key-"+strconv.Itoa(n)); outcome.Certainty != cacheaside.RecordApplied {
					t.Errorf("an invalidation is %v: %v", outcome.Certainty, outcome.Err)
					return
				}
			}
		})
	}
	writing.Wait()
	last := nameOf(t, cfg, "key-"+strconv.Itoa(keys-1), fenceRecord)
	if token, err := admin.HGet(ctx, last, "token").Result(); err != nil || token == "" || token == "0" {
		t.Errorf("the last fence record has the token %q, %v", token, err)
	}
	left := admin.DBSize(ctx).Val()
	t.Logf("%d invalidations: %d keys, %d bytes for each invalidation that is still remembered",
		keys, left, (infoOf(t, admin, "used_memory")-empty)*3/max(int(left), 1))
	begun := time.Now()
	for left > 0 {
		if time.Since(begun) > time.Minute {
			t.Fatalf("%d keys are left long after the life of a tombstone", left)
		}
		<-time.After(50 * time.Millisecond)
		left = admin.DBSize(ctx).Val()
	}
}

// TestEvictionOfWhateverComesFirstLetsNoOldValueIn fills the server up, again and again, while others race on it.
func TestEvictionOfWhateverComesFirstLetsNoOldValueIn(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{MaxMemory: "4mb", MaxMemoryPolicy: "allkeys-lru"})
	admin, ctx := server.Client(), context.Background()
	filler, n := strings.Repeat("x", 16<<10), 0
	press := func(string) {
		pipe := admin.Pipeline()
		for range 64 {
			n++
			pipe.Set(ctx, "filler "+strconv.Itoa(n%512), filler, 0)
		}
		_, _ = pipe.Exec(ctx)
	}
	a := redisArena(t, server)
	a.loseFence, a.loseEntry, a.flush, a.restart = press, press, nil, nil
	wantNoOldValue(t, &a, amount(t, "FLEET_RACES_EVICTION", 120))
	evicted := infoOf(t, admin, "evicted_keys")
	t.Logf("%d keys were evicted", evicted)
	if evicted == 0 {
		t.Error("nothing was evicted: the server was under no pressure")
	}
}
