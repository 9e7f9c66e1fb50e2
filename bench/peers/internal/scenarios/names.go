package scenarios

import (
	"slices"
	"strings"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// rename gives this library's contenders the names of the comparison, and lines of plots the names alone, for a legend has little room.
func rename(found *result.Scenario) {
	name := func(lab string) string {
		for _, p := range presets() {
			if p.lab == lab {
				return p.library
			}
		}
		return lab
	}
	for i := range found.Runs {
		found.Runs[i].Contender = name(found.Runs[i].Contender)
	}
	for i := range found.Checks {
		found.Checks[i].Contender = name(found.Checks[i].Contender)
	}
	found.Plots = slices.DeleteFunc(found.Plots, tooShort)
	for _, plot := range found.Plots {
		for i, line := range plot.Lines {
			if line.Contender != "" {
				plot.Lines[i].Contender = name(line.Contender)
				plot.Lines[i].Name = plot.Lines[i].Contender
			}
		}
	}
	for i := range found.Parameters {
		found.Parameters[i].Value = strings.ReplaceAll(found.Parameters[i].Value, "P6 to P8", "this library")
	}
}

// fewSeconds is how many points a line over time must have to show anything that the tables do not.
const fewSeconds = 6

// tooShort tells of plots over time of a run of few seconds: a line of three points is no course.
func tooShort(plot result.Plot) bool {
	return plot.X.Label == "time (s)" && !slices.ContainsFunc(plot.Lines, func(l result.Line) bool { return len(l.Data) >= fewSeconds })
}
