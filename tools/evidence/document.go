package main

import (
	"regexp"
	"strings"
)

// row is one promise of the document: a table row whose first cell is its number and whose last cell names tests.
type row struct {
	id    string
	tests []testName
}

// testName names a test by its package's folder and its name, subtest included: cacheaside.TestAFreshHitDoesNotCallTheSource.
type testName struct{ pkg, test string }

func (n testName) String() string { return n.pkg + "." + n.test }

var (
	rowID    = regexp.MustCompile(`^C?[0-9]+$`)
	testSpan = regexp.MustCompile("`([A-Za-z0-9_/-]+)\\.((?:Test|Example|Fuzz)[^`]*)`")
)

// parseRows finds the rows in the tables of a Markdown document. Text outside tables and tables without numbers in front are prose.
func parseRows(document string) []row {
	var rows []row
	for line := range strings.Lines(document) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		id := strings.TrimSpace(cells[0])
		if len(cells) < 3 || !rowID.MatchString(id) {
			continue
		}
		r := row{id: id}
		for _, span := range testSpan.FindAllStringSubmatch(cells[len(cells)-1], -1) {
			r.tests = append(r.tests, testName{pkg: span[1], test: span[2]})
		}
		rows = append(rows, r)
	}
	return rows
}

func countTests(rows []row) int {
	names := map[testName]struct{}{}
	for _, r := range rows {
		for _, name := range r.tests {
			names[name] = struct{}{}
		}
	}
	return len(names)
}
