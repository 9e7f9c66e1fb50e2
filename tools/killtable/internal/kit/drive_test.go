package kit_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/tools/killtable/internal/kit"
	"github.com/cacheaside/resilience/tools/killtable/internal/tiny"
)

// judged are rows and the fault that each must be told of; "" is none.
func judged() ([]kit.Row, []string) {
	const good = "TestTwiceIsDouble"
	hangs, says := tiny.Row("hangs-as-said", "TestWaits", good), tiny.Row("says-so", "TestAssertsAndLeavesSomebodyWaiting", good)
	saysOther := tiny.Row("says-other", "TestTenIsTheMost", good)
	hangs.Hangs, says.Says, saysOther.Says = true, "want ten", "want eleven"
	oneOfSuite := tiny.Row("one-of-a-suite", "TestKeepsTheContract", good)
	oneOfSuite.Says = "eleven is 11"
	table := []struct {
		row   kit.Row
		fault string
	}{
		{tiny.Killed(), ""},
		{tiny.Row("survives", "TestLooksTheOtherWay", good), "survives: TestLooksTheOtherWay stays green"},
		{tiny.Row("red-control", "TestTenIsTheMost", "TestIndexes"), "the control TestIndexes must stay green and is panicked"},
		{tiny.Row("missing", "TestIsNotThere", good), "TestIsNotThere does not exist or does not run"},
		{tiny.Row("prefix", "TestTenIs", good), "TestTenIs does not exist or does not run"},
		{tiny.Row("missing-control", "TestTenIsTheMost", "TestIsNotThere"), "the control TestIsNotThere does not exist"},
		{tiny.Row("skipped", "TestSkips", good), "TestSkips is skipped and shows nothing"},
		{tiny.Row("skipped-control", "TestTenIsTheMost", "TestSkips"), "the control TestSkips must stay green and is skipped"},
		{tiny.Row("panics", "TestIndexes", good), "TestIndexes panicked and does not fail by an assertion of its own"},
		{tiny.Row("hangs", "TestWaits", good), "TestWaits hung and does not fail by an assertion of its own"},
		{hangs, ""},
		{says, ""},
		{oneOfSuite, ""},
		{saysOther, `TestTenIsTheMost is red, and does not say "want eleven"`},
	}
	var rows []kit.Row
	var faults []string
	for _, r := range table {
		rows, faults = append(rows, r.row), append(faults, r.fault)
	}
	return tiny.Table(rows...), faults
}

func TestARowCountsOnlyIfItsTestFailsByItsOwnAssertionAndItsControlsPass(t *testing.T) {
	t.Parallel()
	root := tiny.Module(t)
	path := filepath.Join(root, "lib", "lib.go")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, faults := judged()
	report, err := kit.Run(t.Context(), rows, options(root))
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Results) != len(rows) {
		t.Fatalf("%d results of %d rows", len(report.Results), len(rows))
	}
	for i, result := range report.Results {
		told := strings.Join(result.Faults, "; ")
		if result.Row.Name != rows[i].Name || (faults[i] == "") != result.Killed() || !strings.Contains(told, faults[i]) {
			t.Errorf("%s: told %q, want %q", rows[i].Name, told, faults[i])
		}
	}
	if line := report.Results[0].Red.Line; line != "lib_test.go:14: got 11, want 10" {
		t.Errorf("the first line of the red test is %q", line)
	}
	if report.OK() {
		t.Error("a table with faults is told as good")
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the library's own file was touched: %v", err)
	}
	wantBaseline(t, report, "lib: TestIsNotThere does not exist or does not run", "lib: TestSkips is skipped without any sabotage", "lib: TestTenIs does not exist")
}

func wantBaseline(t *testing.T, report *kit.Report, want ...string) {
	t.Helper()
	if len(report.Baseline) != len(want) {
		t.Errorf("without any sabotage: %q, want %q", report.Baseline, want)
		return
	}
	for i, fault := range report.Baseline {
		if !strings.HasPrefix(fault, want[i]) {
			t.Errorf("without any sabotage: %q, want %q", fault, want[i])
		}
	}
}

func TestATestThatIsRedWithoutAnySabotageShowsNothing(t *testing.T) {
	t.Parallel()
	report, err := kit.Run(t.Context(), tiny.Table(tiny.Row("broken", "TestIsBrokenAnyway", "TestTwiceIsDouble")), options(tiny.Module(t)))
	if err != nil {
		t.Fatal(err)
	}
	wantBaseline(t, report, "lib: TestIsBrokenAnyway is red without any sabotage: lib_test.go")
	if report.OK() {
		t.Error("told as good")
	}
}

func TestAWatchdogEndsATestThatNeverEnds(t *testing.T) {
	t.Parallel()
	row := tiny.Table(tiny.Row("never-ends", "TestTenIsTheMost", "TestTwiceIsDouble"))[0]
	row.Edits = []kit.Edit{{File: "lib/lib.go", Old: tiny.Pattern, New: "	for SABOTAGED {\n	}\n" + tiny.Pattern}}
	o := options(tiny.Module(t))
	o.Limit = time.Second
	report, err := kit.Run(t.Context(), []kit.Row{row}, o)
	if err != nil {
		t.Fatal(err)
	}
	if red := report.Results[0].Red; red.Ending != kit.Hung || report.Results[0].Killed() {
		t.Errorf("%v %q, killed %t", red.Ending, red.Line, report.Results[0].Killed())
	}
}

func TestOnlyWantedRowsAreRun(t *testing.T) {
	t.Parallel()
	rows := tiny.Table(tiny.Killed(), tiny.Row("survives", "TestLooksTheOtherWay", "TestTwiceIsDouble"))
	o := options(tiny.Module(t))
	o.Want = func(r kit.Row) bool { return r.Name == "unbounded" }
	report, err := kit.Run(t.Context(), rows, o)
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK() || len(report.Results) != 1 || slices.ContainsFunc(report.Results, func(r kit.Result) bool { return r.Row.Name != "unbounded" }) {
		t.Errorf("report %+v", report)
	}
}
