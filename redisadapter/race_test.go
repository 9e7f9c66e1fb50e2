package redisadapter_test

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// race has every cache do the same at the same time and counts who was applied; the others must have been refused.
func race(t testing.TB, caches []*redisadapter.Cache[string, string], do func(i int, c *redisadapter.Cache[string, string]) cacheaside.RecordOutcome) (winner int) {
	t.Helper()
	var wg sync.WaitGroup
	start := make(chan struct{})
	var applied, won atomic.Int64
	for i, c := range caches {
		wg.Go(func() {
			<-start
			out := do(i, c)
			switch {
			case out.Certainty == cacheaside.RecordApplied:
				applied.Add(1)
				won.Store(int64(i))
			case out.Certainty != cacheaside.RecordNotApplied || out.Reason != cacheaside.RecordConditionFailed:
				t.Errorf("%v %v (%v)", out.Certainty, out.Reason, out.Err)
			}
		})
	}
	close(start)
	wg.Wait()
	if n := applied.Load(); n != 1 {
		t.Errorf("%d of %d were applied", n, len(caches))
	}
	return int(won.Load())
}

func TestC113_OfTwentyConcurrentReplacesExactlyOneIsApplied(t *testing.T) {
	server, client := started(t)
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	ctx := context.Background()
	var caches []*redisadapter.Cache[string, string]
	for range 20 {
		caches = append(caches, open(t, server.Client(), cfg))
	}
	for _, size := range []int{1, 100 << 10} {
		client.FlushAll(ctx)
		mustApply(t, caches[0].Record(ctx, "k", value("old"), ifAbsent))
		mock.Add(10 * time.Second)
		var seen []cacheaside.Condition
		for _, c := range caches {
			seen = append(seen, ifObserved(wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale).Observation))
		}
		own := func(i int) string { return strings.Repeat("x", size) + strconv.Itoa(i) }
		winner := race(t, caches, func(i int, c *redisadapter.Cache[string, string]) cacheaside.RecordOutcome {
			return c.Record(ctx, "k", value(own(i)), seen[i])
		})
		if got := wantKind(t, caches[0].Lookup(ctx, "k"), cacheaside.LookupFresh); got.Value != own(winner) {
			t.Errorf("the stored value is not the applied one, of %d", winner)
		}
		onlyKey(t, client) // no staged value is left
	}
}

func TestTenThousandRacesHaveOneWinnerEach(t *testing.T) {
	const tracks = 8 // at a time
	rounds := 10_000 / tracks
	if testing.Short() {
		rounds /= 20
	}
	server, client := started(t)
	clients := []*redis.Client{client, server.Client(), server.Client()}
	ctx := context.Background()
	var wg sync.WaitGroup
	for track := range tracks {
		mock := mockNow()
		cfg := patient(base())
		cfg.Clock = mock
		var caches []*redisadapter.Cache[string, string]
		for _, client := range clients {
			caches = append(caches, open(t, client, cfg))
		}
		key := strconv.Itoa(track)
		wg.Go(func() {
			for round := range rounds {
				found := caches[0].Lookup(ctx, key)
				own := func(i int) string { return strconv.Itoa(round) + "/" + strconv.Itoa(i) }
				winner := race(t, caches, func(i int, c *redisadapter.Cache[string, string]) cacheaside.RecordOutcome {
					return c.Record(ctx, key, value(own(i)), ifObserved(found.Observation))
				})
				if round%100 == 0 {
					if got := caches[1].Lookup(ctx, key); got.Value != own(winner) {
						t.Errorf("round %d: %v %q, won by %d", round, got.Kind, got.Value, winner)
					}
				}
				// What was written is seen as stale, expired or invalidated in turn.
				switch round % 3 {
				case 0:
					mock.Set(mock.Now().Add(10 * time.Second))
				case 1:
					mock.Set(mock.Now().Add(time.Minute))
				case 2:
					caches[2].Invalidate(ctx, key)
				}
			}
		})
	}
	wg.Wait()
}
