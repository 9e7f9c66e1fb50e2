package correctness_test

import (
	"encoding/json"
	"testing"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/internal/trial"
)

// TestThisLibraryKeepsItsPromises runs the whole table for this library and holds each cell against what the library says of itself.
func TestThisLibraryKeepsItsPromises(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	survive, _ := adapters.ByID(adapters.Place{}, adapters.Survive)
	strict, _ := adapters.ByID(adapters.Place{}, adapters.Strict)
	policies := map[string]cacheaside.Policy{adapters.Survive: cacheaside.SurvivePolicy(), adapters.Strict: cacheaside.StrictPolicy()}
	experiments := correctness.Experiments()
	cells := runner(t, nil).Run(t.Context(), experiments, []adapters.Peer{survive, strict})
	if len(cells) != 2*len(experiments) {
		t.Fatalf("%d cells of %d", len(cells), 2*len(experiments))
	}
	known := map[string]correctness.Experiment{}
	for _, experiment := range experiments {
		known[experiment.ID] = experiment
	}
	peers := map[string]adapters.Peer{adapters.Survive: survive, adapters.Strict: strict}
	for _, cell := range cells {
		t.Run(cell.Experiment+"/"+cell.Peer, func(t *testing.T) {
			keeps := func(t testing.TB) {
				if cell.Outcome != correctness.Measured {
					t.Fatalf("%s: %s", cell.Outcome, cell.Text)
				}
				t.Log(cell.Text)
				promises()[cell.Experiment](t, cell, policies[cell.Peer])
			}
			// A process that the machine stalls for longer than the time limits rightly goes to the source. One that breaks a promise does so each time.
			for again := 0; again < 2 && trial.Run(t, t.Name(), keeps).Failed; again++ {
				t.Log("once more, after: " + cell.Text)
				cell = runner(t, nil).Run(t.Context(), []correctness.Experiment{known[cell.Experiment]}, []adapters.Peer{peers[cell.Peer]})[0]
			}
			keeps(t)
		})
	}
}

// promises hold an experiment against what is promised for it.
func promises() map[string]func(testing.TB, correctness.Cell, cacheaside.Policy) {
	return map[string]func(testing.TB, correctness.Cell, cacheaside.Policy){
		"cancel": func(t testing.TB, cell correctness.Cell, _ cacheaside.Policy) {
			o := observed[correctness.CancelObservation](t, cell)
			if o.Waiters.Values != 20 || o.Waiters.Late != 0 || o.Load.Calls != 1 {
				t.Errorf("%+v", o)
			}
		},
		"panic": func(t testing.TB, cell correctness.Cell, _ cacheaside.Policy) {
			broken(t, cell, "failed: panic")
		},
		"goexit": func(t testing.TB, cell correctness.Cell, _ cacheaside.Policy) {
			broken(t, cell, "failed: exited")
		},
		"panic-refresh": func(t testing.TB, cell correctness.Cell, p cacheaside.Policy) {
			o := observed[correctness.BrokenObservation](t, cell)
			answered := o.Callers.Stale // who does not wait for a refresh has nothing to do with its end
			if p.ServeStale.RefreshWait == 0 {
				answered = o.Callers.Others["failed: panic"]
			}
			if answered != 21 || o.Load.Calls != 1 || !o.Usable {
				t.Errorf("%+v", o)
			}
		},
		"hung": func(t testing.TB, cell correctness.Cell, _ cacheaside.Policy) {
			o := observed[correctness.BrokenObservation](t, cell)
			if o.Callers.Others["timed out"] != 21 || o.Callers.NotBack != 0 || o.Load.Calls != 1 || !o.Usable {
				t.Errorf("%+v", o)
			}
		},
		"corrupt": func(t testing.TB, cell correctness.Cell, p cacheaside.Policy) {
			o := observed[correctness.CorruptObservation](t, cell)
			for name, d := range map[string]correctness.Damage{"flipped": o.Flipped, "half": o.Half, "truncated": o.Truncated, "swapped": o.Swapped} {
				want := d.Reloaded
				if p.Corrupt == cacheaside.FailFast {
					want = d.Errors["entry"]
				}
				if d.Trials == 0 || want != d.Trials {
					t.Errorf("%s: %+v", name, d)
				}
			}
			if !o.Bystander {
				t.Error("another key was lost")
			}
		},
		"invalidate": func(t testing.TB, cell correctness.Cell, _ cacheaside.Policy) {
			o := observed[correctness.InvalidateObservation](t, cell)
			neverStale(t, o.After)
			if o.Error != "" || o.Waited {
				t.Errorf("%+v", o)
			}
		},
		"invalidate-join": func(t testing.TB, cell correctness.Cell, _ cacheaside.Policy) {
			o := observed[correctness.InvalidateObservation](t, cell)
			neverStale(t, o.After)
			if o.Joined != "new" || o.Error != "" || o.Waited {
				t.Errorf("%+v", o)
			}
		},
		"other-node": func(t testing.TB, cell correctness.Cell, _ cacheaside.Policy) {
			o := observed[correctness.OtherNodeObservation](t, cell)
			neverStale(t, o.After)
			if o.Error != "" {
				t.Errorf("%+v", o)
			}
		},
		"paused-one":  oneKeyInAnOutage,
		"killed-one":  oneKeyInAnOutage,
		"paused-many": manyKeysInAnOutage,
		"killed-many": manyKeysInAnOutage,
		"stale": func(t testing.TB, cell correctness.Cell, p cacheaside.Policy) {
			o := observed[correctness.StaleObservation](t, cell)
			if o.First.Stale != 50 || o.Second.Stale != 50 {
				t.Errorf("%+v", o)
			}
			if p.FailureBackoff > 0 && (o.FirstLoad.Calls != 1 || o.SecondLoad.Calls != 0) {
				t.Errorf("a failure was not remembered: %+v, %+v", o.FirstLoad, o.SecondLoad)
			}
		},
		"absent": func(t testing.TB, cell correctness.Cell, p cacheaside.Policy) {
			o := observed[correctness.AbsentObservation](t, cell)
			once := correctness.Remembered{Reads: 3, Loads: 1, Told: 3}
			failure := correctness.Remembered{Reads: 3, Loads: 3, Told: 3}
			if p.FailureBackoff > 0 {
				failure = once
			}
			if o.Absent != once || o.Empty != once || o.Failure != failure || o.Created != "new" {
				t.Errorf("%+v", o)
			}
		},
		"cold": func(t testing.TB, cell correctness.Cell, p cacheaside.Policy) {
			o := observed[correctness.ColdObservation](t, cell)
			if o.Load.Peak != p.SourceConcurrency || o.Callers.NotBack+o.Callers.Exited+o.Callers.Late != 0 {
				t.Errorf("%+v", o)
			}
		},
	}
}

