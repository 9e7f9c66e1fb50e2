package tune_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/scenario"
	"github.com/cacheaside/resilience/bench/internal/tune"
)

const troubledText = `
[region]
name = "prices"
source_concurrency = 16
[ttl]
hard = "2m"
[users]
nodes = 3
[[fault]]
kind = "source-slow"
factor = 5
from = "2s"
to = "4s"
[[fault]]
kind = "store-flush"
from = "5500ms"
`

// invented is a run of ten seconds with 100 requests in each, of which so many were answered well.
func invented(good ...int64) result.Run {
	run := result.Run{
		Contender: tune.Mine, Name: "prices", Attempts: 1000, Offered: 1000,
		Extra: map[string]float64{tune.LoadsAtOnce: 48}, SourceOutstanding: 48,
		StaleAge: result.Latency{Count: 1, Max: 61_000, Tail: []result.Point{{X: 0, Y: 1}, {X: 61_000, Y: 0}}},
		Endings:  map[string]int64{"stale": 250}, Reasons: map[string]int64{"KeysFull": 3, "AdmissionTimeout": 2},
		Latency: result.Latency{P99: 12.5, Tail: []result.Point{{X: 1, Y: 1}, {X: 12.5, Y: 0}}},
	}
	for n := range 10 {
		second := result.Second{Offered: 100, Good: 100, SourceCalls: int64(10 + n)}
		if n < len(good) {
			second.Good = good[n]
		}
		run.Seconds = append(run.Seconds, second)
	}
	return run
}

// measured is what a check of a contender says.
func measured(s result.Scenario, who, what string) (result.Check, bool) {
	n := slices.IndexFunc(s.Checks, func(c result.Check) bool { return c.Contender == who && c.What == what })
	if n < 0 {
		return result.Check{}, false
	}
	return s.Checks[n], true
}

func TestTheFiguresOfTheFaultsAndOfWhatFollowsThemAreShown(t *testing.T) {
	t.Parallel()
	// The faults take seconds 2, 3 and 5.
	s := parsed(t, troubledText).Conclude([]result.Run{invented(0, 0, 40, 60, 0, 80, 90)})
	for what, want := range map[string]string{
		"goodput in the faults": "0.60000", "goodput after the faults": "0.97500", "p99, ms": "12.5",
		"stale answers, part of all calls": "0.25000", "oldest stale answer, s": "61", "refused or failed: KeysFull": "3", "refused or failed: AdmissionTimeout": "2",
	} {
		if got, there := measured(s, tune.Mine, what); !there || got.Measured != want || got.Verdict != result.Shown || got.Bound != "" {
			t.Errorf("%s: got %+v, want %s", what, got, want)
		}
	}
}

func TestAMomentCountsForTheSecondThatItFallsInto(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"5s", "5001ms", "5999ms"} {
		s := parsed(t, "[[fault]]\nkind = 'store-flush'\nfrom = '"+at+"'\n").Conclude([]result.Run{invented(9, 9, 9, 9, 9, 50, 9, 9, 9, 9)})
		if got, _ := measured(s, tune.Mine, "goodput in the faults"); got.Measured != "0.50000" {
			t.Errorf("of a flush at %s: %+v", at, got)
		}
	}
}

func TestAValueIsHeldAgainstThePresetThatIsNamed(t *testing.T) {
	t.Parallel()
	for _, p := range parsed(t, "[region]\npreset = 'strict'\nload_deadline = '3s'\n").Conclude(nil).Parameters {
		want, special := map[string]string{"region.load_deadline": "3s (preset 1s)"}[p.Name]
		if strings.HasPrefix(p.Name, "region.") && special != strings.Contains(p.Value, "(preset ") || special && p.Value != want {
			t.Errorf("%s is %q", p.Name, p.Value)
		}
	}
}

