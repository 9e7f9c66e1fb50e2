package correctness_test

import (
	"testing"

	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
)

// sentence is one line of a table of judgements.
type sentence struct {
	name, got, want string
}

func compare(t *testing.T, tests []sentence) {
	t.Helper()
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.name, test.got, test.want)
		}
	}
}

func TestACancelledLeaderIsJudgedByItsFollowers(t *testing.T) {
	t.Parallel()
	judge := func(waiters correctness.Tally, calls int) string {
		return correctness.JudgeCancel(correctness.CancelObservation{Waiters: waiters, Load: correctness.Load{Calls: calls}})
	}
	compare(t, []sentence{
		{"all answered", judge(correctness.Tally{Callers: 20, Values: 20}, 1), "20 of 20 got the value, 1 load"},
		{
			"all failed", judge(correctness.Tally{Callers: 20, Others: map[string]int{"failed: cancelled": 20}}, 1),
			"0 of 20 got the value, 20 got the end of another caller's context, 1 load",
		},
		{
			"some late, some lost",
			judge(correctness.Tally{Callers: 20, Values: 12, Late: 2, NotBack: 8}, 3),
			"12 of 20 got the value, 8 not back by the end, 2 answered too late, 3 loads",
		},
	})
}

func TestABrokenLoaderIsJudgedByItsCallersAndItsKey(t *testing.T) {
	t.Parallel()
	one := correctness.Load{Calls: 1}
	compare(t, []sentence{
		{
			"as it should be",
			correctness.JudgeBroken(correctness.BrokenObservation{
				Callers: correctness.Tally{Callers: 21, Others: map[string]int{"failed: panic": 21}}, Load: one, Usable: true,
			}),
			"process lives; nobody hangs; 21 panicked in their own goroutine; 1 load; key usable afterwards",
		},
		{
			"hanging callers and a dead key",
			correctness.JudgeBroken(correctness.BrokenObservation{
				Callers: correctness.Tally{Callers: 21, Exited: 1, NotBack: 20}, Load: one, After: "1 not back by the end",
			}),
			"process lives; 20 not back by the end, 1 had their goroutine ended; 1 load; key unusable afterwards: 1 not back by the end",
		},
		{
			"callers held until their deadlines",
			correctness.JudgeBroken(correctness.BrokenObservation{
				Callers: correctness.Tally{Callers: 21, Others: map[string]int{"timed out": 20, "failed: error": 1}}, Load: one, Usable: true,
			}),
			"process lives; 20 timed out, 1 got an error of the library; 1 load; key usable afterwards",
		},
		{
			"a refresh in the background",
			correctness.JudgeBroken(correctness.BrokenObservation{Callers: correctness.Tally{Callers: 21, Stale: 21}, Load: one, Usable: true}),
			"process lives; nobody hangs; 21 got the stale value; 1 load; key usable afterwards",
		},
		{
			"a value out of nowhere",
			correctness.JudgeBroken(correctness.BrokenObservation{
				Callers: correctness.Tally{Callers: 21, Values: 1, Others: map[string]int{"failed: wrong value": 20}}, Load: one, Usable: true,
			}),
			"process lives; nobody hangs; 20 got a value that the source never gave; 1 got a value; 1 load; key usable afterwards",
		},
	})
}

func TestDamageIsJudgedByWhatReadersGot(t *testing.T) {
	t.Parallel()
	compare(t, []sentence{
		{
			"mixed",
			correctness.JudgeCorrupt(correctness.CorruptObservation{
				Flipped:   correctness.Damage{Trials: 16, Wrong: 10, Reloaded: 4, Right: 2},
				Half:      correctness.Damage{Trials: 1, Reloaded: 1},
				Truncated: correctness.Damage{Trials: 1, Errors: map[string]int{"error": 1}},
				Swapped:   correctness.Damage{Trials: 1, NotBack: 1},
			}),
			"a bit flipped: 10 wrong value, 4 reloaded, 2 right value, of 16; half overwritten: reloaded; cut in half: error; " +
				"another key's bytes: no return; another key lost",
		},
		{
			"typed errors",
			correctness.JudgeCorrupt(correctness.CorruptObservation{
				Flipped:   correctness.Damage{Trials: 16, Errors: map[string]int{"entry": 16}},
				Half:      correctness.Damage{Trials: 1, Errors: map[string]int{"entry": 1}},
				Truncated: correctness.Damage{Trials: 1, Errors: map[string]int{"store": 1}},
				Swapped:   correctness.Damage{Trials: 1, Wrong: 1},
				Bystander: true,
			}),
			"a bit flipped: 16 typed error, of 16; half overwritten: typed error; cut in half: error (store); " +
				"another key's bytes: wrong value; other keys untouched",
		},
	})
}

