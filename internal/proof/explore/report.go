package explore

import (
	"fmt"
	"strings"
	"time"
)

// Report counts what a [Search] or a [Walk] did.
type Report struct {
	Schedules  int // runs that were made to the end: distinct schedules up to the pruned ones
	Cut        int // runs that ended in a state that had been entered before
	States     int // distinct states
	Deepest    int // the most choices of a run
	Completed  int // the most steps of a completion
	Walks      int
	Diverged   int // runs in which the same choices did not lead to the same point: the system is not deterministic
	Elapsed    time.Duration
	Violations []Violation

	partial bool
}

// Full tells whether everything was tried that the search was to try.
func (r Report) Full() bool { return !r.partial }

// String gives the counts in one line.
func (r Report) String() string {
	how := "in full"
	if r.partial {
		how = "not in full"
	}
	return fmt.Sprintf("%d schedules and %d cut short, %d distinct states, %d walks, deepest %d choices and %d steps of completion, "+
		"%d diverged, %d violations, %s, %s",
		r.Schedules, r.Cut, r.States, r.Walks, r.Deepest, r.Completed, r.Diverged, len(r.Violations), how, r.Elapsed.Round(time.Millisecond))
}

// Add sums the counts of two reports.
func (r Report) Add(other Report) Report {
	return Report{
		Schedules: r.Schedules + other.Schedules, Cut: r.Cut + other.Cut, States: r.States + other.States, Walks: r.Walks + other.Walks,
		Deepest: max(r.Deepest, other.Deepest), Completed: max(r.Completed, other.Completed), Diverged: r.Diverged + other.Diverged,
		Elapsed: r.Elapsed + other.Elapsed, Violations: append(r.Violations[:len(r.Violations):len(r.Violations)], other.Violations...),
		partial: r.partial || other.partial,
	}
}

func (r *Report) count(of string, made trial) {
	r.Deepest, r.Completed = max(r.Deepest, len(made.schedule)), max(r.Completed, len(made.settling))
	if made.cut {
		r.Cut++
	} else {
		r.Schedules++
	}
	if made.err != nil {
		r.Violations = append(r.Violations, made.violation(of))
	}
}

// Violation is a broken promise and the way to it.
type Violation struct {
	Of       string // what was tried, as far as it has a name
	Schedule Schedule
	Steps    []string // the choices in words
	Settling []string // the steps of the completion until then
	Err      error
}

func (m *trial) violation(of string) Violation {
	return Violation{Of: of, Schedule: m.schedule, Steps: m.names, Settling: m.settling, Err: m.err}
}

// String gives the promise, the schedule as [Replay] takes it, the choices in words, and the steps of the completion.
func (v Violation) String() string {
	var text strings.Builder
	of := ""
	if v.Of != "" {
		of = v.Of + ":"
	}
	fmt.Fprintf(&text, "%v\n  schedule %s%s", v.Err, of, v.Schedule)
	for i, step := range v.Steps {
		fmt.Fprintf(&text, "\n  %2d. %s", i+1, step)
	}
	for _, step := range v.Settling {
		fmt.Fprintf(&text, "\n   -  %s", step)
	}
	return text.String()
}
