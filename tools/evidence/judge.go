package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// caseNumbers are the numbers in front of a test's name; one test may show several cases: TestC75_C77_ARetypedField.
var caseNumbers = regexp.MustCompile(`^Test((?:C[0-9]+_)+)`)

// judge lists every fault, in the order of the document.
func judge(rows []row, seen results) []string {
	if len(rows) == 0 {
		return []string{"the document has no rows"}
	}
	var faults []string
	ids := map[string]bool{}
	for _, r := range rows {
		if ids[r.id] {
			faults = append(faults, fmt.Sprintf("row %s: the number is used twice", r.id))
		}
		ids[r.id] = true
		faults = append(faults, judgeRow(r, seen)...)
	}
	return append(faults, unlisted(ids, seen)...)
}

func judgeRow(r row, seen results) []string {
	if len(r.tests) == 0 {
		return []string{fmt.Sprintf("row %s: no test is named", r.id)}
	}
	var faults []string
	for _, name := range r.tests {
		if strings.HasPrefix(r.id, "C") && !slices.Contains(numbersOf(name), r.id) {
			faults = append(faults, fmt.Sprintf("row %s: %s does not bear the number", r.id, name))
		}
		switch v := seen[name]; {
		case v.failed:
			faults = append(faults, fmt.Sprintf("row %s: %s failed", r.id, name))
		case v.passed:
		case v.skipped:
			faults = append(faults, fmt.Sprintf("row %s: %s was skipped", r.id, name))
		default:
			faults = append(faults, fmt.Sprintf("row %s: %s did not run", r.id, name))
		}
	}
	return faults
}

func numbersOf(name testName) []string {
	match := caseNumbers.FindStringSubmatch(name.test)
	if match == nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(match[1], "_"), "_")
}

// unlisted finds case tests with a number that the document does not have, so that a new one is not forgotten there.
func unlisted(ids map[string]bool, seen results) []string {
	var faults []string
	for name := range seen {
		if strings.Contains(name.test, "/") {
			continue
		}
		for _, number := range numbersOf(name) {
			if !ids[number] {
				faults = append(faults, fmt.Sprintf("%s bears the number %s, which no row has", name, number))
			}
		}
	}
	slices.Sort(faults)
	return faults
}