func TestAnInvalidationIsJudgedByTheReadsAfterIt(t *testing.T) {
	t.Parallel()
	judge := func(o correctness.InvalidateObservation) string { return correctness.JudgeInvalidate(o) }
	stale := func(s correctness.Staleness) string { return judge(correctness.InvalidateObservation{After: s}) }
	compare(t, []sentence{
		{"never", stale(correctness.Staleness{}), "never stale"},
		{"for a while", stale(correctness.Staleness{Reads: 100, Seconds: 1.96}), "old row served for 2.0 s"},
		{"one read", stale(correctness.Staleness{Reads: 1, Seconds: 0.0001}), "old row served for 1 ms"},
		{"to the end", stale(correctness.Staleness{Reads: 100, Seconds: 5, Unsettled: true}), "old row served for more than 5 s"},
		{"failures", stale(correctness.Staleness{Failures: 1}), "never stale, 1 read without a row"},
		{"old between", judge(correctness.InvalidateObservation{Joined: "old"}), "the read between gets the old row; never stale"},
		{"new between", judge(correctness.InvalidateObservation{Joined: "new"}), "the read between gets the new row; never stale"},
		{
			"worse", judge(correctness.InvalidateObservation{Joined: "no return", Waited: true, Error: "invalidation failed"}),
			"invalidation failed; the invalidation waits for the load; the read between ends as no return; never stale",
		},
		{
			"other node", correctness.JudgeOtherNode(correctness.OtherNodeObservation{After: correctness.Staleness{Reads: 3, Seconds: 0.5}}),
			"old row served for 500 ms",
		},
		{
			"other node, not invalidated", correctness.JudgeOtherNode(correctness.OtherNodeObservation{Error: "invalidation failed"}),
			"invalidation failed; never stale",
		},
	})
}

func TestAnOutageIsJudgedByAnswersInTimeAndLoads(t *testing.T) {
	t.Parallel()
	compare(t, []sentence{
		{
			"all answered by one load",
			correctness.JudgeOutage(correctness.OutageObservation{
				Callers: correctness.Tally{Callers: 200, Values: 200, SlowestMS: 130}, Load: correctness.Load{Calls: 1, Peak: 1},
			}),
			"200 of 200 answered in time, 1 load",
		},
		{
			"refused within a bound",
			correctness.JudgeOutage(correctness.OutageObservation{
				Callers: correctness.Tally{Callers: 200, Values: 86, Others: map[string]int{"rejected: AdmissionTimeout": 114}},
				Load:    correctness.Load{Calls: 86, Peak: 16},
			}),
			"86 of 200 answered in time, 114 rejected (AdmissionTimeout), 86 loads, at most 16 at once",
		},
		{
			"late",
			correctness.JudgeOutage(correctness.OutageObservation{
				Callers: correctness.Tally{Callers: 200, Values: 200, Late: 200, SlowestMS: 3021}, Load: correctness.Load{Calls: 2, Peak: 2},
			}),
			"0 of 200 answered in time, 200 answered too late, 2 loads, at most 2 at once, the last back after 3.0 s",
		},
		{
			"without a Redis",
			correctness.JudgeOutage(correctness.OutageObservation{
				Callers: correctness.Tally{Callers: 200, Values: 200}, Load: correctness.Load{}, NoRedis: true,
			}),
			"uses no Redis: 200 of 200 answered in time, 0 loads",
		},
	})
}

func TestAFailingSourceIsJudgedByBothWaves(t *testing.T) {
	t.Parallel()
	stale := correctness.Tally{Callers: 50, Stale: 50}
	one := correctness.Load{Calls: 1, Peak: 1}
	compare(t, []sentence{
		{
			"alike",
			correctness.JudgeStale(correctness.StaleObservation{First: stale, FirstLoad: one, Second: stale, SecondLoad: one}),
			"both times 50 of 50 got the stale value, 1 load",
		},
		{
			"remembered",
			correctness.JudgeStale(correctness.StaleObservation{First: stale, FirstLoad: one, Second: stale}),
			"first 50 of 50 got the stale value, 1 load; then 50 of 50 got the stale value, 0 loads",
		},
		{
			"mixed",
			correctness.JudgeStale(correctness.StaleObservation{
				First: correctness.Tally{Callers: 50, Values: 1, Stale: 49}, FirstLoad: one,
				Second:     correctness.Tally{Callers: 50, Others: map[string]int{"failed: source": 49, "failed: store": 1}},
				SecondLoad: correctness.Load{Calls: 50, Peak: 32},
			}),
			"first 1 of 50 got a fresh value, 49 a stale one, 1 load; " +
				"then 0 of 50 got the value, 49 got the source's error, 1 got an error of Redis, 50 loads, at most 32 at once",
		},
	})
}

func TestWhatIsRememberedIsJudgedByLoads(t *testing.T) {
	t.Parallel()
	once, thrice := correctness.Remembered{Reads: 3, Loads: 1, Told: 3}, correctness.Remembered{Reads: 3, Loads: 3, Told: 3}
	compare(t, []sentence{
		{
			"all", correctness.JudgeAbsent(correctness.AbsentObservation{Absent: once, Empty: once, Failure: once, Created: "new"}),
			"absence: remembered, 1 load; empty row: kept, 1 load; failure: remembered, 1 load; a row written later is seen after its invalidation",
		},
		{
			"nothing, and wrongly",
			correctness.JudgeAbsent(correctness.AbsentObservation{
				Absent: thrice, Empty: correctness.Remembered{Reads: 3, Loads: 1, Told: 1}, Failure: thrice, Created: "absent",
			}),
			"absence: not remembered, 3 loads; empty row: kept, 1 load, told rightly 1 of 3 times; failure: not remembered, 3 loads; " +
				"a row written later is not seen after its invalidation: absent",
		},
		{
			"a cold burst",
			correctness.JudgeCold(correctness.ColdObservation{
				Callers: correctness.Tally{Callers: 2000, Values: 96, Others: map[string]int{"rejected: KeysFull": 1904}},
				Load:    correctness.Load{Calls: 96, Peak: 32},
			}),
			"at most 32 loads at once, 96 in all; 96 of 2000 answered in time, 1904 rejected (KeysFull)",
		},
	})
}
