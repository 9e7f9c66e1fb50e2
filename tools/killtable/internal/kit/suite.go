package kit

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Suite is a test of the library that holds wrong variants of its own, one in each of its parts, and is green if it finds them all.
type Suite struct {
	Name    string
	About   string // a sentence
	Package string // folder of the test, relative to the module, with slashes
	Test    string
}

// SuiteResult is what became of a suite.
type SuiteResult struct {
	Suite   Suite
	Outcome Outcome
	Parts   []string // the names of its green parts, sorted
}

func (s SuiteResult) broken() bool { return s.Outcome.Ending != Passed || len(s.Parts) == 0 }

func (t *table) runSuite(ctx context.Context, s Suite) news {
	into := filepath.Join(t.scratch, "suite", s.Name)
	if err := os.MkdirAll(into, 0o755); err != nil {
		return news{err: err}
	}
	tests, err := build(ctx, t.Root, into, s.Package, t.Race, nil)
	if err != nil {
		return news{err: err}
	}
	outcomes, err := tests.run(ctx, "", t.Limit, s.Test)
	if err != nil {
		return news{err: err}
	}
	result := &SuiteResult{Suite: s, Outcome: outcomes[0]}
	for name, verdict := range parse(result.Outcome.Output).verdicts {
		if part, inside := strings.CutPrefix(name, s.Test+"/"); inside && verdict == "PASS" {
			result.Parts = append(result.Parts, part)
		}
	}
	slices.Sort(result.Parts)
	return news{suite: result}
}
