package servers_test

import (
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
)

// TestASlotThatMovesUnderTrafficLosesNothingAndRepeatsNothing moves the slot of all pages and wares from node to node, a few keys at a time. Redirects
// are followed; an entry and its staged value that are on different nodes for a moment are told as not applied.
func TestASlotThatMovesUnderTrafficLosesNothingAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t, 3)
	names := newNaming()
	slot := slotOf(names.physical(bookRegion, "key-0"))
	s := setup{pages: names.keysInSlot(bookRegion, slot, 4), wares: names.keysInSlot(shopRegion, slot, 2), mix: mix{small: 30, large: 30, absence: 10, invalidate: 10}}
	tr := newTrial(t, cluster.Client(), s)
	executed := watch(cluster.Nodes()...)
	tr.start()
	applied := named("applied")
	tr.await("mutations", 50, applied)
	for range rounds(t, 2) {
		move := cluster.BeginMove(slot, (cluster.Owner(slot)+1)%3)
		tr.await("mutations while nothing has moved but what is asked for", 30, applied)
		for range 3 {
			move.MoveKeys(1)
			tr.await("mutations on both nodes", 20, applied)
		}
		move.Finish()
		tr.await("mutations at the new owner", 30, applied)
		executed.take(tr)
	}
	tr.stop()
	for what, n := range tr.book.snapshot() {
		if n > 0 && !named("applied", "lookup Stale", "lookup Fresh", "lookup Negative", "lookup Miss", "get ", "invalidation applied",
			"shop invalidation applied", "NotApplied StoreRefused Redirect")(what) {
			t.Errorf("%d times %s", n, what)
		}
	}
	if tr.book.total(named("NotApplied StoreRefused Redirect")) == 0 {
		t.Error("no staged value was ever away from its entry: the trial shows less than it says")
	}
	tr.conclude(t.Context())
	for _, node := range cluster.Nodes() {
		tr.sweep(t.Context(), node.Client())
	}
	executed.judge(tr, false)
}
