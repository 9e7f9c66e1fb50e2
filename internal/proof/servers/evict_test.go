package servers_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

// manyPages are more than the memory of the servers below can hold, as most of them are large.
func manyPages() (keys []string) {
	for i := range 90 {
		keys = append(keys, fmt.Sprint("page-", i))
	}
	return keys
}

const smallMemory = "4mb"

func TestAServerThatEvictsServesMissesAndNeverAnotherValue(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"allkeys-lru", "volatile-ttl"} {
		t.Run(policy, func(t *testing.T) {
			server := redistest.Start(t, redistest.Options{MaxMemory: smallMemory, MaxMemoryPolicy: policy})
			admin := server.Client()
			tr := newTrial(t, server.Client(), setup{pages: manyPages(), mix: mix{small: 10, large: 70, absence: 5, invalidate: 5}})
			tr.expect(mayVanish)
			tr.start()
			for range rounds(t, 1) {
				tr.await("mutations", 500, named("applied"))
				tr.sweep(t.Context(), admin)
			}
			tr.stop()
			if n := evicted(t.Context(), t, admin); n < 50 {
				t.Errorf("%d keys were evicted: the trial shows nothing", n)
			}
			for what, n := range tr.book.snapshot() {
				if n > 0 && !named("applied", "invalidation applied", "shop invalidation applied", "lookup Stale", "lookup Fresh", "lookup Negative",
					"lookup Miss", "get ", "NotApplied ObservationGone", "NotApplied StoreRefused StagingLost", "NotApplied StoreRefused OutOfMemory")(what) {
					t.Errorf("%d times %s", n, what)
				}
			}
			tr.report()
		})
	}
}

// TestAFullServerThatEvictsNothingRefusesWritesAndGoesOnServing fills the server up. Invalidations are taken all the same, so that the old value is
// never served for want of room, and the breaker stays closed.
func TestAFullServerThatEvictsNothingRefusesWritesAndGoesOnServing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{MaxMemory: smallMemory, MaxMemoryPolicy: "noeviction"})
	admin := server.Client()
	tr := newTrial(t, server.Client(), setup{pages: manyPages(), mix: mix{small: 15, large: 60, absence: 5, invalidate: 3}})
	tr.start()
	full := named("NotApplied StoreRefused OutOfMemory")
	for range rounds(t, 1) {
		tr.await("refusals", 100, full)
		tr.await("lookups of a full server", 100, named("lookup Stale"))
		tr.sweep(t.Context(), admin)
	}
	tr.stop()
	for what, n := range tr.book.snapshot() {
		if n > 0 && !full(what) && !named("applied", "lookup Stale", "lookup Fresh", "lookup Negative", "lookup Miss", "get ",
			"invalidation applied", "shop invalidation applied")(what) {
			t.Errorf("%d times %s", n, what)
		}
	}
	if n := evicted(t.Context(), t, admin); n != 0 {
		t.Errorf("%d keys were evicted", n)
	}
	if err := admin.ConfigSet(t.Context(), "maxmemory", "0").Err(); err != nil {
		t.Fatal(err)
	}
	tr.conclude(t.Context())
}

// evicted is how many keys the server has evicted.
func evicted(ctx context.Context, t testing.TB, server *redis.Client) (n int) {
	t.Helper()
	info, err := server.Info(ctx, "stats").Result()
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(info, "evicted_keys:")
	if _, err := fmt.Sscan(rest, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
