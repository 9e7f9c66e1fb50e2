package sample

import "github.com/cacheaside/resilience/bench/internal/result"

// Document gives a document with every kind of plot, table, verdict and note.
func Document() *result.Document {
	return &result.Document{
		Command:  "bench -scenario all -seed 7 -out report",
		Machine:  result.Machine{Go: "go1.26.8", OS: "linux", Arch: "amd64", CPU: "Example CPU at 2.60 GHz", CPUs: 8},
		Versions: map[string]string{"redis": "7.2.4", "go-redis": "v9.23.0", "otter": "v2.2.1"},
		Seed:     7, Started: "2026-03-01T10:00:00Z", Seconds: 101.4, Complete: true,
		Scenarios: []result.Scenario{expiry(), slowDown(), outage()},
		Maps:      []result.Map{metastability()},
		Tables: []result.Table{{
			Title: "When a loader panics", Note: "One goroutine loads, one waits.",
			Columns: []string{"library", "who loads", "who waits", "the key afterwards"},
			Rows: [][]string{
				{"this library", "PanicError", "PanicError", "usable at once"},
				{"otter", "panic", "error", "usable"},
				{"a map and a mutex", "panic", "waits for ever", "dead"},
			},
		}},
		Limits: []string{
			"A source that drops abandoned work recovers by itself from the slow-down, though not from the flush.",
			"A cold key whose source is down cannot be helped.",
			"Goodput cannot pass the source's capacity while the store is gone.",
		},
	}
}

// Names are the contenders of the sample, in order.
func names() []result.Run {
	return []result.Run{
		{Contender: "P0", Name: "plain cache-aside"}, {Contender: "P1", Name: "flight of the leader"}, {Contender: "P2", Name: "detached flight"},
		{Contender: "P3", Name: "lock convoy"}, {Contender: "P4", Name: "SET NX and polling"}, {Contender: "P5", Name: "early refresh only"},
		{Contender: "P6", Name: "StrictPolicy, no stale"}, {Contender: "P7", Name: "SurvivePolicy"}, {Contender: "P8", Name: "SurvivePolicy, leases"},
	}
}

func expiry() result.Scenario {
	s := result.Scenario{
		ID: "S1", Title: "A hot key expires", Mode: "sim",
		Question:   "How many loads does the expiry of one hot key cost, by the number of nodes?",
		Parameters: []result.Parameter{{Name: "rate", Value: "2000/s"}, {Name: "load", Value: "500 ms"}, {Name: "nodes", Value: "1 to 64"}},
		Checks: []result.Check{
			{Contender: "P0", What: "source calls per expiry", Measured: "1004"},
			{Contender: "P7", What: "source calls per expiry", Bound: "one per node", Measured: "1.00 per node"},
			{Contender: "P8", What: "source calls per expiry", Bound: "1.00 in all", Measured: "1.00"},
			{Contender: "P8", What: "p99 of a stale answer against a hit", Bound: "<= 2", Measured: "1.3"},
		},
		Plots: []result.Plot{perExpiry(), tails()},
	}
	for i, verdict := range []result.Verdict{result.Shown, result.Pass, result.Pass, result.Pass} {
		s.Checks[i].Verdict = verdict
	}
	for i, run := range names() {
		s.Runs = append(s.Runs, measured(run, i))
	}
	return s
}

func slowDown() result.Scenario {
	s := result.Scenario{
		ID: "S4", Title: "The source slows down tenfold", Mode: "sim",
		Question:   "After the source was ten times slower for ten seconds, do the users get their answers again, and when?",
		Parameters: []result.Parameter{{Name: "rate", Value: "2000/s"}, {Name: "keys", Value: "20 000, Zipf 1.0"}, {Name: "retries", Value: "2, at once"}},
		Checks: []result.Check{
			{Contender: "P0", Variant: "2 retries", What: "goodput", Measured: "21%", Verdict: result.Shown},
			{Contender: "P6", Variant: "2 retries", What: "recovered after the trigger's end", Bound: "<= 1 s", Measured: "1.4 s", Verdict: result.Fail},
			{Contender: "P7", Variant: "2 retries", What: "goodput", Bound: ">= 0.999", Measured: "1.0000", Verdict: result.Pass},
			{Contender: "P8", Variant: "2 retries", What: "goodput", Bound: ">= 0.999", Measured: "1.0000", Verdict: result.Pass},
		},
		Plots: []result.Plot{goodput(), sourceCalls(), outstanding(), recovery()},
		Notes: []string{"Callers retry twice at once, which is harsh on purpose."},
	}
	for i, run := range names() {
		run.Variant = "2 retries"
		s.Runs = append(s.Runs, measured(run, i))
	}
	return s
}

func outage() result.Scenario {
	peer := measured(result.Run{Contender: "otter", Name: "otter v2, in process", Nodes: 2}, 2)
	peer.Goroutines, peer.HeapBytes = 412, 73<<20
	return result.Scenario{
		ID: "S6", Title: "The source is down past the hard TTL", Mode: "live",
		Question: "How old do answers get, and does the return of the source cost a spike?",
		Runs:     []result.Run{measured(names()[7], 7), peer},
		Checks: []result.Check{
			{Contender: "P7", What: "greatest age of a stale answer", Bound: "< 60 s", Measured: "59.999 s", Verdict: result.Pass},
			{Contender: "otter", What: "greatest age of a stale answer", Measured: "–", Verdict: result.Shown},
		},
		Plots: []result.Plot{staleAge(), refill()},
		Notes: []string{"On a shared machine, absolute latencies are shown and not judged."},
	}
}

// measured fills a run with figures that get better from contender to contender.
func measured(run result.Run, i int) result.Run {
	share := float64(i) / 8
	run.Nodes = 4
	run.Extra = map[string]float64{"calls per expiry": 4}
	run.Offered, run.Good = 180_000, int64(38_000+142_000*share)
	run.Attempts = run.Offered + (run.Offered-run.Good)*2
	run.Goodput = float64(run.Good) / float64(run.Offered)
	run.Endings = map[string]int64{
		"hit": run.Good * 9 / 10, "loaded": run.Good / 20, "stale": int64(float64(run.Good) / 20 * share), "timed out": run.Attempts - run.Good,
		"rejected": int64(900 * share),
	}
	run.Reasons = map[string]int64{"source": 12, "admission": run.Endings["rejected"]}
	run.SourceCalls, run.SourceConcurrency, run.SourceWasted = int64(320_000-310_000*share), 16, int64(200_000*(1-share))
	run.SourceOutstanding, run.CallersPeak = int(314_000*(1-share))+16, int(3000*(1-share))+4
	run.HitRatio, run.StoreOperations = 0.2+0.78*share, 1+share/10
	run.RecoverySeconds, run.LostAreaSeconds = 10-10*share, 70*(1-share)
	if i < 2 {
		run.RecoverySeconds = -1
	}
	run.Latency = result.Latency{Count: run.Attempts, Mean: 80, P50: 0.42, P90: 500 - 480*share, P99: 1500 - 1400*share, P999: 1500, Max: 1511.5}
	run.ByEnding = map[string]result.Latency{
		"hit": {Count: run.Endings["hit"], Mean: 0.5, P50: 0.42, P90: 0.6, P99: 1.1, P999: 2, Max: 4.2}, "loaded": run.Latency,
	}
	run.StaleAge = result.Latency{Count: run.Endings["stale"], P50: 21_000 * share, P99: 59_000 * share, Max: 59_999 * share}
	return run
}
