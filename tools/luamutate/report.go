package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// row is what came of one script.
type row struct {
	file     string
	promises int
	attempts []attempt
}

// attempt is what came of one mutant.
type attempt struct {
	mutant
	lines   []int
	noticed string // the promise that it broke; "" if none, or if it could not be made
	how     string
}

func (r row) noticed() int {
	n := 0
	for _, a := range r.attempts {
		if a.noticed != "" {
			n++
		}
	}
	return n
}

func printTable(out io.Writer, rows []row, verbose bool) {
	if verbose {
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, r := range rows {
			for _, a := range r.attempts {
				fmt.Fprintf(table, "%s:%v\t%s\t%s: %s\n", r.file, a.lines, a.breaks, a.noticed, a.how)
			}
		}
		_ = table.Flush() // to the standard output, whose failure nobody could be told
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "script\tpromises\tmutants\tnoticed\tsurvived\t")
	for _, r := range rows {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t\n", r.file, r.promises, len(r.attempts), r.noticed(), len(r.attempts)-r.noticed())
	}
	_ = table.Flush()
}
