package redisadapter

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// fleetKind is how a client finds the server of a key.
type fleetKind uint8

const (
	oneServer fleetKind = iota
	clusterOfServers
	ringOfServers
)

// node is one primary that a client writes to.
type node struct {
	name   string // host and port; "" for a client of one server
	client processor
}

// walk calls a function with a client of each server, at the same time.
type walk = func(ctx context.Context, fn func(ctx context.Context, client *redis.Client) error) error

type (
	clusterWalker interface {
		ForEachMaster(ctx context.Context, fn func(ctx context.Context, client *redis.Client) error) error
	}
	ringWalker interface {
		ForEachShard(ctx context.Context, fn func(ctx context.Context, client *redis.Client) error) error
	}
)

func kindOf(client redis.UniversalClient) fleetKind {
	switch client.(type) {
	case clusterWalker:
		return clusterOfServers
	case ringWalker:
		return ringOfServers
	}
	return oneServer
}

// primaries are the servers that a client writes to, each through a client whose commands end at the deadline of their context.
func primaries(ctx context.Context, client redis.UniversalClient, limit time.Duration) ([]node, error) {
	switch c := client.(type) {
	case clusterWalker:
		return collect(ctx, limit, c.ForEachMaster)
	case ringWalker:
		return collect(ctx, limit, c.ForEachShard)
	case *redis.Client:
		if fit := bounded(c, limit); fit != nil {
			return []node{{client: fit}}, nil
		}
	}
	return []node{{client: client}}, nil
}

var errNoNodes = errors.New("redisadapter: the client knows no server")

func collect(ctx context.Context, limit time.Duration, each walk) ([]node, error) {
	var mu sync.Mutex
	var nodes []node
	err := each(ctx, func(_ context.Context, client *redis.Client) error {
		mu.Lock()
		defer mu.Unlock()
		n := node{name: client.Options().Addr, client: client}
		if fit := bounded(client, limit); fit != nil {
			n.client = fit
		}
		nodes = append(nodes, n)
		return nil
	})
	if err == nil && len(nodes) == 0 {
		err = errNoNodes
	}
	slices.SortFunc(nodes, func(a, b node) int { return strings.Compare(a.name, b.name) })
	return nodes, err
}