func TestARecoveryIsCountedFromTheEndOfEachTroubleAndNeverIsSaidOnlyWhereItCouldHaveBeenSeen(t *testing.T) {
	t.Parallel()
	flush := func(at string) string { return "[[fault]]\nkind = 'store-flush'\nfrom = '" + at + "'\n" }
	slow := func(from, to string) string {
		return "[[fault]]\nkind = 'source-slow'\nfactor = 2\nfrom = '" + from + "'\nto = '" + to + "'\n"
	}
	for name, row := range map[string]struct {
		text string
		good []int64
		want map[string]string
	}{
		"at once":       {flush("2s"), nil, map[string]string{"recovers after the faults, s": "0"}},
		"later":         {flush("1500ms"), []int64{0, 0, 98, 99}, map[string]string{"recovers after the faults, s": "1.5"}},
		"never":         {flush("5s"), []int64{0, 0, 0, 0, 0, 0, 0, 0, 0, 98}, map[string]string{"recovers after the faults, s": "never"}},
		"too late":      {flush("6s"), nil, map[string]string{"recovers after the faults, s": "not known: 4 s are left of the run, 5 are needed"}},
		"after the end": {flush("30s"), nil, map[string]string{"recovers after the faults, s": "not known: 0 s are left of the run, 5 are needed"}},
		"each by itself": {
			flush("1s") + flush("4s"), []int64{100, 0, 0, 100, 0},
			map[string]string{"recovers after store-flush at 1s, s": "4", "recovers after store-flush at 4s, s": "1"},
		},
		"only where nothing else is wrong": {
			slow("1s", "4s") + flush("2s") + "[[fault]]\nkind = 'source-errors'\npart = 0.1\nfrom = '3s'\nto = '5s'\n",
			nil, map[string]string{"recovers after source-errors part 0.1 from 3s to 5s, s": "0"},
		},
	} {
		got := make(map[string]string)
		for _, c := range parsed(t, row.text).Conclude([]result.Run{invented(row.good...)}).Checks {
			if strings.HasPrefix(c.What, "recovers after ") {
				got[c.What] = c.Measured
			}
		}
		if !maps.Equal(got, row.want) {
			t.Errorf("%s: got %v, want %v", name, got, row.want)
		}
	}
}

func TestWithNothingWrongThereIsOneGoodputAndNoAgeOfAnswersThatNeverWereStale(t *testing.T) {
	t.Parallel()
	run := invented()
	run.Goodput, run.StaleAge = 0.9, result.Latency{}
	s := parsed(t, "").Conclude([]result.Run{run})
	if got, _ := measured(s, tune.Mine, "goodput"); got.Measured != "0.90000" {
		t.Errorf("got %+v", got)
	}
	for _, what := range []string{"goodput in the faults", "recovers after the faults, s", "oldest stale answer, s"} {
		if _, there := measured(s, tune.Mine, what); there {
			t.Errorf("%s is shown", what)
		}
	}
	if len(s.Plots) != 3 {
		t.Errorf("%d plots", len(s.Plots))
	}
}

func TestWhatARegionMustKeepIsPassedOrFailed(t *testing.T) {
	t.Parallel()
	good, bad, strict, plain := invented(), invented(), invented(), invented()
	bad.Extra, bad.PastHard = map[string]float64{tune.LoadsAtOnce: 49}, 1
	strict.Contender, plain.Contender = "P6", "P0"
	config := parsed(t, troubledText) // 16 permits on each of 3 nodes
	for what, bound := range map[string]string{"loads at once at the source": "<= 48", "stale answers at or past hard expiry": "0"} {
		if got, _ := measured(config.Conclude([]result.Run{good}), tune.Mine, what); got.Verdict != result.Pass || got.Bound != bound {
			t.Errorf("got %+v", got)
		}
		if got, _ := measured(config.Conclude([]result.Run{bad}), tune.Mine, what); got.Verdict != result.Fail {
			t.Errorf("got %+v", got)
		}
		if got, _ := measured(config.Conclude([]result.Run{strict}), "P6", what); got.Verdict != result.Pass {
			t.Errorf("got %+v", got)
		}
		if got, there := measured(config.Conclude([]result.Run{plain}), "P0", what); there {
			t.Errorf("plain cache-aside promises nothing: %+v", got)
		}
	}
}

func TestPermitsAreCountedOnTheNodesThatThereWere(t *testing.T) {
	t.Parallel()
	run := invented()
	run.Nodes = 2
	if got, _ := measured(parsed(t, troubledText).Conclude([]result.Run{run}), tune.Mine, "loads at once at the source"); got.Bound != "<= 32" || got.Verdict != result.Fail {
		t.Errorf("got %+v", got)
	}
}

func TestARunThatWasCutShortIsListedAndNeitherJudgedNorDrawn(t *testing.T) {
	t.Parallel()
	run := invented()
	run.Interrupted = true
	s := parsed(t, troubledText).Conclude([]result.Run{run})
	if len(s.Runs) != 1 || len(s.Checks) > 0 || len(s.Plots) > 0 || len(s.Notes) > 0 {
		t.Errorf("got %d runs, %d checks, %d plots, notes %v", len(s.Runs), len(s.Checks), len(s.Plots), s.Notes)
	}
}

