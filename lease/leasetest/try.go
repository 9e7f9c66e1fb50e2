package leasetest

import (
	"testing"

	"github.com/cacheaside/resilience/internal/trial"
)

// Finding is how one assertion went.
type Finding = trial.Finding

// Try runs one assertion on a subject of its own and tells how it went. Failures of the harness inside newSubject count as the assertion's. The
// parent lends the subject what is not about reporting (TempDir, Setenv and the like) and is never failed; it may be nil for a subject that uses
// none of it. What the subject leaves to Cleanup runs before Try returns.
func Try(parent testing.TB, a Assertion, newSubject NewSubject) Finding {
	return trial.Run(parent, a.Name, func(t testing.TB) { a.Check(t, newSubject(t, options())) })
}
