package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// subject is one script, what it promises and the ways to break it.
type subject struct {
	file    string
	keys    int
	cases   []promise
	mutants []mutant
}

func subjects() []subject {
	return []subject{
		{file: "replace.lua", keys: 1, cases: replacePromises(), mutants: replaceMutants()},
		{file: "staged.lua", keys: 2, cases: stagedPromises(), mutants: stagedMutants()},
		{file: "tombstone.lua", keys: 1, cases: tombstonePromises(), mutants: tombstoneMutants()},
	}
}

func readScript(folder, file string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, file))
	return string(text), err
}

// decides tells whether what a line says has to be tried: a condition, a command, a result.
func decides(line string) bool {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "--") {
		return false
	}
	for _, word := range []string{"if ", "redis.", "return"} {
		if strings.Contains(line, word) {
			return true
		}
	}
	return false
}

// untouched lists the deciding lines that no mutant changes.
func (s subject) untouched(source string) []string {
	touched := map[int]bool{}
	for _, m := range s.mutants {
		for _, number := range m.lines(source) {
			touched[number] = true
		}
	}
	var faults []string
	for i, line := range strings.Split(source, "\n") {
		if decides(line) && !touched[i+1] {
			faults = append(faults, fmt.Sprintf("%s:%d: no mutant touches %q", s.file, i+1, strings.TrimSpace(line)))
		}
	}
	return faults
}
