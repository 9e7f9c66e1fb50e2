package redistest_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestAReplicaHoldsWhatItsMasterHeldAndRefusesWrites(t *testing.T) {
	t.Parallel()
	master := redistest.Start(t, redistest.Options{Password: "secret"})
	if err := master.Client().Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	replica := redistest.StartReplica(t, master).Client()
	if got, err := replica.Get(t.Context(), "k").Result(); err != nil || got != "v" {
		t.Errorf("GET at the replica = %q, %v", got, err)
	}
	if err := replica.Set(t.Context(), "k", "w", 0).Err(); !redis.IsReadOnlyError(err) {
		t.Errorf("SET at the replica: %v", err)
	}
	client := master.Client()
	if err := client.Set(t.Context(), "later", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := client.Do(t.Context(), "wait", 1, 5000).Int(); err != nil || n != 1 {
		t.Fatalf("WAIT = %d, %v", n, err)
	}
	if got, err := replica.Get(t.Context(), "later").Result(); err != nil || got != "v" {
		t.Errorf("GET of a later write at the replica = %q, %v", got, err)
	}
}

func TestAReplicaThatIsPromotedTakesWritesAndItsOldPrimaryCanFollowIt(t *testing.T) {
	t.Parallel()
	primary := redistest.Start(t, redistest.Options{})
	replica := redistest.StartReplica(t, primary)
	replica.Promote()
	if err := replica.Client().Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Errorf("SET at the promoted replica: %v", err)
	}
	primary.ReplicateFrom(replica)
	client := primary.Client()
	if got, err := client.Get(t.Context(), "k").Result(); err != nil || got != "v" {
		t.Errorf("GET at the old primary = %q, %v", got, err)
	}
	if err := client.Set(t.Context(), "k", "w", 0).Err(); !redis.IsReadOnlyError(err) {
		t.Errorf("SET at the old primary: %v", err)
	}
}
