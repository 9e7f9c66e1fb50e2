package kit

import (
	"slices"
	"time"
)

// Options say how a table is run.
type Options struct {
	Root  string            // folder of the module
	Want  func(Row) bool    // which rows are run; all are woven in
	Race  bool              // with the race detector
	Limit time.Duration     // of one process of tests
	Tell  func(done Result) // called for each row when it is done, one at a time and in no order; may be nil
}

// baselineLimits is how many limits of one row the run without any sabotage may take, since it runs the tests of all rows in one process.
const baselineLimits = 4

// Report is what became of a table.
type Report struct {
	Results  []Result // in the table's order
	Baseline []string // what is red, skipped or missing without any sabotage
}

// OK tells whether every row was killed, and every test is green without any sabotage.
func (r *Report) OK() bool {
	return len(r.Baseline) == 0 && !slices.ContainsFunc(r.Results, func(row Result) bool { return !row.Killed() })
}
