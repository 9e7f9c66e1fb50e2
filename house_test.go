package resilience_test

import (
	"encoding/json"
	"go/ast"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const maxLines = 400

func TestNoFileIsTooLongToReadInOneSitting(t *testing.T) {
	t.Parallel()
	for _, file := range sourceFiles(t) {
		if file.lines > maxLines {
			t.Errorf("%s has %d lines, at most %d are allowed: one concept a file", file.path, file.lines, maxLines)
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	documented := map[string]bool{}
	for _, file := range sourceFiles(t) {
		if !file.isTest {
			documented[file.folder] = documented[file.folder] || file.syntax.Doc != nil
		}
	}
	for folder, has := range documented {
		if !has {
			t.Errorf("%s has no package documentation", folder)
		}
	}
}

func TestNothingRunsAtImportAndNoTestSleeps(t *testing.T) {
	t.Parallel()
	for _, file := range sourceFiles(t) {
		ast.Inspect(file.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" {
					t.Errorf("%s: init", file.at(n))
				}
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && file.isTest && pkg.Name == "time" && n.Sel.Name == "Sleep" {
					t.Errorf("%s: a test waits for an event or moves its clock, it does not sleep", file.at(n))
				}
			}
			return true
		})
	}
}

// TestTheModuleRequiresNothingElse keeps what a user downloads short: whatever else an example, a benchmark or a tool needs lives in the go.mod
// of a nested module.
func TestTheModuleRequiresNothingElse(t *testing.T) {
	t.Parallel()
	library := []string{redisPath, "golang.org/x/sync", msgpackPath, clockPath}
	forTests := []string{
		"github.com/alicebob/miniredis/v2", "pgregory.net/rapid", "go.uber.org/goleak", "github.com/anishathalye/porcupine",
	}
	for _, required := range directRequirements(t) {
		if !slices.Contains(library, required) && !slices.Contains(forTests, required) {
			t.Errorf("go.mod requires %s, which is neither for the library (%s) nor for its tests (%s)",
				required, strings.Join(library, ", "), strings.Join(forTests, ", "))
		}
	}
}

func directRequirements(t *testing.T) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", "go.mod").Output()
	if err != nil {
		t.Fatal(err)
	}
	var module struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	var direct []string
	for _, r := range module.Require {
		if !r.Indirect {
			direct = append(direct, r.Path)
		}
	}
	if len(direct) == 0 {
		t.Fatal("go.mod requires nothing directly: it was not read")
	}
	return direct
}
