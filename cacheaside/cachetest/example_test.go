package cachetest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/cachetest"
)

// careless is a cache whose records overwrite whatever is there.
type careless struct {
	cacheaside.Cache[string, cachetest.Document]
}

func (c careless) Record(
	ctx context.Context, key string, given cacheaside.Entry[cachetest.Document], _ cacheaside.Condition,
) cacheaside.RecordOutcome {
	seen := cacheaside.Condition{Observation: c.Lookup(ctx, key).Observation}
	return c.Cache.Record(ctx, key, given, seen)
}

// A test of the suite shows that a wrong cache is caught by the assertion that is named for its fault.
func ExampleTry() {
	for _, assertion := range cachetest.Assertions() {
		finding := cachetest.Try(nil, assertion, func(t testing.TB, opt cachetest.Options) cachetest.Subject {
			subject := newReference(t, opt)
			subject.Cache = careless{subject.Cache}
			return subject
		})
		if finding.Failed {
			fmt.Println(assertion.Name)
			fmt.Println("  ", finding.Messages[0])
			break
		}
	}
	// Output:
	// only-if-absent refuses a fresh value and leaves it as it was
	//    only-if-absent over what is present is Applied, want NotApplied
}

func ExampleAssertions() {
	for _, assertion := range cachetest.Assertions()[:3] {
		fmt.Println(assertion.Name)
	}
	// Output:
	// an absent key is a miss without an observation
	// a recorded value is fresh, with its revision and expiries
	// a value turns stale at its soft expiry and not a millisecond earlier
}
