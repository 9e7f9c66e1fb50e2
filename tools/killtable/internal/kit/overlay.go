package kit

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
)

const (
	// switchVariable is the environment variable that names the sabotage that is on.
	switchVariable = "KILLTABLE_SABOTAGE"

	switchFunc = "sabotaged"
	switchFile = "killtable_switch.go"
)

// overlay is what the compiler is shown instead of, and beside, a module's files.
type overlay struct {
	root  string
	into  string            // folder of the copies
	files map[string]string // text by path, relative to root
}

// newOverlay weaves the rows into copies of the files under root.
func newOverlay(root, into string, rows []Row) (*overlay, error) {
	o := &overlay{root: root, into: into, files: map[string]string{}}
	var faults []error
	for _, file := range editedFiles(rows) {
		faults = append(faults, o.addWoven(file, rows))
	}
	for _, row := range rows {
		for _, added := range row.Files {
			faults = append(faults, o.add(row, added))
		}
	}
	return o, errors.Join(faults...)
}

func (o *overlay) add(row Row, added File) error {
	text := row.switched(added.Text)
	if other, there := o.files[added.Path]; there && other != text {
		return fmt.Errorf("%s: adds %s, which is another text already", row.Name, added.Path)
	}
	if _, err := os.Stat(filepath.Join(o.root, filepath.FromSlash(added.Path))); err == nil {
		return fmt.Errorf("%s: adds %s, which the library has", row.Name, added.Path)
	}
	o.files[added.Path] = text
	return nil
}

func editedFiles(rows []Row) []string {
	var files []string
	for _, row := range rows {
		for _, e := range row.Edits {
			files = append(files, e.File)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

func (o *overlay) addWoven(file string, rows []Row) error {
	text, err := os.ReadFile(filepath.Join(o.root, filepath.FromSlash(file)))
	if err != nil {
		return fmt.Errorf("a file that rows name cannot be read: %w", err)
	}
	woven, err := weave(file, string(text), rows)
	if err != nil {
		return err
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), file, woven, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("with its sabotages in place it is no Go file any more: %w", err)
	}
	o.files[file] = woven
	o.files[path.Join(path.Dir(file), switchFile)] = switchText(syntax.Name.Name)
	return nil
}

func switchText(pkg string) string {
	return `package ` + pkg + `

import "os"

var theSabotage = os.Getenv(` + strconv.Quote(switchVariable) + `)

func ` + switchFunc + `(name string) bool { return theSabotage == name }
`
}

// write stores the copies, and the list of them that go build -overlay reads; it gives the list's path.
func (o *overlay) write() (string, error) {
	replace := map[string]string{}
	for file, text := range o.files {
		copied := filepath.Join(o.into, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(o.root, filepath.FromSlash(file))] = copied
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(o.into, "overlay.json")
	return name, os.WriteFile(name, list, 0o600)
}
