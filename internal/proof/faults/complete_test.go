package faults_test

import (
	"slices"
	"testing"
)

func TestEveryFaultMeetsEveryOperationInTheTable(t *testing.T) {
	t.Parallel()
	if forgotten, twice := gaps(matrix()); len(forgotten)+len(twice) > 0 {
		t.Errorf("forgotten: %q; more than once: %q", forgotten, twice)
	}
}

func TestATableWithAForgottenOrARepeatedCellIsNotComplete(t *testing.T) {
	t.Parallel()
	whole := matrix()
	for i := range whole {
		short := slices.Delete(slices.Clone(whole), i, i+1)
		if forgotten, twice := gaps(short); len(forgotten) != 1 || len(twice) != 0 {
			t.Errorf("without %s: forgotten %q, twice %q", name(whole[i]), forgotten, twice)
		}
	}
	if forgotten, twice := gaps(append(whole, whole[0])); len(forgotten) != 0 || len(twice) != 1 {
		t.Errorf("with a row twice: forgotten %q, twice %q", forgotten, twice)
	}
}

// gaps compares a table with the product of all faults and all operations.
func gaps(table []cell) (forgotten, twice []string) {
	for _, f := range faults() {
		for _, o := range operations() {
			rows := 0
			for _, c := range table {
				if c.fault == f && c.operation == o {
					rows++
				}
			}
			switch {
			case rows == 0:
				forgotten = append(forgotten, name(cell{fault: f, operation: o}))
			case rows > 1:
				twice = append(twice, name(cell{fault: f, operation: o}))
			}
		}
	}
	return forgotten, twice
}

func name(c cell) string { return string(c.fault) + " x " + string(c.operation) }

// rowOf is the row of the matrix for a fault and an operation.
func rowOf(t testing.TB, f fault, o operation) cell {
	t.Helper()
	for _, c := range matrix() {
		if c.fault == f && c.operation == o {
			return c
		}
	}
	t.Fatalf("no row for %s x %s", f, o)
	return cell{}
}
