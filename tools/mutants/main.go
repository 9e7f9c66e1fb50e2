// Command mutants compares what mutation testing found with the list of mutants that may survive.
//
// Usage:
//
//	mutants -list docs/mutants.md [-all] envelope=envelope.json [cacheaside:decide.go,policy.go=cacheaside.json ...]
//
// Each argument is a package's folder, which of its files were mutated if not all of them, and the report of gremlins about it. It prints one row
// for each package and exits with status 1 if a mutant survived that is not listed, or one is listed that was noticed or is no more, has no reason,
// or, with -all, is in a file that was not mutated.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	list := flag.String("list", "docs/mutants.md", "the `file` that lists the survivors with their reasons")
	all := flag.Bool("all", false, "every listed survivor must be in a file that was mutated")
	flag.Parse()
	faults, err := check(*list, *all, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
	if len(faults) > 0 {
		for _, fault := range faults {
			fmt.Fprintln(os.Stderr, "mutants:", fault)
		}
		os.Exit(1)
	}
}

func check(list string, all bool, arguments []string) ([]string, error) {
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	listed, err := parseList(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", list, err)
	}
	var runs []run
	for _, argument := range arguments {
		r, err := readRun(argument)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("no report is named")
	}
	printTable(os.Stdout, runs)
	return judge(listed, runs, all), nil
}
