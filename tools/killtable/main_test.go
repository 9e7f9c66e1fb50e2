package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/tools/killtable/internal/kit"
	"github.com/cacheaside/resilience/tools/killtable/internal/table"
	"github.com/cacheaside/resilience/tools/killtable/internal/tiny"
)

func TestTheExitStatusTellsWhetherEverySabotageWasKilled(t *testing.T) {
	t.Parallel()
	root := tiny.Module(t)
	rows := tiny.Table(
		tiny.Killed(),
		tiny.Row("survives", "TestLooksTheOtherWay", "TestTwiceIsDouble"),
		tiny.Row("red-control", "TestTenIsTheMost", "TestIndexes"),
		tiny.Row("missing", "TestIsNotThere", "TestTwiceIsDouble"),
		tiny.Row("skipped", "TestSkips", "TestTwiceIsDouble"),
	)
	suites := []kit.Suite{
		{Name: "parts", About: "Parts.", Package: "lib", Test: "TestTenIsTheMost"},
		{Name: "partless", About: "No parts.", Package: "lib", Test: "TestTwiceIsDouble"},
		{Name: "red-suite", About: "A red part.", Package: "lib", Test: "TestHasARedPart"},
		{Name: "skipped-suite", About: "Skipped.", Package: "lib", Test: "TestSkips"},
	}
	for _, test := range []struct {
		args   string
		status int
		says   []string
	}{
		{"-run ^unbounded$ -v", 0, []string{"--- FAIL: TestTenIsTheMost/above", "killed unbounded (lib)", "TestTenIsTheMost", "lib_test.go:14: got 11, want 10", "1 sabotages, 1 killed"}},
		{"-run ^survives$", statusFaults, []string{"FAULT survives: survives: TestLooksTheOtherWay stays green"}},
		{"-run ^red-control$", statusFaults, []string{"FAULT red-control: the control TestIndexes"}},
		{"-run ^unbounded$|^missing$|^skipped$", statusFaults, []string{
			"3 sabotages, 1 killed", "FAULT missing: TestIsNotThere does not exist", "FAULT skipped: TestSkips is skipped",
		}},
		{"-run ^parts$", 0, []string{"parts (lib)", "1 wrong variants are found:", "above"}},
		{"-run ^partless$", statusFaults, []string{"0 wrong variants"}},
		{"-run ^red-suite$", statusFaults, []string{"1 wrong variants are found:", "FAULT", "not found"}},
		{"-run ^skipped-suite$", statusFaults, []string{"FAULT", "no server here"}},
		{"-run nothing-of-that-name", statusFaults, []string{"0 sabotages"}},
		{"-list", 0, []string{"survives (lib)", "partless (lib)", "Ten is the most.", "TestLooksTheOtherWay"}},
		{"-run (", statusUsage, nil},
		{"-fast", statusUsage, nil},
		{"unbounded", statusUsage, nil},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			var out, errOut bytes.Buffer
			status := run(t.Context(), append([]string{"-root", root}, strings.Fields(test.args)...), rows, suites, &out, &errOut)
			if status != test.status {
				t.Fatalf("status %d, want %d\n%s%s", status, test.status, &out, &errOut)
			}
			for _, part := range test.says {
				if !strings.Contains(out.String(), part) {
					t.Errorf("does not say %q:\n%s", part, &out)
				}
			}
		})
	}
}

func TestATableThatDoesNotFitIsTold(t *testing.T) {
	t.Parallel()
	rows := tiny.Table(tiny.Killed())
	rows[0].Edits[0].Old = "if n >= 10 {"
	var out, errOut bytes.Buffer
	status := run(t.Context(), []string{"-root", tiny.Module(t)}, rows, nil, &out, &errOut)
	if status != statusFaults || !strings.Contains(errOut.String(), "unbounded: its pattern") {
		t.Errorf("status %d, told %q", status, errOut.String())
	}
}

func TestTheTableItselfIsComplete(t *testing.T) {
	t.Parallel()
	rows := table.Rows()
	if err := kit.Check(rows); err != nil {
		t.Error(err)
	}
	if err := kit.CheckConformance("../..", rows, table.Conformance()); err != nil {
		t.Error(err)
	}
	for _, row := range rows {
		if !strings.HasSuffix(row.Promise, ".") || strings.HasSuffix(row.Instead, ".") {
			t.Errorf("%s: the promise is a sentence, what happens instead a clause", row.Name)
		}
	}
}
