package redistest_test

import (
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestASlotMovesWithItsKeysWhileBothItsNodesRedirect(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t, 2)
	const slot = 12182 // of {foo}, in the upper half
	client, ctx := cluster.Client(), t.Context()
	for i := range 25 {
		if err := client.Set(ctx, fmt.Sprintf("{foo}%d", i), i, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	if owner := cluster.Owner(slot); owner != 1 {
		t.Fatalf("node %d owns the slot", owner)
	}
	move := cluster.BeginMove(slot, 0)
	if moved := move.MoveKeys(5); moved != 5 {
		t.Errorf("%d keys moved", moved)
	}
	from := cluster.Nodes()[1].Client()
	if addr, asked := redis.IsAskError(from.Get(ctx, "{foo}missing").Err()); !asked || addr != cluster.Addrs()[0] {
		t.Errorf("a key that the owner has not got is asked for at %q", addr)
	}
	move.Finish()
	if owner := cluster.Owner(slot); owner != 0 {
		t.Errorf("node %d owns the slot after the move", owner)
	}
	if err := from.Get(ctx, "{foo}1").Err(); !isMovedTo(err, cluster.Addrs()[0]) {
		t.Errorf("the old owner says %v", err)
	}
	for i := range 25 {
		if got, err := client.Get(ctx, fmt.Sprintf("{foo}%d", i)).Int(); err != nil || got != i {
			t.Errorf("key %d reads %d, %v", i, got, err)
		}
	}
}