func observed[O any](t testing.TB, cell correctness.Cell) (o O) {
	t.Helper()
	if err := json.Unmarshal(cell.Observation, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// broken holds a loader that does not return against the promise that everybody is told and the key is whole.
func broken(t testing.TB, cell correctness.Cell, told string) {
	t.Helper()
	o := observed[correctness.BrokenObservation](t, cell)
	if o.Callers.Others[told] != 21 || o.Callers.NotBack+o.Callers.Exited != 0 || o.Load.Calls != 1 || !o.Usable {
		t.Errorf("%+v", o)
	}
}

func neverStale(t testing.TB, s correctness.Staleness) {
	t.Helper()
	if s.Reads != 0 || s.Unsettled || s.Failures != 0 {
		t.Errorf("%+v", s)
	}
}

// oneKeyInAnOutage: one load of a key at a time, whoever comes. Callers that the outage held up longer than a load takes may begin another.
func oneKeyInAnOutage(t testing.TB, cell correctness.Cell, p cacheaside.Policy) {
	o := observed[correctness.OutageObservation](t, cell)
	admitted := min(p.MaxWaitersPerKey+1, o.Callers.Callers)
	if o.Load.Peak != 1 || o.Callers.Values == 0 || o.Callers.Values+o.Callers.Others["timed out"] < admitted {
		t.Errorf("%+v", o)
	}
	everybodyIsBack(t, o)
}

func manyKeysInAnOutage(t testing.TB, cell correctness.Cell, p cacheaside.Policy) {
	o := observed[correctness.OutageObservation](t, cell)
	if o.Load.Peak > p.SourceConcurrency || o.Load.Peak == 0 || o.Load.Calls > o.Keys || o.Callers.Values == 0 {
		t.Errorf("%+v", o)
	}
	everybodyIsBack(t, o)
}

func everybodyIsBack(t testing.TB, o correctness.OutageObservation) {
	t.Helper()
	if o.Callers.NotBack+o.Callers.Exited != 0 {
		t.Errorf("callers were left waiting: %+v", o.Callers)
	}
}
