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

	needs func(*Options) // what its subject is built with beyond the suite's options; may be nil
}

// options is what the assertion's subject must be built with.
func (a Assertion) options() Options {
	opt := suiteOptions()
	if a.needs != nil {
		a.needs(&opt)
	}
	return opt
}

// Run runs every assertion as a subtest of its name, one after the other.
func Run(t *testing.T, newSubject NewSubject) {
	t.Helper()
	for _, assertion := range Assertions() {
		t.Run(assertion.Name, func(t *testing.T) {
			assertion.Check(t, newSubject(t, assertion.options()))
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
		grantAssertions(),
		grantObservationAssertions(),
		fillAssertions(),
		fillRefusalAssertions(),
		releaseAssertions(),
		fenceFailureAssertions(),
		otherModeAssertions(),
		putAssertions(),
		rememberedAssertions(),
		generationAssertions(),
	)
}

func assertion(name string, check func(p *probe)) Assertion {
	return assertionWith(name, nil, check)
}

// assertionWith is an assertion on a subject that is built with more than the suite's options.
func assertionWith(name string, needs func(*Options), check func(p *probe)) Assertion {
	a := Assertion{Name: name, needs: needs}
	a.Check = func(t testing.TB, subject Subject) {
		t.Helper()
		check(newProbe(t, subject, a.options()))
	}
	return a
}
