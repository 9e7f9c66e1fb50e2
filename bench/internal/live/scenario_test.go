package live_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/internal/redistest"
)

// these gives the contenders with the named IDs.
func these(ids ...string) []contender.Contender {
	return slices.DeleteFunc(contender.All(), func(c contender.Contender) bool { return !slices.Contains(ids, c.ID) })
}

// play runs a scenario on a Redis of its own, as short as it can be.
func play(t *testing.T, id string, o live.Options) result.Scenario {
	t.Helper()
	redistest.Require(t)
	o.Redis, o.Seed = live.Auto, 1
	if o.Duration == 0 {
		o.Duration = 1500 * time.Millisecond
	}
	steps, of := 0.0, 0.0
	found, err := live.Run(t.Context(), o, id, func(done, total float64) {
		if done > total || done < steps {
			t.Errorf("progress goes from %v to %v of %v", steps, done, total)
		}
		steps, of = done, total
	})
	if err != nil {
		t.Fatal(err)
	}
	if steps == 0 || steps != of {
		t.Errorf("at its end the progress is %v of %v", steps, of)
	}
	return found
}

// runOf gives the run of a contender in a variant.
func runOf(t *testing.T, found result.Scenario, id, variant string) result.Run {
	t.Helper()
	for _, run := range found.Runs {
		if run.Contender == id && run.Variant == variant {
			return run
		}
	}
	t.Fatalf("%s has no run of %s %s", found.ID, id, variant)
	return result.Run{}
}

// fleetPlay runs a scenario in which processes count on each other, again if a check has failed, twice at most. A process that the machine stalls for
// longer than the library's time limits rightly goes on without the others; one that is wrong does so each time.
func fleetPlay(t *testing.T, id string, o live.Options) (found result.Scenario) {
	t.Helper()
	for range 3 {
		if found = play(t, id, o); !slices.ContainsFunc(found.Checks, failed) {
			break
		}
		t.Logf("%s has a failed check", id)
	}
	return found
}

// failed tells of a check whether it has. How many users were served in time is for a machine that does nothing else.
func failed(check result.Check) bool {
	return check.Verdict == result.Fail && !strings.HasPrefix(check.What, "goodput")
}

// mustPass fails for each check that has failed, and where no check of the contender could have.
func mustPass(t *testing.T, found result.Scenario, ids ...string) {
	t.Helper()
	passed := make(map[string]bool)
	for _, check := range found.Checks {
		if failed(check) {
			t.Errorf("%s %s %s: %s is %s, must be %s", found.ID, check.Contender, check.Variant, check.What, check.Measured, check.Bound)
		}
		passed[check.Contender] = passed[check.Contender] || check.Verdict == result.Pass
	}
	for _, id := range ids {
		if !passed[id] {
			t.Errorf("%s: nothing is checked of %s", found.ID, id)
		}
	}
}

// mustBeDrawable fails for plots that share an ID or show nothing.
func mustBeDrawable(t *testing.T, plots []result.Plot) {
	t.Helper()
	seen := make(map[string]bool)
	for _, plot := range plots {
		if seen[plot.ID] || strings.ContainsAny(plot.ID, " ,/=") {
			t.Errorf("plot ID %q is not unique or not fit for a file name", plot.ID)
		}
		seen[plot.ID] = true
		if len(plot.Lines) == 0 || len(plot.Lines[0].Data) == 0 {
			t.Errorf("plot %s is empty", plot.ID)
		}
	}
	if len(seen) == 0 {
		t.Error("there are no plots")
	}
}

func TestACancelledLeaderCostsItsFollowersNothingOnThisLibraryOnly(t *testing.T) {
	t.Parallel()
	found := play(t, "S10", live.Options{Contenders: these("P1", "P7"), Callers: 50, Load: 400 * time.Millisecond})
	mustPass(t, found, "P7")
	if run := runOf(t, found, "P1", ""); run.Endings["failed"] != 49 || run.Reasons["another caller's context"] != 49 {
		t.Errorf("the followers of P1 end as %v for %v, want 49 failed for another caller's context", run.Endings, run.Reasons)
	}
	if run := runOf(t, found, "P7", ""); run.SourceCalls != 1 || run.Endings["timed out"] != 1 {
		t.Errorf("P7 makes %d calls and ends as %v, want 1 call and nobody but the leader timed out", run.SourceCalls, run.Endings)
	}
}

func TestScenariosAreListedInOrder(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, listed := range live.List() {
		ids = append(ids, listed.ID)
		if listed.Title == "" {
			t.Errorf("%s has no title", listed.ID)
		}
	}
	if want := []string{"S1", "S7", "S9", "S10", "S11", "S13", "S18"}; !slices.Equal(ids, want) {
		t.Errorf("listed are %v, want %v", ids, want)
	}
}

