package fleet_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// modes are the two ways to coordinate, on a server.
func modes(t testing.TB, server *redistest.Server) map[string]*cacheaside.Region[string, string] {
	t.Helper()
	return map[string]*cacheaside.Region[string, string]{
		"Local": onCaches(t, cacheaside.BalancedPolicy(), openCache(t, server, redisConfig(false))).regions[0],
		"Fleet": onCaches(t, fleetPolicy(), openCache(t, server, redisConfig(true))).regions[0],
	}
}

// sentFor counts the commands that clients sent for some calls of Get.
func sentFor(t testing.TB, monitor *redistest.Monitor, region *cacheaside.Region[string, string], keys ...string) int {
	t.Helper()
	monitor.Sync()
	monitor.Reset()
	for _, key := range keys {
		if _, err := cacheaside.Get(context.Background(), region, key, of("value")); err != nil {
			t.Fatal(err)
		}
	}
	monitor.Sync()
	sent := 0
	for _, command := range monitor.Commands() {
		switch name := command.Name(); {
		case command.InScript(), name == "HELLO", name == "CLIENT", name == "PING":
		default:
			sent++
		}
	}
	return sent
}

func TestAMissOfAFleetCostsOneRoundTripMoreAndAHitNone(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	regions, monitor := modes(t, server), server.Monitor()
	for name, want := range map[string]int{"Local": 2, "Fleet": 3} {
		sentFor(t, monitor, regions[name], "warm") // the server learns the scripts
		keys := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
		if got := sentFor(t, monitor, regions[name], keys...); got != want*len(keys) {
			t.Errorf("%s: %d commands for %d misses, want %d for each", name, got, len(keys), want)
		}
		if got := sentFor(t, monitor, regions[name], keys...); got != len(keys) {
			t.Errorf("%s: %d commands for %d fresh hits, want one for each", name, got, len(keys))
		}
	}
}

// BenchmarkCoordination tells what a fleet costs beside single processes: time and commands for a miss, which loads at once, and for a fresh hit. The
// commands are counted on a server of their own, since one that is watched answers later.
func BenchmarkCoordination(b *testing.B) {
	timed, watched := redistest.Start(b, redistest.Options{}), redistest.Start(b, redistest.Options{})
	regions, counted, monitor := modes(b, timed), modes(b, watched), watched.Monitor()
	n := 0
	fresh := func() string {
		n++
		return "key-" + strconv.Itoa(n)
	}
	for what, key := range map[string]func() string{"miss": fresh, "hit": func() string { return "hit" }} {
		for _, name := range []string{"Local", "Fleet"} {
			sentFor(b, monitor, counted[name], key())
			keys := make([]string, 100)
			for i := range keys {
				keys[i] = key()
			}
			sent := float64(sentFor(b, monitor, counted[name], keys...)) / float64(len(keys))
			b.Run(what+"/"+name, func(b *testing.B) {
				ctx, region, load := context.Background(), regions[name], of("value")
				_, _ = cacheaside.Get(ctx, region, key(), load)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := cacheaside.Get(ctx, region, key(), load); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(sent, "commands/op")
			})
		}
	}
}
