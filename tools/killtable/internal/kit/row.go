package kit

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Row is one sabotage and the tests that must tell it from the library as it is.
type Row struct {
	Name     string   // of the sabotage, and of its switch: lower-case words joined by hyphens
	Instead  string   // what the sabotaged library does instead, as a clause without a subject
	Promise  string   // that it breaks, as a sentence
	Package  string   // folder of the tests, relative to the module, with slashes
	Edits    []Edit   // what is changed, in any package of the module that those tests are built with
	Files    []File   // what is added
	Red      string   // the test that must fail by an assertion of its own
	Controls []string // tests that must pass all the same, so that a red test is not red for a library that does nothing any more
	Says     string   // what the failing assertion says; needed where a deadlock of those it leaves waiting follows it, and where Red runs a whole suite
	Hangs    bool     // the sabotage leaves somebody waiting, so that a deadlock or a watchdog counts as well
}

// Switch stands, in the text of edits and files, for an expression that is true while the row's sabotage is on.
const Switch = "SABOTAGED"

// Edit replaces text of one file. Old must be there exactly once. New does what Old did while its row's [Switch] is off. Rows may share an edit, if
// it is the same to the letter.
type Edit struct {
	File     string // relative to the module, with slashes
	Old, New string
}

// File is a Go file that is added to the build, for what a sabotage needs and the library has not. Rows may share one.
type File struct {
	Path string // relative to the module, with slashes
	Text string
}

func (r Row) call() string { return switchFunc + "(" + strconv.Quote(r.Name) + ")" }

// switched gives text with the row's own switch in it.
func (r Row) switched(text string) string { return strings.ReplaceAll(text, Switch, r.call()) }

func (r Row) asksItsSwitch() bool {
	asks := func(text string) bool { return strings.Contains(r.switched(text), r.call()) }
	return slices.ContainsFunc(r.Edits, func(e Edit) bool { return asks(e.New) }) ||
		slices.ContainsFunc(r.Files, func(f File) bool { return asks(f.Text) })
}

var rowName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Check returns every fault of the rows that can be told without the library's files, joined.
func Check(rows []Row) error {
	var faults []error
	known := map[string]bool{}
	for _, row := range rows {
		faults = append(faults, checkRow(row)...)
		if known[row.Name] {
			faults = append(faults, fmt.Errorf("%s: the name is taken", row.Name))
		}
		known[row.Name] = true
	}
	return errors.Join(faults...)
}

func checkRow(row Row) (faults []error) {
	complain := func(what string) { faults = append(faults, fmt.Errorf("%s: %s", row.Name, what)) }
	if !rowName.MatchString(row.Name) {
		complain("the name must be lower-case words joined by hyphens")
	}
	for field, text := range map[string]string{"Instead": row.Instead, "Promise": row.Promise, "Package": row.Package, "Red": row.Red} {
		if text == "" {
			complain(field + " must be set")
		}
	}
	if len(row.Controls) == 0 {
		complain("Controls must name a test")
	}
	for _, control := range row.Controls {
		if control == row.Red {
			complain("the red test cannot be its own control")
		}
	}
	if !row.asksItsSwitch() {
		complain("nothing of it asks for " + Switch)
	}
	return faults
}