func TestEveryFaultIsShadedUnderItsNameInWhatIsDrawnOverTime(t *testing.T) {
	t.Parallel()
	other := invented()
	other.Contender, other.Name, other.StaleAge = "P0", "plain cache-aside", result.Latency{}
	s := parsed(t, troubledText).Conclude([]result.Run{invented(), other})
	want := []result.Band{{From: 2, To: 4, Name: "source-slow"}, {From: 5.5, To: 6, Name: "store-flush"}}
	plots := make(map[string]result.Plot)
	for _, p := range s.Plots {
		plots[p.ID] = p
		if p.X.Label == "" || p.Y.Label == "" || p.Title == "" || p.Caption == "" {
			t.Errorf("%s is not labelled", p.ID)
		}
	}
	for _, id := range []string{"mine-goodput", "mine-source"} {
		p := plots[id]
		if !slices.Equal(p.Shaded, want) || len(p.Lines) != 2 || len(p.Lines[0].Data) != 10 || p.Lines[0].Contender != tune.Mine {
			t.Errorf("%s: shaded %v, lines %v", id, p.Shaded, p.Lines)
		}
	}
	if marks := plots["mine-source"].Marks; len(marks) != 1 || marks[0].Y != 800 {
		t.Errorf("the source can do %v", marks)
	}
	if y := plots["mine-source"].Lines[0].Data[9]; y != (result.Point{X: 9.5, Y: 19}) {
		t.Errorf("the last second is at %v", y)
	}
	if p := plots["mine-latency"]; len(p.Lines) != 2 || len(p.Lines[1].Data) != 2 {
		t.Errorf("latency: %+v", p)
	}
	age := plots["mine-age"]
	if len(age.Lines) != 1 || age.Lines[0].Data[1] != (result.Point{X: 61, Y: 0}) || age.Shaded[0].From != 108 || age.Shaded[0].To != 132 {
		t.Errorf("age: %+v", age)
	}
}

func TestTheReportSaysWhatWasRun(t *testing.T) {
	t.Parallel()
	s := parsed(t, troubledText+"[run]\ncompare = []\n").Under(scenario.Options{Seed: 9}).Conclude([]result.Run{invented()})
	if s.ID != tune.Mine || s.Title != "The region prices" || s.Mode != "sim" {
		t.Errorf("it is %s, %q, %s", s.ID, s.Title, s.Mode)
	}
	if want := "How does this policy come through source-slow factor 5 from 2s to 4s, store-flush at 5.5s, and what does it do to the source?"; s.Question != want {
		t.Errorf("it asks %q", s.Question)
	}
	got := make(map[string]string)
	for _, p := range s.Parameters {
		got[p.Name] = p.Value
	}
	for name, want := range map[string]string{
		"region.name": "prices", "region.preset": "balanced", "region.source_concurrency": "16 (preset 32)", "region.admission_wait": "100ms",
		"region.serve_stale.refresh_wait": "200ms", "ttl.hard": "2m0s (default 10m0s)", "ttl.soft": "1m0s", "users.nodes": "3 (default 4)", "users.absent": "0.05",
		"run.seed": "9 (default 1)", "run.compare": `[] (default ["P0" "P2"])`, "fault[1]": "source-slow factor 5 from 2s to 4s", "fault[2]": "store-flush at 5.5s",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	if _, err := json.Marshal(s); err != nil {
		t.Error(err)
	}
}

func TestTheRegionRunsBesideThoseItIsComparedWith(t *testing.T) {
	t.Parallel()
	ids := func(config tune.Config, o scenario.Options) string {
		var ids []string
		for _, task := range config.Plan(o) {
			ids = append(ids, task.Contender.ID)
			if task.Cost <= 0 {
				t.Errorf("%s costs %v", task.Contender.ID, task.Cost)
			}
		}
		return strings.Join(ids, " ")
	}
	compared := parsed(t, "[run]\ncompare = ['P7', 'P0']\n")
	for _, row := range []struct {
		config tune.Config
		o      scenario.Options
		want   string
	}{
		{parsed(t, ""), scenario.Options{}, "mine P0 P2"},
		{parsed(t, "[run]\ncompare = []\n"), scenario.Options{}, "mine"},
		{compared, scenario.Options{Size: scenario.Quarter}, "mine P0 P7"},
		{compared, scenario.Options{Contenders: contender.All()[:3]}, "mine P0"},
	} {
		if got := ids(row.config, row.o); got != row.want {
			t.Errorf("planned are %s, want %s", got, row.want)
		}
	}
}

// The presets that are compared keep their own policy, whatever the user's is.
func TestAPolicyIsTheUsersRegionsAlone(t *testing.T) {
	t.Parallel()
	text := strings.Replace(small, "compare = []", "compare = ['P6']", 1)
	config := parsed(t, text+"[[fault]]\nkind = 'source-slow'\nfactor = 20\nfrom = '3s'\nto = '5s'\n")
	runs := runAll(t, config)
	if mine := runs[0].Extra[tune.LoadsAtOnce]; mine != 8 {
		t.Errorf("the region has %v loads under way, of 4 permits on 2 nodes", mine)
	}
	if preset := runs[1].Extra[tune.LoadsAtOnce]; preset <= 8 || preset > 32 {
		t.Errorf("the preset has %v loads under way, of 16 permits on 2 nodes", preset)
	}
	if runs[0].Name != tune.Mine || runs[0].Nodes != 2 || runs[0].Offered != runs[1].Offered {
		t.Errorf("%q on %d nodes had %d requests, and the other %d", runs[0].Name, runs[0].Nodes, runs[0].Offered, runs[1].Offered)
	}
}
