package servers_test

import (
	"testing"

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
		kills   int
	}{
		"every write on disk":  {redistest.Options{AppendOnly: true}, nothingLost, 2},
		"a second's writes":    {redistest.Options{AppendOnly: true, Config: []string{"appendfsync everysec"}}, mayGoBack, 1},
		"nothing ever on disk": {redistest.Options{}, mayVanish, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := redistest.Start(t, durability.options)
			tr := newTrial(t, server.Client(), setup{})
			admin := server.Client()
			tr.start()
			var staged, kept int
			for range rounds(t, durability.kills) {
				tr.await("mutations", 150, named("applied"))
				tr.expect(durability.losses)
				server.Kill()
				tr.await("failures", 10, named("lookup Unavailable", "NotApplied NeverSent"))
				server.Restart()
				seen := tr.sweep(t.Context(), admin)
				staged, kept = staged+seen.staged, kept+seen.entries
				tr.await("mutations after the restart", 30, named("applied"))
				tr.settle(t.Context())
			}
			t.Logf("after the restarts there were %d entries and %d staged values", kept, staged)
			tr.conclude(t.Context())
			tr.sweep(t.Context(), admin)
			if opened := tr.book.total(named("NotApplied NeverSent BreakerOpen", "lookup Unavailable BreakerOpen")); opened == 0 {
				t.Errorf("the breaker never opened; counted %v", tr.book.snapshot())
			}
			if durability.losses == nothingLost && kept == 0 {
				t.Error("nothing outlived the restarts: the trial shows nothing")
			}
		})
	}
}
