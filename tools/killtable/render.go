package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cacheaside/resilience/tools/killtable/internal/kit"
)

// renderer prints rows and results, a paragraph each.
type renderer struct {
	out     io.Writer
	verbose bool
}

func (r *renderer) line(label, text string) { fmt.Fprintf(r.out, "    %-9s%s\n", label, text) }

func (r *renderer) row(row kit.Row) {
	fmt.Fprintf(r.out, "%s (%s)\n", row.Name, row.Package)
	r.about(row)
	r.line("red", row.Red)
	r.line("control", strings.Join(row.Controls, ", "))
}

func (r *renderer) about(row kit.Row) {
	r.line("breaks", row.Promise)
	r.line("instead", row.Instead)
}

func (r *renderer) result(result kit.Result) {
	verdict := "killed"
	if !result.Killed() {
		verdict = "FAULT"
	}
	fmt.Fprintf(r.out, "%-7s%s (%s)\n", verdict, result.Row.Name, result.Row.Package)
	r.about(result.Row)
	r.line(result.Red.Ending.String(), result.Red.Test)
	if result.Red.Line != "" {
		r.line("", shortened(result.Red.Line))
	}
	for _, control := range result.Controls {
		r.line("control", control.Test+": "+control.Ending.String())
	}
	for _, fault := range result.Faults {
		r.line("FAULT", fault)
	}
	if r.verbose {
		fmt.Fprintln(r.out, result.Red.Output)
	}
}

func (r *renderer) suite(s kit.Suite) {
	fmt.Fprintf(r.out, "%s (%s)\n", s.Name, s.Package)
	r.line("holds", s.About)
	r.line("test", s.Test)
}

func (r *renderer) suiteResult(result kit.SuiteResult) {
	r.suite(result.Suite)
	r.line(result.Outcome.Ending.String(), fmt.Sprintf("%d wrong variants are found:", len(result.Parts)))
	for _, part := range result.Parts {
		r.line("", strings.ReplaceAll(part, "_", " "))
	}
	if result.Outcome.Ending != kit.Passed {
		r.line("FAULT", shortened(result.Outcome.Line))
	}
}

func (r *renderer) summary(report *kit.Report, took time.Duration) {
	for _, suite := range report.Suites {
		r.suiteResult(suite)
	}
	killed := 0
	for _, result := range report.Results {
		if result.Killed() {
			killed++
		}
	}
	fmt.Fprintf(r.out, "\n%d sabotages, %d killed by their named tests, in %s\n", len(report.Results), killed, took.Round(time.Second/10))
	for _, result := range report.Results {
		for _, fault := range result.Faults {
			fmt.Fprintf(r.out, "FAULT %s: %s\n", result.Row.Name, fault)
		}
	}
	for _, fault := range report.Baseline {
		fmt.Fprintf(r.out, "FAULT %s\n", fault)
	}
}

// maxLine is how much of a line of a test is printed, in bytes; -v prints all.
const maxLine = 200

func shortened(line string) string {
	if len(line) <= maxLine {
		return line
	}
	return strings.ToValidUTF8(line[:maxLine], "") + " ..."
}
