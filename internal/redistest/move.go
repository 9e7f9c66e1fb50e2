package redistest

import (
	"context"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// SlotMove is a slot on its way from one node of a cluster to another. Its methods fail the test and are for the test's own goroutine.
type SlotMove struct {
	t        testing.TB
	cluster  *Cluster
	slot     int
	from, to *redis.Client
	toAddr   string
	toID     string
}

// Owner returns the index of the node that owns slot, as that node sees it.
func (c *Cluster) Owner(slot int) int {
	c.t.Helper()
	for i, node := range c.nodes {
		client := redis.NewClient(node.ClientOptions())
		shards, err := client.ClusterShards(context.Background()).Result()
		_ = client.Close()
		if err != nil {
			c.t.Fatalf("redistest: cluster: %v", err)
		}
		for _, shard := range shards {
			if shard.Nodes[0].Port == int64(node.process.ports.client) && owns(shard, slot) {
				return i
			}
		}
	}
	c.t.Fatalf("redistest: nobody owns slot %d", slot)
	return 0
}

func owns(shard redis.ClusterShard, slot int) bool {
	return slices.ContainsFunc(shard.Slots, func(r redis.SlotRange) bool { return r.Start <= int64(slot) && int64(slot) <= r.End })
}

// BeginMove begins to move slot from its owner to the node of index to: from now on the owner sends whoever asks for a key that it has not got to
// the other, with ASK, and whoever asks for several of which it has but some is told TRYAGAIN.
func (c *Cluster) BeginMove(slot, to int) *SlotMove {
	c.t.Helper()
	owner := c.Owner(slot)
	if owner == to {
		c.t.Fatalf("redistest: slot %d is there already", slot)
	}
	m := &SlotMove{
		t: c.t, cluster: c, slot: slot, from: c.nodes[owner].Client(), to: c.nodes[to].Client(), toAddr: c.nodes[to].Addr(),
	}
	m.toID = m.id(m.to)
	m.do(m.to, "cluster", "setslot", slot, "importing", m.id(m.from))
	m.do(m.from, "cluster", "setslot", slot, "migrating", m.toID)
	return m
}

// MoveKeys moves at most n keys and returns how many it moved; 0 means that the owner has none left.
func (m *SlotMove) MoveKeys(n int) int {
	m.t.Helper()
	keys, err := m.from.ClusterGetKeysInSlot(context.Background(), m.slot, n).Result()
	if err != nil {
		m.t.Fatalf("redistest: cluster: %v", err)
	}
	if len(keys) == 0 {
		return 0
	}
	host, port, err := net.SplitHostPort(m.toAddr)
	if err != nil {
		m.t.Fatal(err)
	}
	args := []any{"migrate", host, port, "", 0, patience.Milliseconds()}
	if password := m.cluster.nodes[0].process.opts.Password; password != "" {
		args = append(args, "auth", password)
	}
	args = append(args, "keys")
	for _, key := range keys {
		args = append(args, key)
	}
	m.do(m.from, args...) // NOKEY, where all of them are gone by now, is as good
	return len(keys)
}

// Finish moves what is left and tells every node who owns the slot now, the new owner first. The move is over then.
func (m *SlotMove) Finish() {
	m.t.Helper()
	const atOnce = 10
	for m.MoveKeys(atOnce) > 0 {
	}
	order := slices.Clone(m.cluster.nodes)
	slices.SortStableFunc(order, func(a, b *Server) int { return strings.Compare(m.rank(a), m.rank(b)) })
	for _, node := range order {
		client := redis.NewClient(node.ClientOptions())
		m.do(client, "cluster", "setslot", m.slot, "node", m.toID)
		_ = client.Close()
	}
	_, _ = m.from.Close(), m.to.Close()
}

// rank puts the new owner first: were the old one told before, it would deny a slot that nobody has yet.
func (m *SlotMove) rank(node *Server) string {
	if node.Addr() == m.toAddr {
		return ""
	}
	return node.Addr()
}

func (m *SlotMove) id(client *redis.Client) string {
	m.t.Helper()
	id, err := client.Do(context.Background(), "cluster", "myid").Text()
	if err != nil {
		m.t.Fatalf("redistest: cluster: %v", err)
	}
	return id
}

func (m *SlotMove) do(client *redis.Client, args ...any) string {
	m.t.Helper()
	answer, err := client.Do(context.Background(), args...).Text()
	if err != nil {
		m.t.Fatalf("redistest: cluster: %v: %v", args[0], err)
	}
	return answer
}
