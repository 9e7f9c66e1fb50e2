package servers_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

// TestAServerThatIsKilledAndRestartedServesNothingHalfWritten kills the server in the middle of the traffic, with every degree of persistence. After
// each restart the caches of the same process go on by themselves. What was told as applied is there where every write reached the disk before its
// answer.
func TestAServerThatIsKilledAndRestartedServesNothingHalfWritten(t *testing.T) {
	t.Parallel()
	for name, durability := range map[string]struct {
		options redistest.Options
		losses  losses
	}{
		"every write on disk":  {redistest.Options{AppendOnly: true}, nothingLost},
		"a second's writes":    {redistest.Options{AppendOnly: true, Config: []string{"appendfsync everysec"}}, mayGoBack},
		"nothing ever on disk": {redistest.Options{}, mayVanish},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := redistest.Start(t, durability.options)
			proxy := redistest.StartProxy(t, server.Addr())
			options := redistest.ClientOptions(proxy.Addr())
			options.PoolSize = 50
			client := redis.NewClient(options)
			t.Cleanup(func() { _ = client.Close() })
			tr := newTrial(t, client, setup{})
			admin := server.Client()
			tr.start()
			var staged, kept int
			for i := range rounds(t, 1) {
				tr.await("mutations", 60, named("applied"))
				tr.expect(durability.losses)
				tr.killAmidst(t.Context(), server, proxy, client, i)
				tr.await("failures", 10, named("lookup Unavailable", "NotApplied NeverSent"))
				server.Restart()
				seen := tr.sweep(t.Context(), admin)
				staged, kept = staged+seen.staged, kept+seen.entries
				tr.await("mutations after the restart", 20, named("applied"))
				tr.settle(t.Context())
			}
			t.Logf("after the restarts there were %d entries and %d staged values", kept, staged)
			tr.conclude(t.Context())
			tr.sweep(t.Context(), admin)
			if opened := tr.book.total(named("NotApplied NeverSent BreakerOpen", "lookup Unavailable BreakerOpen")); opened == 0 {
				t.Errorf("the breaker never opened; counted %v", tr.book.snapshot())
			}
			if durability.losses == nothingLost && (kept == 0 || staged == 0) {
				t.Error("no entry, or no staged value, outlived the restarts: the trial shows less than it says")
			}
			if found := tr.book.total(named("late or undecided")); durability.losses == nothingLost && found < 3 {
				t.Errorf("%d undecided mutations were found applied after the restarts; those whose answers were held back were", found)
			}
		})
	}
}
