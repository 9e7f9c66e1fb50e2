package tune_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// small is a service that loads all the time and takes little to run.
const small = `
[region]
preset = "balanced"
source_concurrency = 4
max_overdue_per_key = 2
[ttl]
soft = "1s"
hard = "20s"
negative = "1s"
[users]
rate = 500
nodes = 2
keys = 500
[source]
workers = 8
mean = "10ms"
[run]
length = "8s"
warm_up = "1s"
compare = []
`

func TestAFaultOfEachKindIsSeenInTheFigures(t *testing.T) {
	t.Parallel()
	quiet := runAll(t, parsed(t, small))[0]
	if quiet.Goodput != 1 || len(quiet.Reasons) > 0 {
		t.Fatalf("with nothing wrong, goodput is %v and %v were refused", quiet.Goodput, quiet.Reasons)
	}
	for kind, row := range map[string]struct {
		fault string
		seen  func(run result.Run) bool
	}{
		"source-slow":     {"factor = 20\nto = '5s'", func(run result.Run) bool { return run.Latency.Max > 5*quiet.Latency.Max }},
		"source-capacity": {"part = 0.1\nto = '5s'", func(run result.Run) bool { return run.ByEnding["loaded"].Mean > 2*quiet.ByEnding["loaded"].Mean }},
		"source-errors":   {"part = 1.0\nto = '5s'", func(run result.Run) bool { return run.Endings["stale"] > 100 && run.Reasons["source"] > 0 }},
		"source-down":     {"to = '5s'", func(run result.Run) bool { return run.Endings["stale"] > 100 && run.Seconds[4].SourceOutstanding == 0 }},
		"source-hang":     {"to = '5s'", func(run result.Run) bool { return run.Seconds[4].Goodput() < 0.3 && run.RecoverySeconds < 0 }},
		"store-refuse":    {"to = '5s'", func(run result.Run) bool { return run.Seconds[4].SourceCalls > 2*quiet.Seconds[4].SourceCalls }},
		"store-black-hole": {"to = '5s'", func(run result.Run) bool {
			return run.Latency.Max > 100 && run.Seconds[4].SourceCalls > 2*quiet.Seconds[4].SourceCalls
		}},
		"store-slow":     {"to = '5s'", func(run result.Run) bool { return run.Seconds[3].P99Milliseconds > 2*quiet.Seconds[3].P99Milliseconds }},
		"store-flush":    {"", func(run result.Run) bool { return run.Seconds[3].SourceCalls > quiet.Seconds[3].SourceCalls+20 }},
		"store-failover": {"", func(run result.Run) bool { return run.Seconds[3].SourceCalls > quiet.Seconds[3].SourceCalls }},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			run := runAll(t, parsed(t, small+"[[fault]]\nkind = '"+kind+"'\nfrom = '3s'\n"+row.fault))[0]
			if !row.seen(run) {
				t.Errorf("nothing of it: goodput %v, endings %v, reasons %v, seconds %+v", run.Goodput, run.Endings, run.Reasons, run.Seconds)
			}
			if before := run.Seconds[1].Goodput(); before != 1 {
				t.Errorf("goodput before it is %v", before)
			}
		})
	}
}

func TestLoadsThatHangReturnWhenTheSourceIsItselfAgain(t *testing.T) {
	t.Parallel()
	// P0 loads in its callers' own goroutines: a hang without an end would keep them for good.
	text := strings.Replace(small, "compare = []", "compare = ['P0', 'P3']", 1)
	config := parsed(t, text+"[[fault]]\nkind = 'source-hang'\nfrom = '1s'\nto = '2s'\n")
	for _, run := range runAll(t, config) {
		if last := run.Seconds[len(run.Seconds)-1]; last.Goodput() != 1 || last.SourceCalls == 0 {
			t.Errorf("%s: goodput at the end is %v with %d loads", run.Contender, last.Goodput(), last.SourceCalls)
		}
	}
}

func TestFaultsAtTheSourceThatOverlapAreWovenIntoOnesThatDoNot(t *testing.T) {
	t.Parallel()
	got := parsed(t, `
[[fault]]
kind = "source-slow"
factor = 4
from = "10s"
to = "30s"
[[fault]]
kind = "source-errors"
part = 0.5
from = "20s"
to = "40s"
[[fault]]
kind = "source-down"
from = "50s"
to = "55s"
`).Setup().SourceFaults
	want := []sim.SourceFault{
		{From: 10 * time.Second, To: 20 * time.Second, Slower: 4},
		{From: 20 * time.Second, To: 30 * time.Second, Slower: 4, Errors: 0.5},
		{From: 30 * time.Second, To: 40 * time.Second, Errors: 0.5},
		{From: 50 * time.Second, To: 55 * time.Second, Down: true},
	}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for n := range want {
		if got[n].Hangs != nil || got[n].From != want[n].From || got[n].To != want[n].To || got[n].Slower != want[n].Slower ||
			got[n].Errors != want[n].Errors || got[n].Down != want[n].Down || got[n].Capacity != want[n].Capacity {
			t.Errorf("got %+v, want %+v", got[n], want[n])
		}
	}
}
