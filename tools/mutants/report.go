package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// What the tool calls the fates of mutants.
const (
	killed     = "KILLED"
	lived      = "LIVED"
	timedOut   = "TIMED OUT"
	notViable  = "NOT VIABLE"
	notCovered = "NOT COVERED"
)

// run is the mutation of one package.
type run struct {
	folder string
	files  []string // those that were mutated; none named means all of the folder
	count  map[string]int
	lived  []change
}

// covers tells whether the file's mutants were all made.
func (r run) covers(file string) bool {
	return path.Dir(file) == r.folder && (len(r.files) == 0 || slices.Contains(r.files, path.Base(file)))
}

type mutation struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type mutatedFile struct {
	Name      string     `json:"file_name"`
	Mutations []mutation `json:"mutations"`
}

// readRun reads what one argument names. The sources are those of the working directory.
func readRun(argument string) (run, error) {
	target, report, ok := strings.Cut(argument, "=")
	if !ok {
		return run{}, fmt.Errorf("argument %q must be folder=report or folder:files=report", argument)
	}
	folder, files, some := strings.Cut(target, ":")
	r := run{folder: folder, count: map[string]int{}}
	if some {
		r.files = strings.Split(files, ",")
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return run{}, err
	}
	var content struct {
		Files []mutatedFile `json:"files"`
	}
	if err := json.Unmarshal(text, &content); err != nil {
		return run{}, fmt.Errorf("%s: %w", report, err)
	}
	for _, file := range content.Files {
		name := path.Join(folder, file.Name)
		if !r.covers(name) {
			return run{}, fmt.Errorf("%s: %s should not have been mutated", report, name)
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return run{}, err
		}
		if err := r.add(name, strings.Split(string(source), "\n"), file.Mutations); err != nil {
			return run{}, err
		}
	}
	return r, nil
}

func (r *run) add(name string, lines []string, mutations []mutation) error {
	for _, m := range mutations {
		switch m.Status {
		case killed, timedOut, notViable, notCovered:
		case lived:
			if m.Line < 1 || m.Line > len(lines) {
				return fmt.Errorf("%s has no line %d: it is not the file that was mutated", name, m.Line)
			}
			c, err := m.change(name, lines[m.Line-1])
			if err != nil {
				return err
			}
			r.lived = append(r.lived, c)
		default:
			return fmt.Errorf("%s:%d: a mutant is %q, which says nothing about it", name, m.Line, m.Status)
		}
		r.count[m.Status]++
	}
	return nil
}
