package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	source = "package p\n\nfunc f(a, b int) bool {\n\treturn a < b && a+b > 0\n}\n"

	goodList = "# Survivors\n\nProse.\n\n### `p/p.go`\n\n```diff\n-return a < b && a+b > 0\n+return a < b && a-b > 0\n```\n\nEquivalent,\nas a test says.\n"

	goodReport = `{"files": [{"file_name": "p.go", "mutations": [
		{"line": 4, "column": 11, "type": "CONDITIONALS_BOUNDARY", "status": "KILLED"},
		{"line": 4, "column": 11, "type": "CONDITIONALS_NEGATION", "status": "TIMED OUT"},
		{"line": 4, "column": 15, "type": "INVERT_LOGICAL", "status": "NOT VIABLE"},
		{"line": 4, "column": 19, "type": "ARITHMETIC_BASE", "status": "LIVED"}]}]}`

	listed = "p/p.go: return a < b && a+b > 0 => return a < b && a-b > 0"
)

func TestEveryDifferenceBetweenListAndSurvivorsIsAFault(t *testing.T) {
	root := t.TempDir()
	write(t, root, "p/p.go", source)
	t.Chdir(root)
	other := strings.Replace(goodList, "a-b > 0", "a*b > 0", 1)
	for name, test := range map[string]struct {
		list, report, target string
		all                  bool
		want                 []string
	}{
		"all good":                    {goodList, goodReport, "p", true, nil},
		"all good, one file":          {goodList, goodReport, "p:q.go,p.go", true, nil},
		"nothing listed":              {"# Survivors\n", goodReport, "p", true, []string{"survived and is not listed: " + listed}},
		"listed twice, survived once": {goodList + goodList, goodReport, "p", true, []string{"listed, but noticed by the tests or no more there: " + listed}},
		"survived twice, listed once": {
			goodList, strings.Replace(goodReport, "KILLED", "KILLED\"}, {\"line\": 4, \"column\": 19, \"type\": \"ARITHMETIC_BASE\", \"status\": \"LIVED", 1), "p", true,
			[]string{"survived and is not listed: " + listed},
		},
		"another one listed": {
			other, goodReport, "p", true,
			[]string{"survived and is not listed: " + listed, "listed, but noticed by the tests or no more there: " + strings.Replace(listed, "a-b", "a*b", 1)},
		},
		"noticed by now": {
			goodList, strings.Replace(goodReport, "LIVED", "KILLED", 1), "p", true,
			[]string{"listed, but noticed by the tests or no more there: " + listed},
		},
		"no reason": {strings.Replace(goodList, "Equivalent,\nas a test says.", "", 1), goodReport, "p", true, []string{"listed without a reason: " + listed}},
		"a file not mutated": {
			goodList + strings.ReplaceAll(goodList, "p/p.go", "q/q.go"), goodReport, "p", true,
			[]string{"listed in a file that is not mutated: " + strings.Replace(listed, "p/p.go", "q/q.go", 1)},
		},
		"a file not mutated this time": {goodList + strings.ReplaceAll(goodList, "p/p.go", "q/q.go"), goodReport, "p", false, nil},
		"a mutant left out": {
			goodList, strings.Replace(goodReport, "TIMED OUT", "NOT COVERED", 1), "p", true, []string{"p: 1 mutants were left out"},
		},
		"nothing noticed": {
			goodList, strings.Replace(goodReport, "KILLED", "NOT VIABLE", 1), "p", true, []string{"p: no mutant was noticed, so none was tried"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			list, report := write(t, dir, "list.md", test.list), write(t, dir, "report.json", test.report)
			got, err := check(list, test.all, []string{test.target + "=" + report})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("faults %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestWhatCannotBeReadIsAnErrorAndNoVerdict(t *testing.T) {
	root := t.TempDir()
	write(t, root, "p/p.go", source)
	t.Chdir(root)
	for name, test := range map[string]struct{ list, report, target string }{
		"a block without a file":        {strings.Replace(goodList, "### `p/p.go`", "### p.go", 1), goodReport, "p="},
		"a block that does not end":     {goodList[:strings.Index(goodList, "\n```\n")], goodReport, "p="},
		"a block of one line":           {strings.Replace(goodList, "+return a < b && a-b > 0\n", "", 1), goodReport, "p="},
		"a block of three lines":        {strings.Replace(goodList, "-return", "-x\n-return", 1), goodReport, "p="},
		"a report that is no report":    {goodList, "[]", "p="},
		"a fate that is none":           {goodList, strings.Replace(goodReport, "KILLED", "RUNNABLE", 1), "p="},
		"a line beyond the file":        {goodList, strings.Replace(goodReport, `4, "column": 19`, `44, "column": 19`, 1), "p="},
		"a column beyond the line":      {goodList, strings.Replace(goodReport, `"column": 19`, `"column": 99`, 1), "p="},
		"another operator at the place": {goodList, strings.Replace(goodReport, `"column": 19`, `"column": 18`, 1), "p="},
		"a file that was not to be":     {goodList, goodReport, "p:q.go="},
		"an argument without a report":  {goodList, goodReport, "p"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			list, report := write(t, dir, "list.md", test.list), write(t, dir, "report.json", test.report)
			target := test.target
			if strings.HasSuffix(target, "=") {
				target += report
			}
			if faults, err := check(list, true, []string{target}); err == nil {
				t.Errorf("no error, and faults %q", faults)
			}
		})
	}
	if _, err := check(write(t, t.TempDir(), "list.md", goodList), true, nil); err == nil {
		t.Error("no report at all is no error")
	}
}

func TestALineIsShownAsTheMutationLeftIt(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		kind, line string
		column     int
		want       string
	}{
		{"CONDITIONALS_BOUNDARY", "\tif a >= b {", 7, "if a > b {"},
		{"CONDITIONALS_NEGATION", "\tif a >= b {", 7, "if a < b {"},
		{"CONDITIONALS_NEGATION", "\tif a != b {", 7, "if a == b {"},
		{"INVERT_LOGICAL", "a && b && c", 8, "a && b || c"},
		{"INVERT_BITWISE", "a &^ b", 3, "a & b"},
		{"REMOVE_SELF_ASSIGNMENTS", "a <<= 1", 3, "a = 1"},
		{"INVERT_LOOPCTRL", "\t\tcontinue", 3, "break"},
	} {
		got, err := mutation{Type: row.kind, Line: 1, Column: row.column}.change("f.go", row.line)
		if err != nil || got.after != row.want || got.before != strings.TrimSpace(row.line) {
			t.Errorf("%s of %q: %q => %q, %v; want %q", row.kind, row.line, got.before, got.after, err, row.want)
		}
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
