package redistest_test

import (
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestAClusterServesKeysOfEverySlotFromTheirOwners(t *testing.T) {
	t.Parallel()
	for _, nodes := range []int{1, 3} {
		t.Run(fmt.Sprintf("%d nodes", nodes), func(t *testing.T) {
			t.Parallel()
			cluster := redistest.StartCluster(t, nodes)
			client := cluster.Client()
			for i := range 200 {
				key := fmt.Sprintf("key:%d", i)
				if err := client.Set(t.Context(), key, i, 0).Err(); err != nil {
					t.Fatal(err)
				}
			}
			sum := int64(0)
			for _, node := range cluster.Nodes() {
				n, err := node.Client().DBSize(t.Context()).Result()
				if err != nil || n < 200/int64(nodes)/2 {
					t.Errorf("%s holds %d keys, %v", node.Addr(), n, err)
				}
				sum += n
			}
			if sum != 200 {
				t.Errorf("the nodes hold %d keys", sum)
			}
		})
	}
}

func TestANodeOfAClusterRedirectsClientsOfAKeyItDoesNotOwn(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t, 2)
	const key = "foo" // slot 12182, in the upper half
	if err := cluster.Nodes()[0].Client().Get(t.Context(), key).Err(); !isMovedTo(err, cluster.Nodes()[1].Addr()) {
		t.Errorf("GET at the wrong node: %v", err)
	}
	if err := cluster.Nodes()[1].Client().Get(t.Context(), key).Err(); err != redis.Nil {
		t.Errorf("GET at the owner: %v", err)
	}
}

func isMovedTo(err error, addr string) bool {
	to, moved := redis.IsMovedError(err)
	return moved && to == addr
}
