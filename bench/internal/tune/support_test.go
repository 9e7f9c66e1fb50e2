package tune_test

import (
	"testing"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/scenario"
	"github.com/cacheaside/resilience/bench/internal/tune"
)

// runAll makes every run that a configuration plans.
func runAll(t *testing.T, config tune.Config) []result.Run {
	t.Helper()
	var runs []result.Run
	for _, task := range config.Plan(scenario.Options{}) {
		run, err := task.Run(t.Context(), bubble.Of(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	return runs
}

// parsed is what a text says that has no mistake.
func parsed(t *testing.T, text string) tune.Config {
	t.Helper()
	config, err := tune.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return config
}
