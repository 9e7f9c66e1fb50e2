package kit_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/tools/killtable/internal/kit"
	"github.com/cacheaside/resilience/tools/killtable/internal/tiny"
)

func options(root string) kit.Options {
	return kit.Options{Root: root, Want: func(kit.Row) bool { return true }, Limit: 10 * time.Second, Conformance: []string{tiny.Suite}}
}

func TestATableThatDoesNotFitTheLibraryIsRefusedByTheRowsName(t *testing.T) {
	t.Parallel()
	root := tiny.Module(t)
	for _, test := range []struct {
		name   string
		change func(*kit.Row)
		want   string
	}{
		{"a pattern that is not there", func(r *kit.Row) { r.Edits[0].Old = "if n >= 10 {" }, "unbounded: its pattern is in lib/lib.go 0 times"},
		{"an ambiguous pattern", func(r *kit.Row) { r.Edits[0].Old = "return" }, "unbounded: its pattern is in lib/lib.go 3 times"},
		{"an empty pattern", func(r *kit.Row) { r.Edits[0].Old = "" }, "unbounded: its pattern is in lib/lib.go"},
		{"a file that is not there", func(r *kit.Row) { r.Edits[0].File = "lib/gone.go" }, "lib/gone.go"},
		{"text that is no Go", func(r *kit.Row) { r.Edits[0].New = "if SABOTAGED {{\n" }, "no Go file any more"},
		{"text that does not build", func(r *kit.Row) { r.Edits[0].New = "if SABOTAGED || n > ten {\n" }, "undefined: ten"},
		{"no switch", func(r *kit.Row) { r.Edits[0].New = "if n > 11 {\n" }, "unbounded: nothing of it asks for SABOTAGED"},
		{"no control", func(r *kit.Row) { r.Controls = nil }, "unbounded: Controls must name a test"},
		{"a control that is the red test", func(r *kit.Row) { r.Controls = []string{r.Red} }, "its own control"},
		{"a whole suite for a red test", func(r *kit.Row) { r.Red = "TestKeepsTheContract" }, "unbounded: TestKeepsTheContract runs a whole suite"},
		{"no promise", func(r *kit.Row) { r.Promise = "" }, "unbounded: Promise must be set"},
		{"an odd name", func(r *kit.Row) { r.Name = "Not Bounded" }, "the name must be lower-case"},
		{"a file that the library has", func(r *kit.Row) { r.Files = []kit.File{{Path: "lib/lib_test.go", Text: "package lib\n"}} }, "unbounded: adds lib/lib_test.go"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			row := tiny.Table(tiny.Killed())[0]
			test.change(&row)
			_, err := kit.Run(t.Context(), []kit.Row{row}, options(root))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one that says %q", err, test.want)
			}
		})
	}
}

func TestRowsThatChangeTheSameTextInDifferentWaysAreRefused(t *testing.T) {
	t.Parallel()
	a, b := tiny.Table(tiny.Killed())[0], tiny.Table(tiny.Killed())[0]
	b.Name, b.Edits = "bounded-elsewhere", []kit.Edit{{File: "lib/lib.go", Old: "n > 10", New: "n > 10 || SABOTAGED"}}
	_, err := kit.Run(t.Context(), []kit.Row{a, b}, options(tiny.Module(t)))
	if err == nil || !strings.Contains(err.Error(), "bounded-elsewhere: changes the same text of lib/lib.go as unbounded") {
		t.Errorf("error %v", err)
	}
}

func TestRowsThatAddOneFileWithDifferentTextsAreRefused(t *testing.T) {
	t.Parallel()
	rows := tiny.Table(tiny.Killed(), tiny.Row("helped", "TestTenIsTheMost", "TestTwiceIsDouble"))
	for i, text := range []string{"package lib\n", "package lib\n\nvar _ = SABOTAGED\n"} {
		rows[i].Files = []kit.File{{Path: "lib/help.go", Text: text}}
	}
	_, err := kit.Run(t.Context(), rows, options(tiny.Module(t)))
	if err == nil || !strings.Contains(err.Error(), "helped: adds lib/help.go, which is another text already") {
		t.Errorf("error %v", err)
	}
}

func TestANameThatIsTakenIsRefused(t *testing.T) {
	t.Parallel()
	err := kit.Check(append(tiny.Table(tiny.Killed()), tiny.Table(tiny.Killed())...))
	if err == nil || !strings.Contains(err.Error(), "unbounded: the name is taken") {
		t.Errorf("error %v", err)
	}
}
