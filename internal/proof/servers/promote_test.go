package servers_test

import (
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
)

// TestC97_AReplicaPromotedByHandUnderTrafficTakesRecordsOnceTheClientPointsToIt promotes the replica, makes the old primary follow it, and only then
// sends the client over. In between the client speaks to a server that has become a replica: it refuses writes and answers lookups.
func TestC97_AReplicaPromotedByHandUnderTrafficTakesRecordsOnceTheClientPointsToIt(t *testing.T) {
	t.Parallel()
	primary := redistest.Start(t, redistest.Options{})
	replica := redistest.StartReplica(t, primary)
	board := newSwitchboard(primary.Addr())
	tr := newTrial(t, board.client(t, primary.ClientOptions()), setup{})
	tr.start()
	refused, served := named("NotApplied StoreRefused ReadOnly"), named("lookup Stale", "lookup Fresh", "lookup Negative", "lookup Miss")
	for range rounds(t, 1) {
		tr.await("mutations", 150, named("applied"))
		tr.expect(mayGoBack)
		replica.Promote()
		tr.await("mutations that the old primary takes and loses", 10, named("applied"))
		primary.ReplicateFrom(replica)

		tr.await("refusals", 1, refused) // the breaker, if it opened over the copying, is closed
		before := tr.book.snapshot()
		tr.await("refusals", 50, refused)
		tr.await("lookups", 50, served)
		after := tr.book.snapshot()
		// A replica runs what a script reads, so that one whose condition does not hold comes to that before it comes to the write that is refused.
		unmet := named("NotApplied ObservationGone", "NotApplied ConditionFailed")
		for what, n := range after {
			if n > before[what] && !refused(what) && !served(what) && !unmet(what) && !named("get ", "invalidation "+"NotApplied StoreRefused ReadOnly", "shop invalidation NotApplied")(what) {
				t.Errorf("a replica, read only: %d times %s", n-before[what], what)
			}
		}

		board.point(replica.Addr())
		tr.await("mutations of the new primary", 50, named("applied"))
		tr.settle(t.Context())
		tr.await("mutations of the new primary", 50, named("applied"))
		tr.sweep(t.Context(), replica.Client())
		primary, replica = replica, primary
	}
	tr.conclude(t.Context())
}
