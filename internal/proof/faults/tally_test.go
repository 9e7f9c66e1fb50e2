package faults_test

import (
	"fmt"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// tally is what was seen of the matrix.
type tally struct {
	mu    sync.Mutex
	cells map[string]sighting // by name
}

func newTally() *tally { return &tally{cells: make(map[string]sighting)} }

// add keeps what was seen of a cell, and of several times the longest.
func (s *tally) add(c cell, seen sighting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen.took = max(seen.took, s.cells[name(c)].took)
	s.cells[name(c)] = seen
}

// String is the matrix as a table: a row for each fault, a column for each operation.
func (s *tally) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "fault")
	for _, o := range operations() {
		fmt.Fprintf(table, "\t%s", o)
	}
	fmt.Fprintln(table)
	for _, f := range faults() {
		fmt.Fprint(table, f)
		for _, o := range operations() {
			if seen, was := s.cells[name(cell{fault: f, operation: o})]; was {
				fmt.Fprintf(table, "\t%s, %v, %v", seen.outcome, seen.sent, seen.took.Round(100*time.Microsecond))
			} else {
				fmt.Fprint(table, "\t-")
			}
		}
		fmt.Fprintln(table)
	}
	_ = table.Flush() // into memory
	return text.String()
}
