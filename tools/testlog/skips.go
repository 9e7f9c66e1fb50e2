package main

import (
	"fmt"
	"strings"
)

// skips are the tests that were skipped, the subtests of one test counted together, so that no skip is silent and none buries the rest.
type skips struct{ groups []skipGroup }

type skipGroup struct {
	pkg, test, reason string
	subtests          int
}

func (s *skips) add(pkg, test, reason string) {
	name, _, isSub := strings.Cut(test, "/")
	subtests := 0
	if isSub {
		subtests = 1
	}
	for i, g := range s.groups {
		if g.pkg == pkg && g.test == name {
			s.groups[i].subtests += subtests
			return
		}
	}
	s.groups = append(s.groups, skipGroup{pkg, name, reason, subtests})
}

func (s *skips) lines() []string {
	var lines []string
	for _, g := range s.groups {
		if g.subtests > 0 {
			lines = append(lines, fmt.Sprintf("--- SKIP: %s %s, %d subtests, the first: %s\n", g.pkg, g.test, g.subtests, g.reason))
		} else {
			lines = append(lines, fmt.Sprintf("--- SKIP: %s %s: %s\n", g.pkg, g.test, g.reason))
		}
	}
	return lines
}

// reason is the first line of a skipped test's output that is not go test's own verdict.
func reason(output []string) string {
	for _, line := range output {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "--- ") {
			return line
		}
	}
	return "no reason given"
}
