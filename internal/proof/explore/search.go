package explore

import (
	"crypto/sha256"
	"testing"
	"time"
)

// Search tries every schedule of a system, to a depth.
type Search struct {
	// Name tells what is searched, in the violations.
	Name string

	// New makes a fresh system. It is called inside the bubble.
	New func() System

	// Depth is how many choices are made before the fair completion takes over.
	Depth int

	// Unpruned enters states again that were entered before, and makes every completion to its end.
	Unpruned bool

	// Violations ends the search after so many; 0 ends it after none.
	Violations int

	// Schedules ends the search after so many runs, cut ones included; 0 ends it after none. The report is not full then.
	Schedules int
}

// branch is one quiescent point of the schedule that is being tried.
type branch struct {
	choices int
	made    int
	name    string
}

// searching is the state of one [Search.Run].
type searching struct {
	Search

	path    []branch
	entered map[digest]int // of each state, one more than the choices that were left when it was entered
	settled map[digest]int // the states that a completion has been in, and in which run
	runs    int
	report  Report
}

// Run searches. Runs that broke a promise are violations of the report; t itself fails only where a run fails it.
func (s Search) Run(t *testing.T) Report {
	t.Helper()
	begun := time.Now()
	on := searching{Search: s, entered: make(map[digest]int), settled: make(map[digest]int)}
	for {
		on.runs++
		on.report.count(s.Name, try(t, s.New, course{len(on.path), on.pick, on.known}))
		if !on.advance() {
			break
		}
		if len(on.report.Violations) == s.Violations && s.Violations > 0 || on.runs == s.Schedules {
			on.report.partial = true
			break
		}
	}
	on.report.States, on.report.Elapsed = len(on.entered), time.Since(begun)
	return on.report
}

// pick makes the choices of the path again and then, at every new point, the first one.
func (s *searching) pick(made int, system System, choices []Choice) int {
	if made < len(s.path) {
		at := &s.path[made]
		if at.choices != len(choices) || at.name != "" && at.name != choices[at.made].Name {
			s.report.Diverged++
			return cut
		}
		at.name = choices[at.made].Name
		return at.made
	}
	if !s.enter(system, s.Depth-made) {
		return cut
	}
	if made == s.Depth || len(choices) == 0 {
		return complete
	}
	s.path = append(s.path, branch{choices: len(choices), name: choices[0].Name})
	return 0
}

// digest stands for a state; two states of one digest are as good as impossible.
type digest [16]byte

func digestOf(system System) digest {
	sum := sha256.Sum256([]byte(system.State()))
	return digest(sum[:16])
}

func (s *searching) enter(system System, left int) bool {
	state := digestOf(system)
	if !s.Unpruned && s.entered[state] > left {
		return false
	}
	s.entered[state] = max(s.entered[state], left+1)
	return true
}

// known tells whether the completion of another run has been in this state, from which on this one would only go the same way. Where it broke a
// promise it has told so.
func (s *searching) known(system System) bool {
	if s.Unpruned {
		return false
	}
	state := digestOf(system)
	run, known := s.settled[state]
	if !known {
		s.settled[state] = s.runs
	}
	return known && run != s.runs
}

// advance turns the path to the next schedule, and tells whether there is one.
func (s *searching) advance() bool {
	for len(s.path) > 0 {
		last := &s.path[len(s.path)-1]
		if last.made++; last.made < last.choices {
			last.name = ""
			return true
		}
		s.path = s.path[:len(s.path)-1]
	}
	return false
}
