package redisadapter_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

func TestOnAClusterEveryOperationReachesItsNodeAlsoByRedirects(t *testing.T) {
	cluster := redistest.StartCluster(t, 3)
	ctx := context.Background()
	lost := cluster.ClientOptions()
	lost.ClusterSlots = func(context.Context) ([]redis.ClusterSlot, error) { // the first node has everything, it believes
		return []redis.ClusterSlot{{End: 16383, Nodes: []redis.ClusterNode{{Addr: cluster.Addrs()[0]}}}}, nil
	}
	large := strings.Repeat("x", 100<<10)
	for name, client := range map[string]*redis.ClusterClient{"informed": cluster.Client(), "redirected": closing(t, redis.NewClusterClient(lost))} {
		for i := range 20 {
			mock := mockNow()
			cfg := patient(base())
			cfg.Clock, cfg.Region = mock, name
			c, key := open(t, client, cfg), strconv.Itoa(i)
			wantKind(t, c.Lookup(ctx, key), cacheaside.LookupMiss)
			mustApply(t, c.Record(ctx, key, value("v1"), ifAbsent))
			wantOutcome(t, c.Record(ctx, key, value("v2"), ifAbsent), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
			for _, v := range []string{"v2", large, "v3"} {
				mock.Add(10 * time.Second)
				stale := wantKind(t, c.Lookup(ctx, key), cacheaside.LookupStale)
				mustApply(t, c.Record(ctx, key, value(v), ifObserved(stale.Observation)))
				wantOutcome(t, c.Record(ctx, key, value(v), ifObserved(stale.Observation)), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
				if got := wantKind(t, c.Lookup(ctx, key), cacheaside.LookupFresh); got.Value != v {
					t.Fatalf("%s, key %s: %d bytes", name, key, len(got.Value))
				}
			}
			mustApply(t, c.Invalidate(ctx, key))
		}
	}
	used := 0
	for _, node := range cluster.Nodes() {
		keys := node.Client().Keys(ctx, "*").Val()
		used += min(len(keys), 1)
		for _, key := range keys {
			if strings.Contains(key, "}:t:") {
				t.Errorf("a staged value is left")
			}
		}
	}
	if used != 3 {
		t.Errorf("%d of 3 nodes hold entries", used)
	}

	// A plain client of one node cannot reach the keys of the others, and says so.
	c := open(t, cluster.Nodes()[0].Client(), patient(base()))
	redirected := 0
	for i := range 20 {
		out := c.Record(ctx, strconv.Itoa(i), value("v"), ifAbsent)
		if out.Certainty == cacheaside.RecordApplied {
			continue
		}
		redirected++
		wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused)
		wantFaultOf(t, out.Err, redisadapter.FaultRedirect)
		wantFaultOf(t, wantKind(t, c.Lookup(ctx, strconv.Itoa(i)), cacheaside.LookupUnavailable).Err, redisadapter.FaultRedirect)
	}
	if redirected == 0 {
		t.Error("all keys lie on the first node; the test shows nothing")
	}
}

func TestOnAClusterOnlyTheCommandsOfTheCacheAreSent(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	client := closing(t, redis.NewClusterClient(&redis.ClusterOptions{
		Addrs: []string{server.Addr()}, ContextTimeoutEnabled: true, DisableIdentity: true,
		ClusterSlots: func(context.Context) ([]redis.ClusterSlot, error) {
			return []redis.ClusterSlot{{End: 16383, Nodes: []redis.ClusterNode{{Addr: server.Addr()}}}}, nil
		},
	}))
	seen := server.Monitor()
	c := open(t, client, patient(base()))
	wantKind(t, c.Lookup(context.Background(), "k"), cacheaside.LookupMiss)
	mustApply(t, c.Invalidate(context.Background(), "k"))
	if got := strings.Join(names(seen.Commands()), " "); got != "GETRANGE EVALSHA EVAL" {
		t.Errorf("sent %s", got)
	}
}
