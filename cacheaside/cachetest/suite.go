package cachetest

import (
	"slices"
	"testing"
)

// Assertion is one promise of the port. Its name says which.
type Assertion struct {
	Name string

	// Check reports to t, which is a test or the record of [Try].
	Check func(t testing.TB, subject Subject)
}

// Run runs every assertion as a subtest of its name, one after the other.
func Run(t *testing.T, newSubject NewSubject) {
	t.Helper()
	for _, assertion := range Assertions() {
		t.Run(assertion.Name, func(t *testing.T) {
			assertion.Check(t, newSubject(t, suiteOptions()))
		})
	}
}

// Assertions lists the suite, in the order of [Run]. The list is the caller's own.
func Assertions() []Assertion {
	return slices.Concat(
		freshnessAssertions(),
		loadedAtAssertions(),
		valueAssertions(),
		absentConditionAssertions(),
		observedConditionAssertions(),
		expiredConditionAssertions(),
		tombstoneAssertions(),
		sharingAssertions(),
		concurrencyAssertions(),
		unusableAssertions(),
		failureAssertions(),
	)
}

func assertion(name string, check func(p *probe)) Assertion {
	return Assertion{Name: name, Check: func(t testing.TB, subject Subject) {
		t.Helper()
		check(newProbe(t, subject))
	}}
}
