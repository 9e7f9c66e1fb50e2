// Command evidence checks that every promise listed in docs/evidence.md is shown by a test that ran and passed.
//
// Usage:
//
//	evidence -doc docs/evidence.md run.json [more.json ...]
//
// The files are streams of go test -json. It prints every fault and exits with status 1 if there is one: a row without a test, a number used
// twice, a named test that is missing, was skipped or failed, a case row whose tests do not bear its number, a numbered case test that no row
// names.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	doc := flag.String("doc", "docs/evidence.md", "the `file` that lists promises and tests")
	flag.Parse()
	faults, err := check(*doc, flag.Args(), os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "evidence:", err)
		os.Exit(2)
	}
	if len(faults) > 0 {
		for _, fault := range faults {
			fmt.Fprintln(os.Stderr, "evidence:", fault)
		}
		os.Exit(1)
	}
}

func check(doc string, streams []string, out io.Writer) ([]string, error) {
	text, err := os.ReadFile(doc)
	if err != nil {
		return nil, err
	}
	rows := parseRows(string(text))
	seen := results{}
	for _, path := range streams {
		if err := seen.readFile(path); err != nil {
			return nil, err
		}
	}
	faults := judge(rows, seen)
	if len(faults) == 0 {
		fmt.Fprintf(out, "evidence: %d rows, %d tests named, all ran and passed\n", len(rows), countTests(rows))
	}
	return faults, nil
}
