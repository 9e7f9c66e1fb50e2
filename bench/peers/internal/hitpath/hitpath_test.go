package hitpath_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/bench/peers/internal/hitpath"
	"github.com/cacheaside/resilience/internal/redistest"
)

func TestMain(m *testing.M) {
	adapters.Quiet()
	os.Exit(m.Run())
}

func TestEveryLibraryIsReadBesideRaw(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	at := adapters.Place{Addr: server.Addr(), Namespace: "hits"}
	peers := adapters.Peers(at)
	steps := 0
	found, err := hitpath.Run(t.Context(), at, peers, 10*time.Millisecond, func(done, total float64) {
		if steps++; done != float64(steps) || total != hitpath.Figures {
			t.Errorf("progress is %v of %v at step %d", done, total, steps)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if steps != hitpath.Figures || len(found.Checks) != hitpath.Figures*len(peers) || len(found.Plots) != 2 {
		t.Errorf("%d steps, %d checks and %d plots", steps, len(found.Checks), len(found.Plots))
	}
	for _, c := range found.Checks {
		if c.Verdict != result.Shown || c.Bound != "" || !strings.Contains(c.Measured, "raw against raw") {
			t.Errorf("%+v", c)
		}
		peer, _ := adapters.ByID(at, c.Contender)
		if peer.InMemory() && (!strings.Contains(c.Measured, " for ") || !strings.HasPrefix(c.Measured, "0.")) {
			t.Errorf("a hit of %s in memory is not less than a raw GET: %s", c.Contender, c.Measured)
		}
		if strings.Contains(c.Measured, "no hits") && !peer.AsksRedis() {
			t.Errorf("%s: %s", c.Contender, c.Measured)
		}
	}
	for _, plot := range found.Plots {
		if len(plot.Lines) != len(peers)+1 {
			t.Errorf("%s has %d lines", plot.ID, len(plot.Lines))
		}
		for _, line := range plot.Lines {
			if len(line.Data) != 2 || line.Data[0].Y <= 0 {
				t.Errorf("%s: %v", line.Name, line.Data)
			}
		}
	}
	keys := server.Client().Keys(t.Context(), "*").Val()
	for _, key := range keys {
		if !strings.HasPrefix(key, "hits:") {
			t.Errorf("%q is not under the namespace", key)
		}
	}
	if len(keys) < 2*7 {
		t.Errorf("keys %q, want two rows of each that is in Redis and of raw", keys)
	}
}

func TestAMeasurementEndsWithItsContextAndKeepsWhatItHas(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	at := adapters.Place{Addr: server.Addr(), Namespace: "hits"}
	otter, _ := adapters.ByID(at, "otter")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	found, err := hitpath.Run(ctx, at, []adapters.Peer{otter}, time.Millisecond, func(float64, float64) { cancel() })
	if !errors.Is(err, context.Canceled) || len(found.Checks) != 1 {
		t.Errorf("%v with %d checks, want the one before the end", err, len(found.Checks))
	}
}

func TestNotesTellEachLibrarysAdvantageFromTheFigures(t *testing.T) {
	t.Parallel()
	peers := adapters.Peers(adapters.Place{})
	var alone, together []hitpath.Hit
	for _, p := range peers {
		nanoseconds := 30_000.0
		if !p.AsksRedis() {
			nanoseconds = 200
		}
		alone = append(alone, hitpath.Hit{Library: p.ID, Nanoseconds: nanoseconds, Ratio: nanoseconds / 20_000, Reads: 10})
		if p.ID == "go-zero" {
			nanoseconds = 5000
		}
		together = append(together, hitpath.Hit{Library: p.ID, Nanoseconds: nanoseconds, Ratio: nanoseconds / 20_000, Reads: 10, Misses: 3})
	}
	found := hitpath.ScenarioOf([]hitpath.Figure{
		{Bytes: 200, Goroutines: 1, RawNanoseconds: 20_000, RawRatio: 1.01, Hits: alone},
		{Bytes: 200, Goroutines: 64, RawNanoseconds: 20_000, RawRatio: 1, Hits: together},
	}, peers, time.Second)
	notes := strings.Join(found.Notes, "\n")
	for _, want := range []string{
		"otter answers a hit from the memory of its process, without asking Redis: 200 ns at 200 B, where a raw GET takes 20.0 µs. It needs no Redis",
		"sturdyc answers a hit from the memory",
		"rueidisaside answers a hit from the memory of its process, without asking Redis: 200 ns at 200 B, where a raw GET takes 20.0 µs. The time is",
		"go-zero takes 0.25 x raw at 200 B, 64 goroutines: callers of one key at the same time share one GET",
		"go-zero with 5.00 µs (200 B, 64 goroutines)",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in:\n%s", want, notes)
		}
	}
	if got, want := found.Checks[0].Measured, "1.50: 30.0 µs for 20.0 µs (raw against raw 1.010)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := found.Checks[len(found.Checks)-1].Measured; !strings.HasSuffix(got, "; 3 of 10 reads were no hits") {
		t.Errorf("misses are not told: %q", got)
	}
	if nothing := hitpath.ScenarioOf(nil, peers, time.Second); len(nothing.Checks)+len(nothing.Plots)+len(nothing.Notes) > 0 {
		t.Errorf("%+v", nothing)
	}
}

func TestTimesAndRatiosAreWrittenShort(t *testing.T) {
	t.Parallel()
	for nanoseconds, want := range map[float64]string{
		212.4: "212 ns", 999: "999 ns", 1000: "1.00 µs", 9990: "9.99 µs", 10_000: "10.0 µs", 123_456: "123.5 µs",
	} {
		if got := hitpath.Duration(nanoseconds); got != want {
			t.Errorf("%v: %q, want %q", nanoseconds, got, want)
		}
	}
	for r, want := range map[float64]string{0.0149: "0.015", 0.0999: "0.100", 0.1: "0.10", 1.056: "1.06"} {
		if got := hitpath.Ratio(r); got != want {
			t.Errorf("%v: %q, want %q", r, got, want)
		}
	}
}
