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
	front   []string // the scripts that stand in front of it
	behind  []string // the scripts that it stands in front of
	keys    int
	cases   []promise
	scenes  []scene
	mutants []mutant
	rewrite bool // its lines are rewritten in every way that there is, too
}

// ways are the mutants that people have thought of, and those that rewriting its lines makes.
func (s subject) ways(source string) []mutant {
	if !s.rewrite {
		return s.mutants
	}
	return append(s.mutants[:len(s.mutants):len(s.mutants)], derived(source)...)
}

func subjects() []subject {
	return []subject{
		{file: "replace.lua", keys: 1, cases: replacePromises(), mutants: replaceMutants()},
		{file: "staged.lua", keys: 2, cases: stagedPromises(), mutants: stagedMutants()},
		{file: "tombstone.lua", front: []string{"revision.lua"}, keys: 3, scenes: tombstoneScenes(), rewrite: true},
		{file: "bury.lua", keys: 1, scenes: buryScenes(), rewrite: true},
		{file: "supersede.lua", keys: 1, scenes: supersedeScenes(), rewrite: true},
		{file: "acquire.lua", keys: 2, scenes: acquireScenes(), rewrite: true},
		{file: "fill.lua", front: []string{"revision.lua"}, keys: 2, scenes: fillScenes(), rewrite: true},
		{file: "swap.lua", front: []string{"revision.lua"}, keys: 3, scenes: swapScenes(), rewrite: true},
		{file: "release.lua", keys: 1, scenes: releaseScenes(), rewrite: true},
		{file: "put.lua", front: []string{"revision.lua"}, keys: 3, scenes: putScenes(), rewrite: true},
		{file: "revision.lua", behind: []string{"put.lua"}, keys: 3, scenes: revisionScenes(), mutants: revisionMutants(), rewrite: true},
		{file: "generation.lua", keys: 1, scenes: generationScenes(), rewrite: true},
		{file: "lease_acquire.lua", front: []string{"identity.lua", "lease_record.lua"}, keys: 1, scenes: leaseAcquireScenes(), rewrite: true},
		{file: "lease_renew.lua", front: []string{"lease_record.lua"}, keys: 1, scenes: leaseRenewScenes(), rewrite: true},
		{file: "lease_release.lua", front: []string{"lease_record.lua"}, keys: 1, scenes: leaseReleaseScenes(), rewrite: true},
		{file: "lease_inspect.lua", front: []string{"lease_record.lua"}, keys: 1, scenes: leaseInspectScenes(), rewrite: true},
		{
			file: "lease_record.lua", front: []string{"identity.lua"}, behind: []string{"lease_acquire.lua"}, keys: 1, scenes: leaseRecordScenes(), rewrite: true,
		},
		{file: "identity.lua", behind: []string{"lease_record.lua", "lease_acquire.lua"}, keys: 1, scenes: identityScenes(), rewrite: true},
		{file: "preflight.lua", front: []string{"identity.lua"}, scenes: preflightScenes(), rewrite: true},
	}
}

// readScript gives the text of a script, none where none is named.
func readScript(folder, file string) (string, error) {
	if file == "" {
		return "", nil
	}
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
	for _, m := range s.ways(source) {
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
