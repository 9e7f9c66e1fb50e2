package kit

import (
	"slices"
	"time"
)

// Options say how a table is run.
type Options struct {
	Root        string            // folder of the module
	Want        func(Row) bool    // which rows are run; all are woven in
	Suites      []Suite           // what is run beside the rows
	Conformance []string          // import paths of the suites of [CheckConformance]
	Race        bool              // with the race detector
	Limit       time.Duration     // of one process of tests
	Tell        func(done Result) // called for each row, in the table's order, one at a time; may be nil
}

// Report is what became of a table.
type Report struct {
	Results  []Result // in the table's order
	Suites   []SuiteResult
	Baseline []string // what is red, skipped or missing without any sabotage
}

// OK tells whether every row was killed, every suite is green, and every test is green without any sabotage.
func (r *Report) OK() bool {
	return len(r.Baseline) == 0 && !slices.ContainsFunc(r.Suites, SuiteResult.broken) &&
		!slices.ContainsFunc(r.Results, func(row Result) bool { return !row.Killed() })
}
