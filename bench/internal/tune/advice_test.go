package tune_test

import (
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/tune"
)

// calm is a run of ten thousand calls that gives no cause for a word.
func calm() result.Run {
	run := result.Run{
		Contender: tune.Mine, Offered: 10_000, Attempts: 10_000, HitRatio: 0.9, SourceOutstanding: 10, SourceCalls: 500,
		Endings: map[string]int64{"hit": 9000}, Reasons: map[string]int64{}, Extra: map[string]float64{tune.LoadsAtOnce: 10},
	}
	for range 20 {
		run.Seconds = append(run.Seconds, result.Second{Offered: 500, Good: 500, SourceCalls: 100})
	}
	return run
}

func TestACalmRunOfTheLabsServiceNeedsNoAdvice(t *testing.T) {
	t.Parallel()
	if notes := parsed(t, "").Conclude([]result.Run{calm()}).Notes; len(notes) > 0 {
		t.Errorf("it is told %q", notes)
	}
}

// Each rule is shown the figures that call for it and those that just do not.
func TestAdviceIsGivenWhereAFigureCallsForIt(t *testing.T) {
	t.Parallel()
	refused := func(reason string, n int64) func(*result.Run) {
		return func(run *result.Run) { run.Reasons[reason] = n }
	}
	for name, row := range map[string]struct {
		text      string
		calls     func(*result.Run)
		want      []string // what the one note says
		otherText string   // "" = the same
		falls     func(*result.Run)
	}{
		"permits short of the source": {
			text: "[region]\nsource_concurrency = 2\nmax_overdue_per_key = 1\n", calls: refused("AdmissionTimeout", 11),
			want:  []string{"AdmissionWait 100ms refused 11 calls (0.11 % of all)", "16 workers and the nodes have 8 permits", "source_concurrency up to 4", "could wait 380ms longer", "serve_stale.on_rejected would"},
			falls: refused("AdmissionTimeout", 10),
		},
		"a source that is the limit": {
			text: "[region]\nadmission_wait = '600ms'\nserve_stale.on_rejected = true\n", calls: refused("AdmissionTimeout", 100),
			want:  []string{"AdmissionWait 600ms refused 100 calls (1 % of all)", "16 workers and the nodes have 128 permits: more of them would move the queue", "A longer wait would outlive the callers' deadline of 500ms."},
			falls: func(*result.Run) {},
		},
		"less than a worker left for each node": {
			text: "[region]\nsource_concurrency = 2\nmax_overdue_per_key = 1\n[source]\nworkers = 10\n", calls: refused("AdmissionTimeout", 100),
			want:  []string{"AdmissionWait 100ms refused 100 calls", "10 workers and the nodes have 8 permits: more of them would move the queue"},
			falls: func(*result.Run) {},
		},
		"few calls of few": {
			calls: func(run *result.Run) { run.Attempts, run.Offered, run.Reasons["KeysFull"] = 100, 100, 10 },
			want:  []string{"MaxInFlightKeys 1024 refused 10 calls (10 % of all)", "one of its 32 permits", "AdmissionWait (100ms)"},
			falls: func(run *result.Run) { run.Attempts, run.Offered, run.Reasons["KeysFull"] = 100, 100, 9 },
		},
		"waiters": {
			text: "[users]\nkeys = 1\n", calls: refused("WaitersFull", 50),
			want:  []string{"MaxWaitersPerKey 256 refused 50 calls (0.5 % of all)", "takes 100 % of the requests", "about 550 of its callers", "(1.1s)"},
			falls: refused("WaitersFull", 5),
		},
		"loads that are too slow": {
			text:  "[region]\npreset = 'strict'\n[[fault]]\nkind = 'source-slow'\nfactor = 60\nfrom = '1s'\nto = '2s'\n",
			calls: func(run *result.Run) { run.Reasons["LoadDeadline"], run.Reasons["Overdue"] = 20, 5 },
			want:  []string{"LoadDeadline 1s refused 25 calls (0.25 % of all), 5 of them", "20ms on average, 1.2s in the worst fault", "as many as 10 were at the source's 16 workers", "serve_stale.on_deadline would"},
			falls: refused("LoadDeadline", 9),
		},
		"failures remembered": {
			calls: refused("SourceBackoff", 20), want: []string{"FailureBackoff 250ms refused 20 calls (0.2 % of all)", "asked the source 500 times"}, falls: refused("SourceBackoff", 2),
		},
		"failures with stale off": {
			text: "[region]\nserve_stale.on_transient = false\n", calls: refused("source", 20),
			want: []string{"The source failed 20 calls (0.2 % of all), and serve_stale.on_transient is off"}, falls: refused("source", 2),
		},
		"failures longer than a value is stale": {
			text:  "[ttl]\nsoft = '30s'\nhard = '40s'\n[[fault]]\nkind = 'source-down'\nfrom = '5s'\nto = '45s'\n",
			calls: refused("source", 20),
			want:  []string{"failed 20 calls (0.2 % of all) that had no stale value", "stale for 10s (ttl.hard less ttl.soft), and the longest fault at the source lasts 40s"}, falls: refused("source", 2),
		},
		"callers that leave": {
			text: "[region]\npreset = 'strict'\n", calls: func(run *result.Run) { run.Endings["timed out"] = 30 },
			want: []string{"30 calls (0.3 % of all) outlived their deadline", "deadline of 500ms", "AdmissionWait + LoadDeadline, 1.1s", "refresh_wait 0s lets"}, otherText: "[users]\ndeadline = '2s'\n",
			falls: func(run *result.Run) { run.Endings["timed out"] = 30 },
		},
		"retries": {
			calls: func(run *result.Run) { run.Offered = 6000 }, want: []string{"Users made 1.667 calls for each request"}, falls: func(run *result.Run) { run.Offered = 7000 },
		},
		"a busy source": {
			calls: func(run *result.Run) { run.Seconds[0].SourceCalls = 15_000 },
			want:  []string{"asked for 845 loads a second with nothing wrong, 106 % of what it can do (800)", "ttl.soft (1m0s)"},
			falls: func(run *result.Run) { run.Seconds[0].SourceCalls = 10_000 },
		},
		"a source that is busy before its fault": {
			text: "[[fault]]\nkind = 'source-down'\nfrom = '1s'\nto = '2s'\n", calls: func(run *result.Run) { run.Seconds[0].SourceCalls = 700 },
			want: []string{"asked for 700 loads a second with nothing wrong, 87.5 %"}, falls: func(run *result.Run) { run.Seconds[1].SourceCalls = 70_000 },
		},
		"a queue at the source": {
			calls: func(run *result.Run) { run.SourceOutstanding = 96 },
			want:  []string{"128 permits of 4 nodes are more than the 16 workers", "as many as 96 loads were there at once: 80 of them queued", "about 100ms of its work", "source_concurrency 4 keeps"},
			falls: func(run *result.Run) { run.SourceOutstanding = 16 },
		},
		"loads given up": {
			text:  "[region]\nsource_concurrency = 4\nmax_overdue_per_key = 1\n",
			calls: func(run *result.Run) { run.SourceOutstanding, run.SourceWasted = 17, 8 },
			want:  []string{"17 loads were at the source at once, and the nodes have 16 permits", "LoadDeadline 1s", "8 in vain"},
			falls: func(run *result.Run) { run.SourceOutstanding, run.SourceWasted = 16, 8 },
		},
		"fresh for less than a load": {
			text: "[ttl]\nsoft = '22ms'\njitter = 0.1\n", calls: func(*result.Run) {},
			want: []string{"fresh for 19ms at least (ttl.soft 22ms less its jitter), and a load takes 20ms", "90 % of the calls were hits"}, otherText: "[ttl]\nsoft = '24ms'\njitter = 0.1\n",
			falls: func(*result.Run) {},
		},
		"entries that go too soon": {
			text: "[ttl]\nnegative = '2s'\njitter = 0\n", calls: func(*result.Run) {},
			want: []string{"live for 2s only (ttl.negative 2s less its jitter)", "write 2.45s after its lookup (LookupTimeout 100ms + AdmissionWait 100ms + 2 x LoadDeadline 1s + RecordTimeout 250ms)"}, otherText: "[ttl]\nnegative = '3s'\njitter = 0\n",
			falls: func(*result.Run) {},
		},
		"tombstones that go too soon": {
			text: "[region]\nload_deadline = '30s'\n", calls: func(*result.Run) {},
			want: []string{"A tombstone lives for 1m0s by default, and a load may write 1m0.45s after its lookup", "set TombstoneTTL above that"}, otherText: "[region]\nload_deadline = '20s'\n",
			falls: func(*result.Run) {},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := calm()
			row.calls(&run)
			notes := parsed(t, row.text).Conclude([]result.Run{run}).Notes
			told := strings.Join(notes, "\n")
			for _, part := range row.want {
				if !strings.Contains(told, part) {
					t.Errorf("%q is not in %q", part, told)
				}
			}
			if row.otherText == "" {
				row.otherText = row.text
			}
			run = calm()
			row.falls(&run)
			for _, note := range parsed(t, row.otherText).Conclude([]result.Run{run}).Notes {
				if strings.HasPrefix(note, row.want[0]) || strings.Contains(note, row.want[len(row.want)-1]) {
					t.Errorf("without the figure it is told all the same: %q", note)
				}
			}
		})
	}
}
