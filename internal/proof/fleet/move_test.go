package fleet_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// slotOfKey asks the cluster where the only key that it holds belongs, and whether it is an entry.
func slotOfKey(t *testing.T, cluster *redistest.Cluster) int {
	t.Helper()
	for _, node := range cluster.Nodes() {
		client := redis.NewClient(node.ClientOptions())
		defer client.Close()
		if names, err := client.Keys(t.Context(), "*").Result(); err == nil && len(names) > 0 {
			slot, err := client.ClusterKeySlot(t.Context(), names[0]).Result()
			if err != nil || !strings.Contains(names[0], "{") {
				t.Fatalf("key %q in slot %d: %v", names[0], slot, err)
			}
			return int(slot)
		}
	}
	t.Fatal("no node holds a key")
	return 0
}

// TestAnInvalidationWhileTheSlotMovesSupersedesGrantsAndBuriesBothEntries begins with one entry and its grant at the old node, moves the entry alone to
// the new one, where no script over all three of its keys would be run, and invalidates from processes of either mode.
func TestAnInvalidationWhileTheSlotMovesSupersedesGrantsAndBuriesBothEntries(t *testing.T) {
	for name, invalidatorFenced := range map[string]bool{"fleet": true, "local": false} {
		t.Run(name, func(t *testing.T) {
			cluster := redistest.StartCluster(t, 2)
			open := func(fenced bool) *redisadapter.Cache[string, string] {
				cache, err := redisadapter.New(cluster.Client(), redisConfig(fenced))
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = cache.Close() })
				return cache
			}
			ctx := context.Background()
			fenced, local := open(true), open(false)
			grant := fenced.Acquire(ctx, "key", cacheaside.RequestID{1}, "", time.Minute)
			if grant.Kind != cacheaside.GrantGranted {
				t.Fatalf("%v: %v", grant.Kind, grant.Err)
			}
			slot := slotOfKey(t, cluster)
			if done := fenced.Fill(ctx, "key", grant.Fence, cacheaside.Entry[string]{Value: "old"}, cacheaside.Condition{}); done.Certainty != cacheaside.RecordApplied {
				t.Fatalf("%v: %v", done.Certainty, done.Err)
			}
			seen := fenced.Lookup(ctx, "key")
			if seen.Kind != cacheaside.LookupFresh {
				t.Fatal(seen.Kind)
			}
			if done := local.Record(ctx, "key", cacheaside.Entry[string]{Value: "old"}, cacheaside.Condition{}); done.Certainty != cacheaside.RecordApplied {
				t.Fatalf("%v: %v", done.Certainty, done.Err)
			}
			move := cluster.BeginMove(slot, 1-cluster.Owner(slot))
			move.MoveKeys(1)

			invalidator := local
			if invalidatorFenced {
				invalidator = fenced
			}
			if done := invalidator.Invalidate(ctx, "key"); done.Certainty != cacheaside.RecordApplied {
				t.Fatalf("the invalidation is %v %v: %v", done.Certainty, done.Reason, done.Err)
			}
			for which, cache := range map[string]*redisadapter.Cache[string, string]{"fenced": fenced, "local": local} {
				if found := cache.Lookup(ctx, "key"); found.Kind != cacheaside.LookupMiss || found.Miss != cacheaside.MissInvalidated {
					t.Errorf("the %s entry is %v %v: %v", which, found.Kind, found.Miss, found.Err)
				}
			}
			for move.MoveKeys(10) > 0 {
			}
			move.Finish()
			done := fenced.Fill(ctx, "key", grant.Fence, cacheaside.Entry[string]{Value: "old"}, cacheaside.Condition{})
			if done.Certainty != cacheaside.RecordNotApplied || done.Reason != cacheaside.RecordSuperseded {
				t.Errorf("the old fill is %v %v: %v", done.Certainty, done.Reason, done.Err)
			}
		})
	}
}
