package resilience_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// source is one Go file of this module.
type source struct {
	path, folder string // slash-separated, relative to the module
	isTest       bool
	lines        int
	syntax       *ast.File
	set          *token.FileSet
}

func (s source) imports() []string {
	var paths []string
	for _, spec := range s.syntax.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

func (s source) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.path, s.set.Position(n.Pos()).Line)
}

// sourceFiles gives every Go file of the module; folders with a go.mod are modules of their own and are left out.
func sourceFiles(t *testing.T) []source {
	t.Helper()
	files, err := readModule()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var readModule = sync.OnceValues(func() ([]source, error) {
	var files []source
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return enter(name)
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		file, err := readSource(filepath.ToSlash(name))
		files = append(files, file)
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no Go file found")
	}
	return files, err
})

func enter(folder string) error {
	base := filepath.Base(folder)
	if folder == "." {
		return nil
	}
	if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

func readSource(name string) (source, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return source{}, err
	}
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, name, text, parser.ParseComments)
	return source{
		path: name, folder: path.Dir(name), isTest: strings.HasSuffix(name, "_test.go"),
		lines: bytes.Count(text, []byte("\n")), syntax: syntax, set: set,
	}, err
}
