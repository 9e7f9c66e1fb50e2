package redistest_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestASentinelMakesAReplicaThePrimaryWhenThePrimaryDies(t *testing.T) {
	t.Parallel()
	primary := redistest.Start(t, redistest.Options{Password: "secret"})
	replica := redistest.StartReplica(t, primary)
	watch := redistest.StartSentinel(t, "main", primary, 1)
	options := watch.ClientOptions()
	client := redis.NewSentinelClient(options)
	t.Cleanup(func() { _ = client.Close() })
	promoted := client.Subscribe(t.Context(), "+switch-master")
	t.Cleanup(func() { _ = promoted.Close() })
	if _, err := promoted.Receive(t.Context()); err != nil {
		t.Fatal(err)
	}
	primary.Kill()
	select {
	case <-promoted.Channel():
	case <-time.After(redistest.Patience):
		t.Fatal("no replica was promoted")
	}
	if err := replica.Client().Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Errorf("the promoted replica: %v", err)
	}
}