func TestAHotKeyIsLoadedOnceByEachNodeForEachExpiryAndWithLeasesOnceInAll(t *testing.T) {
	t.Parallel()
	found := fleetPlay(t, "S1", live.Options{Contenders: these("P0", "P6", "P7", "P8"), Nodes: 2, Rate: 300})
	mustPass(t, found, "P6", "P7", "P8")
	plain, survives := runOf(t, found, "P0", "nodes=2"), runOf(t, found, "P7", "nodes=2")
	if plain.Offered != survives.Offered || plain.Offered == 0 {
		t.Errorf("P0 is offered %d requests and P7 %d; want the same arrivals", plain.Offered, survives.Offered)
	}
	if survives.Endings["stale"] == 0 || survives.StaleAge.Count != survives.Endings["stale"] {
		t.Errorf("P7 ends as %v with %d ages, want stale answers, each with its age", survives.Endings, survives.StaleAge.Count)
	}
	if plain.SourceCalls <= 2*survives.SourceCalls {
		t.Errorf("P0 makes %d calls and P7 %d: the stampede does not show", plain.SourceCalls, survives.SourceCalls)
	}
	if survives.Goroutines == 0 || survives.HeapBytes == 0 || survives.CallersPeak == 0 {
		t.Errorf("peaks: %d goroutines, %d bytes, %d callers", survives.Goroutines, survives.HeapBytes, survives.CallersPeak)
	}
	mustBeDrawable(t, found.Plots)
}

func TestAFailingColdKeyIsAskedForOnce(t *testing.T) {
	t.Parallel()
	found := play(t, "S9", live.Options{Contenders: these("P0", "P3", "P6", "P7"), Callers: 50, Load: 400 * time.Millisecond})
	mustPass(t, found, "P6", "P7")
	if run := runOf(t, found, "P0", ""); run.SourceCalls != 50 {
		t.Errorf("P0 makes %d calls for 50 callers", run.SourceCalls)
	}
	if run := runOf(t, found, "P3", ""); run.SourceCalls < 3 || run.Endings["timed out"] < 40 {
		t.Errorf("P3 makes %d calls and ends as %v, want one after the other until patience ends", run.SourceCalls, run.Endings)
	}
}

func TestAHungLoaderCostsItsKeyOneLoadDeadlineAndOthersNothing(t *testing.T) {
	t.Parallel()
	found := play(t, "S11", live.Options{Contenders: these("P2", "P7", "P8"), Duration: 2 * time.Second})
	mustPass(t, found, "P7", "P8")
	for _, check := range found.Checks {
		if check.Contender == "P2" && check.What == "the key can be read again" && check.Measured != "never" {
			t.Errorf("a detached flight whose load hangs: %s %s, want never", check.What, check.Measured)
		}
	}
}

func TestAStoreOutageIsBoundedAtTheSource(t *testing.T) {
	t.Parallel()
	found := play(t, "S7", live.Options{Contenders: these("P7"), Nodes: 2, Rate: 300, Keys: 100, Duration: 3 * time.Second})
	mustPass(t, found, "P7")
	for _, variant := range []string{"refuses", "black hole"} {
		run := runOf(t, found, "P7", variant)
		if len(run.Seconds) < 5 || run.SourceCalls == 0 {
			t.Errorf("%s: %d seconds and %d source calls; want the whole run, and loads where there is no store", variant, len(run.Seconds), run.SourceCalls)
		}
	}
	for _, plot := range found.Plots {
		if !strings.HasSuffix(plot.ID, "-tail") && (len(plot.Shaded) != 1 || plot.Shaded[0].From != 1 || plot.Shaded[0].To != 2) {
			t.Errorf("plot %s shades %v, want the outage from 1 to 2", plot.ID, plot.Shaded)
		}
	}
}

func TestAHitIsComparedWithARawReadBesideRawAgainstRaw(t *testing.T) {
	t.Parallel()
	found := play(t, "S18", live.Options{Contenders: these("P6"), Duration: 500 * time.Millisecond})
	if len(found.Checks) != 12 {
		t.Errorf("%d checks, want 4 of each of 3 shapes", len(found.Checks))
	}
	leases := play(t, "S18", live.Options{Contenders: these("P8"), Duration: 500 * time.Millisecond})
	if len(leases.Checks) != 26 {
		t.Errorf("%d checks, want 4 of each of 3 shapes for P6 and for P8, and 2 of a miss", len(leases.Checks))
	}
	for _, check := range append(found.Checks, leases.Checks[:24]...) {
		if !strings.Contains(check.Measured, "raw against raw") {
			t.Errorf("%s of %s is %q, without raw against raw", check.What, check.Variant, check.Measured)
		}
	}
}

func TestUsersArriveWhetherOrNotTheyAreServed(t *testing.T) {
	t.Parallel()
	slow := madeUp("slow", t.TempDir())
	found := play(t, "S1", live.Options{Contenders: append(these("P7"), slow), Nodes: 1, Rate: 200})
	quick, late := runOf(t, found, "P7", "nodes=1"), runOf(t, found, slow.ID, "nodes=1")
	if quick.Offered != late.Offered || late.Offered < 100 {
		t.Errorf("a quick contender is offered %d requests, a slow one %d; want the same", quick.Offered, late.Offered)
	}
	if late.Latency.P50 < 190 {
		t.Errorf("half of the calls of a contender that takes 200 ms take %v ms", late.Latency.P50)
	}
}
