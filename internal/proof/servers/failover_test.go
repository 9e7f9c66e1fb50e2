package servers_test

import (
	"context"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

const masterName = "main"

// TestACacheBehindASentinelComesBackByItselfAfterEachFailover has the primary replaced by request and then killed. The client asks the sentinel.
func TestACacheBehindASentinelComesBackByItselfAfterEachFailover(t *testing.T) {
	t.Parallel()
	servers := make([]*redistest.Server, 2)
	servers[0] = redistest.Start(t, redistest.Options{})
	servers[1] = redistest.StartReplica(t, servers[0])
	sentinel := redistest.StartSentinel(t, masterName, servers[0], 1)
	client, err := redisadapter.OpenClient("redis://" + sentinel.Addr() + "/0?master_name=" + masterName)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	watch := redis.NewSentinelClient(sentinel.ClientOptions())
	t.Cleanup(func() { _ = watch.Close() })

	tr := newTrial(t, client, setup{})
	tr.start()
	for range rounds(t, 1) {
		tr.await("mutations", 100, named("applied"))
		tr.expect(mayGoBack)
		primary, replica := rolesOf(t, watch, servers)
		if err := watch.Failover(t.Context(), masterName).Err(); err != nil {
			t.Fatal(err)
		}
		tr.comeBack(t.Context(), watch, replica)
		awaitFollower(t, primary)

		tr.await("mutations", 100, named("applied"))
		tr.expect(mayGoBack)
		primary, replica = replica, primary
		primary.Kill()
		tr.comeBack(t.Context(), watch, replica)
		primary.Restart()
		awaitFollower(t, primary)
	}
	tr.conclude(t.Context())
}

// comeBack waits until the sentinel names the new primary and the cache's records arrive there, and shows that nothing there is half-written.
func (tr *trial) comeBack(ctx context.Context, watch *redis.SentinelClient, promoted *redistest.Server) {
	tr.t.Helper()
	eventually(tr.t, "another primary", func() bool {
		addr, err := watch.GetMasterAddrByName(ctx, masterName).Result()
		return err == nil && strings.Join(addr, ":") == promoted.Addr()
	})
	seen := promoted.Monitor()
	seen.WaitForCommand("EVALSHA", 20)
	tr.settle(ctx)
	tr.await("mutations at the new primary", 50, named("applied"))
	tr.sweep(ctx, promoted.Client())
}

func rolesOf(t testing.TB, watch *redis.SentinelClient, servers []*redistest.Server) (primary, replica *redistest.Server) {
	t.Helper()
	addr, err := watch.GetMasterAddrByName(context.Background(), masterName).Result()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(addr, ":") == servers[0].Addr() {
		return servers[0], servers[1]
	}
	return servers[1], servers[0]
}

// awaitFollower waits until the sentinel has made a replica of an old primary, and its copy is complete.
func awaitFollower(t testing.TB, server *redistest.Server) {
	t.Helper()
	client := server.Client()
	eventually(t, "the old primary's following the new one", func() bool {
		return strings.Contains(client.Info(context.Background(), "replication").Val(), "master_link_status:up")
	})
}
