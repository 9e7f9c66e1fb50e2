package scenario_test

import (
	"encoding/json"
	"runtime"
	"slices"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
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

// A run of this library may differ from others of its seed, though seldom: it hashes keys with a seed of its own, and where two keys that are loaded
// at once collide, one of them is looked up once more. So two of three must agree.
func TestTheSameSeedGivesTheSameFiguresInEveryCheck(t *testing.T) {
	notUnderRace(t)
	o := scenario.Options{Seed: 3, Size: scenario.Quarter, Contenders: library()}
	for _, id := range []string{"S3", "S4", "S7", "S13", "S14", "S16"} {
		again := func() []result.Check { return study(t, o, func(other string) bool { return other == id })[0].Checks }
		first, second := again(), again()
		if slices.Equal(first, second) {
			continue
		}
		if third := again(); !slices.Equal(first, third) && !slices.Equal(second, third) {
			t.Errorf("%s: %+v, and then %+v, and then %+v", id, first, second, third)
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
