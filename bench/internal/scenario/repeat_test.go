package scenario_test

import (
	"encoding/json"
	"runtime"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/scenario"
)

func TestTheSameSeedGivesTheSameBytesOnOneProcessor(t *testing.T) {
	notUnderRace(t)
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	o := scenario.Options{Seed: 7, Size: scenario.Quarter, Contenders: contender.All(), Named: true}
	for _, task := range find(t, "S1").Plan(o) {
		var first string
		for again := range 2 {
			run, err := task.Run(t.Context(), bubble.Of(t), nil)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(run)
			if err != nil {
				t.Fatal(err)
			}
			if again == 0 {
				first = string(text)
			} else if string(text) != first {
				t.Errorf("%s %s: two runs of one seed differ", task.Contender.ID, task.Variant)
			}
		}
	}
}

func TestTheSameSeedGivesTheSameFiguresInEveryCheck(t *testing.T) {
	notUnderRace(t)
	o := scenario.Options{Seed: 3, Size: scenario.Quarter, Contenders: library()}
	wanted := func(id string) bool { return id == "S3" || id == "S4" || id == "S7" || id == "S16" }
	first, second := study(t, o, wanted), study(t, o, wanted)
	for n := range first {
		for k, check := range first[n].Checks {
			if again := second[n].Checks[k]; again != check {
				t.Errorf("%s: %+v, and then %+v", first[n].ID, check, again)
			}
		}
	}
}

func TestAnotherSeedGivesOtherFigures(t *testing.T) {
	var figures []string
	for seed := range uint64(2) {
		run, err := find(t, "S16").Plan(scenario.Options{Seed: seed, Size: scenario.Quarter, Contenders: contender.All()})[0].Run(t.Context(), bubble.Of(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(run.Seconds)
		figures = append(figures, string(text))
	}
	if figures[0] == figures[1] {
		t.Error("two seeds gave the same run")
	}
}

func find(t *testing.T, id string) scenario.Scenario {
	t.Helper()
	for _, s := range scenario.All() {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no scenario %s", id)
	return scenario.Scenario{}
}
