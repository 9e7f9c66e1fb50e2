package posture_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestAPreflightReadsAndWritesNothing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, durable())
	proxy := redistest.StartProxy(t, server.Addr())
	client := clientOf(t, redistest.ClientOptions(proxy.Addr()))
	monitor := server.Monitor()
	mustFind(t, client, leases(), nil, nil)
	if want := map[string]int{"HELLO": 1, "INFO": 1, "CONFIG": 2, "EVALSHA": 3, "EVAL": 1}; !maps.Equal(proxy.Counts(), want) {
		t.Errorf("sent %v, want %v", proxy.Counts(), want)
	}
	byScript := map[string]int{}
	for _, command := range monitor.Commands() {
		if command.InScript() {
			byScript[command.Name()]++
		}
	}
	if names := slices.Sorted(maps.Keys(byScript)); !slices.Equal(names, []string{"INFO", "TIME"}) {
		t.Errorf("the script ran %v", names)
	}
	if keys := client.DBSize(t.Context()).Val(); keys != 0 {
		t.Errorf("%d keys are there", keys)
	}
}

func TestTheServersClockIsComparedWithTheOwn(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, durable())
	for _, off := range []time.Duration{-time.Hour, 0, time.Hour} {
		own := clock.NewMock()
		own.Set(time.Now().Add(-off))
		needs := leases()
		needs.Clock = own
		posture := mustFind(t, server.Client(), needs, nil, nil)
		got := posture.Report().Servers[0]
		if (got.Skew-off).Abs() > time.Minute || got.SkewWithin <= 0 || got.SkewWithin > time.Minute {
			t.Errorf("the server is %v ± %v ahead, want %v", got.Skew, got.SkewWithin, off)
		}
	}
}

// TestTheQuickestAnswerTellsTheServersClock delays the last of three answers: what it tells is off by half of that.
func TestTheQuickestAnswerTellsTheServersClock(t *testing.T) {
	t.Parallel()
	const delay = 3 * time.Second
	server := redistest.Start(t, durable())
	proxy := redistest.StartProxy(t, server.Addr())
	options := redistest.ClientOptions(proxy.Addr())
	options.ReadTimeout = 10 * delay
	proxy.Inject(redistest.Fault{Kind: redistest.Delay, Commands: []string{"EVALSHA"}, After: 2, Times: 1, Delay: delay})
	posture := mustFind(t, clientOf(t, options), leases(), nil, nil)
	if n := proxy.Count("EVALSHA"); n != 3 {
		t.Fatalf("asked %d times, so that no answer was delayed", n)
	}
	if got := posture.Report().Servers[0]; got.SkewWithin <= 0 || got.SkewWithin >= delay/2 {
		t.Errorf("the server is %v ± %v ahead, want less than half of the delay", got.Skew, got.SkewWithin)
	}
}
