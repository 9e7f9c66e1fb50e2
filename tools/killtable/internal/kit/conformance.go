package kit

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// CheckConformance refuses, joined, every row whose red test runs one of the suites, by itself or through functions of its package, and that does not
// say which assertion is the red one: a suite has so many that it is red for a sabotage whatever becomes of the row's promise. A suite is the import
// path of a package; whoever calls a function of it whose name begins with Run runs it. A package that cannot be read is left to the build.
func CheckConformance(root string, rows []Row, suites []string) error {
	known := map[string]*testSources{}
	var faults []error
	for _, row := range rows {
		if known[row.Package] == nil {
			known[row.Package] = readTests(filepath.Join(root, filepath.FromSlash(row.Package)), suites)
		}
		if row.Says == "" && known[row.Package].runsSuite(row.Red, map[string]bool{}) {
			faults = append(faults, fmt.Errorf("%s: %s runs a whole suite, so that Says must tell which of its assertions is red", row.Name, row.Red))
		}
	}
	return errors.Join(faults...)
}

// testSources tells, by the functions of a package's tests, which of them they call, and whether one runs a suite.
type testSources struct {
	calls map[string][]string
	runs  map[string]bool
}

func readTests(folder string, suites []string) *testSources {
	s := &testSources{calls: map[string][]string{}, runs: map[string]bool{}}
	files, _ := filepath.Glob(filepath.Join(folder, "*_test.go")) // the only error is that of a pattern
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		imported := suitesOf(file, suites)
		for _, decl := range file.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Body != nil {
				s.read(function, imported)
			}
		}
	}
	return s
}

// suitesOf gives the names by which the file knows the suites.
func suitesOf(file *ast.File, suites []string) (names []string) {
	for _, spec := range file.Imports {
		switch imported, err := strconv.Unquote(spec.Path.Value); {
		case err != nil || !slices.Contains(suites, imported):
		case spec.Name != nil:
			names = append(names, spec.Name.Name)
		default:
			names = append(names, path.Base(imported))
		}
	}
	return names
}

func (s *testSources) read(function *ast.FuncDecl, suites []string) {
	name := function.Name.Name
	ast.Inspect(function.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch called := call.Fun.(type) {
		case *ast.Ident:
			s.calls[name] = append(s.calls[name], called.Name)
		case *ast.SelectorExpr:
			if of, ok := called.X.(*ast.Ident); ok && slices.Contains(suites, of.Name) && strings.HasPrefix(called.Sel.Name, "Run") {
				s.runs[name] = true
			}
		}
		return true
	})
}

func (s *testSources) runsSuite(function string, seen map[string]bool) bool {
	if seen[function] {
		return false
	}
	seen[function] = true
	return s.runs[function] || slices.ContainsFunc(s.calls[function], func(called string) bool { return s.runsSuite(called, seen) })
}
