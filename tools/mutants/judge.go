package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// judge lists every fault: survivors first, in the order of the reports, then what is wrong with the list, in its own.
func judge(list []survivor, runs []run, all bool) []string {
	var faults []string
	open := map[change]int{} // how many of each survived; a line may occur twice in a file
	for _, r := range runs {
		if n := r.count[notCovered]; n > 0 {
			faults = append(faults, fmt.Sprintf("%s: %d mutants were left out", r.folder, n))
		}
		if r.count[killed] == 0 {
			faults = append(faults, fmt.Sprintf("%s: no mutant was noticed, so none was tried", r.folder))
		}
		for _, c := range r.lived {
			open[c]++
		}
	}
	var stale []string
	for _, s := range list {
		switch {
		case s.reason == "":
			stale = append(stale, "listed without a reason: "+s.String())
		case !slices.ContainsFunc(runs, func(r run) bool { return r.covers(s.file) }):
			if all {
				stale = append(stale, "listed in a file that is not mutated: "+s.String())
			}
			continue
		case open[s.change] == 0:
			stale = append(stale, "listed, but noticed by the tests or no more there: "+s.String())
		}
		open[s.change]--
	}
	for _, r := range runs {
		for _, c := range r.lived {
			if open[c] > 0 {
				open[c]--
				faults = append(faults, "survived and is not listed: "+c.String())
			}
		}
	}
	return append(faults, stale...)
}

func printTable(out io.Writer, runs []run) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "package\tmutants\tkilled\ttimed out\tsurvived\tnot covered\tdo not compile\t")
	total := run{folder: "all", count: map[string]int{}}
	for _, r := range runs {
		for status, n := range r.count {
			total.count[status] += n
		}
		printRow(table, r)
	}
	printRow(table, total)
	_ = table.Flush() // to the standard output, whose failure nobody could be told
}

// printRow counts as mutants only those that compile.
func printRow(out io.Writer, r run) {
	c := r.count
	fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.folder,
		c[killed]+c[timedOut]+c[lived]+c[notCovered], c[killed], c[timedOut], c[lived], c[notCovered], c[notViable])
}
