package posture_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

func TestAReplicaAndASentinelTakeNoLeases(t *testing.T) {
	t.Parallel()
	primary := redistest.Start(t, durable())
	replica := redistest.StartReplica(t, primary)
	client := replica.Client()
	configure(t, client, "appendonly", "yes", "appendfsync", "always")
	role, mode := []string{"deployment role"}, []string{"deployment redis_mode"}
	mustFind(t, client, leases(), role, nil)
	mustFind(t, client, redisadapter.Needs{Queue: true}, role, nil)
	mustFind(t, client, everythingAccepted(), role, nil)
	mustFind(t, client, redisadapter.Needs{}, nil, role)

	sentinel := redistest.StartSentinel(t, "primary", primary, 1)
	mustFind(t, sentinel.Client(), leases(), mode, nil)
	mustFind(t, sentinel.Client(), everythingAccepted(), mode, nil)
	mustFind(t, sentinel.Client(), redisadapter.Needs{}, nil, mode)

	failover := redis.NewFailoverClient(&redis.FailoverOptions{
		MasterName: "primary", SentinelAddrs: []string{sentinel.Addr()}, ContextTimeoutEnabled: true,
	})
	defer failover.Close()
	mustFind(t, failover, leases(), nil, nil)
}

func TestEveryPrimaryOfAClusterIsAsked(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t, 3)
	for _, server := range cluster.Nodes() {
		configure(t, server.Client(), "appendonly", "yes", "appendfsync", "always")
	}
	client := cluster.Client()
	posture := mustFind(t, client, leases(), nil, nil)
	if asked := len(posture.Report().Servers); asked != 3 {
		t.Errorf("%d servers asked, want 3", asked)
	}

	one := leases()
	one.OnePrimary = true
	mode := []string{"deployment redis_mode"}
	mustFind(t, client, one, slices.Repeat(mode, 3), nil)
	plain := cluster.Nodes()[0].Client()
	mustFind(t, plain, leases(), mode, nil)
	mustFind(t, plain, redisadapter.Needs{}, nil, mode)

	second := cluster.Nodes()[1]
	configure(t, second.Client(), "maxmemory", "64mb", "maxmemory-policy", "allkeys-lfu")
	mustFind(t, client, leases(), []string{"eviction maxmemory-policy"}, nil)
	_, err := redisadapter.Preflight(t.Context(), client, leases())
	var eviction *redisadapter.EvictionError
	if !errors.As(err, &eviction) || eviction.Node != second.Addr() {
		t.Errorf("%v does not name the node, %s", err, second.Addr())
	}
	second.Kill()
	mustFind(t, client, everythingAccepted(), []string{"unverifiable server"}, nil)
	mustFind(t, client, redisadapter.Needs{}, nil, []string{"unverifiable server"})
}

func TestAClientOfTheWrongKindIsFound(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, durable())
	ring := redis.NewRing(&redis.RingOptions{Addrs: map[string]string{"one": server.Addr()}, ContextTimeoutEnabled: true})
	defer ring.Close()
	mustFind(t, ring, leases(), []string{"deployment client"}, nil)
	mustFind(t, ring, redisadapter.Needs{}, nil, []string{"deployment client"})

	cluster := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{server.Addr()}, ContextTimeoutEnabled: true})
	defer cluster.Close()
	mustFind(t, cluster, leases(), []string{"deployment cluster-enabled"}, nil)
	mustFind(t, cluster, redisadapter.Needs{}, nil, []string{"deployment cluster-enabled"})

	nobody := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{"127.0.0.1:1"}, ContextTimeoutEnabled: true, DialerRetries: 1, MaxRedirects: -1})
	defer nobody.Close()
	mustFind(t, nobody, everythingAccepted(), []string{"unverifiable server"}, nil)
	mustFind(t, nobody, redisadapter.Needs{}, nil, []string{"unverifiable server"})
}
