package leasetest

import (
	"fmt"
	"slices"
	"testing"
)

// Assertion is one promise of the port.
type Assertion struct {
	// Number is its place in the list, from 1.
	Number int

	// Name is the promise, as a sentence.
	Name string

	// Check reports to t, which is a test or the record of [Try].
	Check func(t testing.TB, subject Subject)
}

// String gives number and name.
func (a Assertion) String() string { return fmt.Sprintf("%02d %s", a.Number, a.Name) }

// Run runs every assertion as a subtest of its number and name, one after the other.
func Run(t *testing.T, newSubject NewSubject) {
	t.Helper()
	for _, a := range Assertions() {
		t.Run(a.String(), func(t *testing.T) { a.Check(t, newSubject(t, options())) })
	}
}

// Assertions lists the suite, in the order of [Run]. The list is the caller's own.
func Assertions() []Assertion {
	list := slices.Concat(grantAssertions(), endAssertions(), fenceAssertions(), raceAssertions(), holdAssertions(), storeAssertions())
	slices.SortFunc(list, func(a, b Assertion) int { return a.Number - b.Number })
	return list
}

func assertion(number int, name string, check func(p *probe)) Assertion {
	return Assertion{Number: number, Name: name, Check: func(t testing.TB, subject Subject) {
		t.Helper()
		check(newProbe(t, subject))
	}}
}
