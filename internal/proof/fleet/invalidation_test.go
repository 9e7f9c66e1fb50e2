package fleet_test

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside/memory"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

const raceSteps = 40

// amount is how much of something a test does: plain, or what the environment variable says.
func amount(t testing.TB, variable string, plain int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return plain
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, want a number above zero", variable, text)
	}
	return n
}

// memoryArena holds one entry alone, so that any other key costs it and its fence record.
func memoryArena(t testing.TB) arena {
	t.Helper()
	still := &movedClock{Clock: clock.New(), now: time.Now()}
	cache, err := memory.New(memory.Config[string, string]{
		TTL: memory.TTL{Soft: raceLease, Hard: 1000 * time.Hour / 2, Negative: time.Hour}, MaxEntries: 1, Fenced: true, Clock: still,
	})
	if err != nil {
		t.Fatal(err)
	}
	evict := func(string) { cache.Invalidate(context.Background(), "another") }
	return arena{ports: []port{cache}, loseFence: evict, pass: func(string) { still.advance(raceLease) }}
}

// redisArena is two instances with fences and one without on a real server.
func redisArena(t testing.TB, server *redistest.Server) arena {
	t.Helper()
	cfg := redisConfig(true)
	cfg.TTL.Soft = time.Millisecond
	ctx, admin := context.Background(), server.Client()
	del := func(kind string) func(string) {
		return func(key string) { admin.Del(ctx, nameOf(t, cfg, key, kind)) }
	}
	unfenced := cfg
	unfenced.Fenced = false
	return arena{
		ports: []port{openCache(t, server, cfg), openCache(t, server, cfg)},
		plain: openCache(t, server, unfenced), large: true,
		loseFence: del(fenceRecord), loseEntry: del(fencedEntry),
		pass:    func(key string) { ageFence(ctx, admin, nameOf(t, cfg, key, fenceRecord), raceLease) },
		flush:   func() { admin.FlushAll(ctx) },
		restart: server.Restart,
	}
}

// ageFence makes a fence record that much older, if there is one.
func ageFence(ctx context.Context, admin *redis.Client, name string, by time.Duration) {
	const script = `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HINCRBY', KEYS[1], 'expires', ARGV[1]) end return 1`
	admin.Eval(ctx, script, []string{name}, -by.Microseconds())
}

func wantNoOldValue(t *testing.T, a *arena, races int) {
	t.Helper()
	fills := 0
	for seed := range races {
		found, filled := runRace(a, uint64(seed), raceSteps)
		fills += filled
		if found != "" {
			t.Fatal(found)
		}
	}
	t.Logf("%d races, %d fills accepted", races, fills)
	if fills < races/2 {
		t.Errorf("%d fills in %d races were accepted: too few to mean anything", fills, races)
	}
}

func wantOldValue(t *testing.T, a *arena, races int) {
	t.Helper()
	for seed := range races {
		if found, _ := runRace(a, uint64(seed), raceSteps); found != "" {
			t.Logf("found after %d races: %s", seed+1, found)
			return
		}
	}
	t.Errorf("%d races found no old value", races)
}

// TestNoFillOlderThanTheLastInvalidationIsEverReadableInMemory interleaves loads, updates, invalidations and late fills, and loses fence records.
func TestNoFillOlderThanTheLastInvalidationIsEverReadableInMemory(t *testing.T) {
	a := memoryArena(t)
	wantNoOldValue(t, &a, amount(t, "FLEET_RACES_MEMORY", 20_000))
}

func TestNoFillOlderThanTheLastInvalidationIsEverReadableOnARealServer(t *testing.T) {
	a := redisArena(t, redistest.Start(t, redistest.Options{}))
	wantNoOldValue(t, &a, amount(t, "FLEET_RACES_REDIS", 300))
}

func TestTheRaceFindsTheOldValueWhereTheRuleIsWeaker(t *testing.T) {
	inMemory, onServer := memoryArena(t), redisArena(t, redistest.Start(t, redistest.Options{}))
	for name, onlyIfLost := range map[string]bool{"fills whatever the fence": false, "a lost record accepts": true} {
		t.Run(name+" in memory", func(t *testing.T) { wantOldValue(t, weaken(inMemory, onlyIfLost), 20_000) })
		t.Run(name+" on a server", func(t *testing.T) { wantOldValue(t, weaken(onServer, onlyIfLost), 300) })
	}
}

var _ port = (*redisadapter.Cache[string, string])(nil)
