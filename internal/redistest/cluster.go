package redistest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// slots is the number of hash slots of every cluster.
const slots = 16384

// nodeTimeout, in milliseconds, is how long a node of a formed cluster may be
// silent before it counts as failed: a killed node is noticed within a test, a
// busy machine is not taken for one.
const nodeTimeout = "5000"

// Cluster is a cluster of masters without replicas that lives as long as a
// test.
type Cluster struct {
	t     testing.TB
	nodes []*Server
}

// StartCluster starts a cluster of at least one node, the slots spread evenly
// in order of the nodes, and returns when every node calls it sound. Servers
// refuse to do so for their first two seconds: start one cluster for many
// tests.
func StartCluster(t testing.TB, nodes int) *Cluster {
	t.Helper()
	if nodes < 1 {
		t.Fatalf("redistest: a cluster of %d nodes", nodes)
	}
	c := &Cluster{t: t}
	for range nodes {
		c.nodes = append(c.nodes, Start(t, Options{cluster: true}))
	}
	if err := c.form(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// Nodes returns the servers, of which the first owns the lowest slots.
func (c *Cluster) Nodes() []*Server { return c.nodes }

// Addrs returns the servers' addresses.
func (c *Cluster) Addrs() []string {
	var addrs []string
	for _, node := range c.nodes {
		addrs = append(addrs, node.Addr())
	}
	return addrs
}

// ClientOptions returns the options of [ClientOptions] for a cluster. Redirects
// are followed; with them come retries, which a cluster client does not know
// apart.
func (c *Cluster) ClientOptions() *redis.ClusterOptions {
	single := ClientOptions("")
	return &redis.ClusterOptions{
		Addrs:                    c.Addrs(),
		ContextTimeoutEnabled:    single.ContextTimeoutEnabled,
		DialerRetries:            single.DialerRetries,
		DialTimeout:              single.DialTimeout,
		ReadTimeout:              single.ReadTimeout,
		WriteTimeout:             single.WriteTimeout,
		PoolTimeout:              single.PoolTimeout,
		DisableIdentity:          single.DisableIdentity,
		MaintNotificationsConfig: single.MaintNotificationsConfig,
	}
}

// Client returns a new client of the cluster, closed when the test ends.
func (c *Cluster) Client() *redis.ClusterClient {
	client := redis.NewClusterClient(c.ClientOptions())
	closeAtEnd(c.t, client)
	return client
}

// formingTimeout replaces the node timeout, in milliseconds, while a cluster
// forms: a node that has known more nodes than it could reach, as all do on the
// way, stays down for that long.
const formingTimeout = "500"

// form hands out the slots, introduces every node to every other and waits
// until all agree.
func (c *Cluster) form(ctx context.Context) error {
	clients := make([]*redis.Client, len(c.nodes))
	for i, node := range c.nodes {
		clients[i] = redis.NewClient(node.ClientOptions())
		defer clients[i].Close()
	}
	for i, client := range clients {
		if err := c.introduce(ctx, client, i); err != nil {
			return fmt.Errorf("redistest: cluster: %w", err)
		}
	}
	for _, client := range clients {
		if err := c.settle(ctx, client); err != nil {
			return err
		}
	}
	for _, client := range clients {
		if err := client.ConfigSet(ctx, "cluster-node-timeout", nodeTimeout).Err(); err != nil {
			return fmt.Errorf("redistest: cluster: %w", err)
		}
	}
	return nil
}

// introduce gives the i-th node its slots and lets it meet those before it.
func (c *Cluster) introduce(ctx context.Context, client *redis.Client, i int) error {
	from, to := i*slots/len(c.nodes), (i+1)*slots/len(c.nodes)-1
	_, err := client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.ConfigSet(ctx, "cluster-node-timeout", formingTimeout)
		// Distinct from the start, epochs need not be settled by collision.
		pipe.Do(ctx, "cluster", "set-config-epoch", i+1)
		pipe.ClusterAddSlotsRange(ctx, from, to)
		for _, other := range c.nodes[:i] {
			pipe.Do(ctx, "cluster", "meet", "127.0.0.1", other.process.ports.client, other.process.ports.bus)
		}
		return nil
	})
	return err
}

// settle waits until one node sees all slots and all nodes and is ready.
func (c *Cluster) settle(ctx context.Context, client *redis.Client) error {
	var info string
	err := poll(ctx, 5*time.Millisecond, func() (err error) {
		info, err = client.ClusterInfo(ctx).Result()
		if err != nil {
			return fmt.Errorf("redistest: cluster: %w", err)
		}
		for _, line := range []string{
			"cluster_state:ok", fmt.Sprintf("cluster_slots_ok:%d", slots), fmt.Sprintf("cluster_known_nodes:%d", len(c.nodes)),
		} {
			if !strings.Contains(info, line+"\r\n") {
				return errNotYet
			}
		}
		return nil
	})
	if errors.Is(err, errNotYet) {
		return fmt.Errorf("redistest: the cluster does not form: %w:\n%s", err, info)
	}
	return err
}
