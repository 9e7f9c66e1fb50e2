package tiny

import (
	"os"
	"path/filepath"
	"testing"
)

const code = `package lib

// AtMostTen bounds a number.
func AtMostTen(n int) int {
	if n > 10 {
		return 10
	}
	return n
}

// Twice doubles a number.
func Twice(n int) int {
	return 2 * n
}
`

const codeTest = `package lib

import (
	"testing"
	"testing/synctest"

	contract "example.com/tiny/suite"
)

func TestTenIsTheMost(t *testing.T) {
	t.Log("eleven is asked for")
	t.Run("above", func(t *testing.T) {
		if got := AtMostTen(11); got != 10 {
			t.Errorf("got %d, want 10", got)
		}
	})
}

func TestTwiceIsDouble(t *testing.T) {
	if got := Twice(2); got != 4 {
		t.Errorf("got %d, want 4", got)
	}
}

func TestLooksTheOtherWay(t *testing.T) {
	AtMostTen(11)
}

func TestSkips(t *testing.T) {
	t.Skip("no server here")
}

func TestIndexes(t *testing.T) {
	var ten [11]int
	if n := AtMostTen(11); ten[n] != 0 {
		t.Error("not zero")
	}
}

func TestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := make(chan struct{}, 10)
		for range AtMostTen(11) {
			full <- struct{}{}
		}
	})
}

func TestAssertsAndLeavesSomebodyWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		go func() { <-free }()
		if got := AtMostTen(11); got != 10 {
			t.Fatalf("got %d, want ten", got)
		}
		close(free)
	})
}

func TestHasARedPart(t *testing.T) {
	t.Run("good", func(*testing.T) {})
	t.Run("bad", func(t *testing.T) { t.Error("not found") })
}

func TestIsBrokenAnyway(t *testing.T) {
	t.Errorf("got %d", AtMostTen(3))
}

func TestKeepsTheContract(t *testing.T) {
	keepsIt(t)
}

func keepsIt(t *testing.T) {
	contract.Run(t, AtMostTen)
}
`

const suite = `package suite

import "testing"

// Run holds a bound to its contract.
func Run(t *testing.T, bound func(int) int) {
	t.Run("small", func(t *testing.T) {
		if got := bound(3); got != 3 {
			t.Errorf("three is %d", got)
		}
	})
	t.Run("large", func(t *testing.T) {
		if got := bound(11); got != 10 {
			t.Errorf("eleven is %d", got)
		}
	})
}
`

// Suite is the module's conformance suite, which its TestKeepsTheContract runs.
const Suite = "example.com/tiny/suite"

// Module writes the module into a folder of its own and gives the folder.
func Module(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/tiny\n\ngo 1.26\n", "lib/lib.go": code, "lib/lib_test.go": codeTest, "suite/suite.go": suite,
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
