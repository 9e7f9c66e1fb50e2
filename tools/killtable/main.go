// Command killtable prints the kill table: for each plausible wrong variant of the library the promise that it breaks, the one test that must go
// red, and what became of it. The variants are woven into copies of the library's files, which go build is shown in their place, so that the
// files themselves are never touched, and a pattern that does not match any more is a fault of its own.
//
// Usage, from the repository's root:
//
//	go run ./tools/killtable [-run REGEX] [-list] [-markdown] [-v] [-race]
//
// -markdown prints the rows as docs/proof.md has them.
//
// It exits with status 1 if a sabotage survives, a control goes red, a named test is missing, skipped or red without any sabotage, or the table
// does not fit the library any more. A row counts only if its test fails by an assertion of its own, or, where the row says so, hangs until a
// watchdog.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"time"

	"github.com/cacheaside/resilience/tools/killtable/internal/kit"
	"github.com/cacheaside/resilience/tools/killtable/internal/table"
)

// limit is how long one row's red test may take, and its controls together.
const limit = 20 * time.Second

const (
	statusFaults = 1
	statusUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], table.Rows(), table.Suites(), os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

func run(ctx context.Context, args []string, rows []kit.Row, suites []kit.Suite, out, errOut io.Writer) int {
	flags := flag.NewFlagSet("killtable", flag.ContinueOnError)
	flags.SetOutput(errOut)
	pattern := flags.String("run", "", "only the rows whose name matches this `regex`")
	list := flags.Bool("list", false, "print the rows and run nothing")
	markdown := flags.Bool("markdown", false, "print the rows as a table of docs/proof.md and run nothing")
	verbose := flags.Bool("v", false, "print all that each red test printed")
	race := flags.Bool("race", false, "build the tests with the race detector")
	root := flags.String("root", ".", "the module's `folder`")
	if err := flags.Parse(args); err != nil {
		return statusUsage
	}
	wanted, err := regexp.Compile(*pattern)
	if err != nil || flags.NArg() > 0 {
		fmt.Fprintf(errOut, "killtable: -run %q: %v, %d arguments beside the flags\n", *pattern, err, flags.NArg())
		return statusUsage
	}
	r := renderer{out: out, verbose: *verbose}
	want := func(row kit.Row) bool { return wanted.MatchString(row.Name) }
	suites = slices.DeleteFunc(slices.Clone(suites), func(s kit.Suite) bool { return !wanted.MatchString(s.Name) })
	if *markdown {
		r.markdown(slices.DeleteFunc(slices.Clone(rows), func(row kit.Row) bool { return !want(row) }))
		return 0
	}
	if *list {
		for _, row := range rows {
			if want(row) {
				r.row(row)
			}
		}
		for _, suite := range suites {
			r.suite(suite)
		}
		return 0
	}
	begun := time.Now()
	report, err := kit.Run(ctx, rows, kit.Options{Root: *root, Want: want, Suites: suites, Conformance: table.Conformance(), Race: *race, Limit: limit, Tell: r.result})
	if err != nil {
		fmt.Fprintln(errOut, "killtable:", err)
		return statusFaults
	}
	r.summary(report, time.Since(begun))
	if !report.OK() || len(report.Results)+len(report.Suites) == 0 {
		return statusFaults
	}
	return 0
}
