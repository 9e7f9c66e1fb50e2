package correctness_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
)

// Experiments that no program has, for what a child can do to its parent.
const (
	dies   = "test-dies"
	hangs  = "test-hangs"
	raves  = "test-raves"
	throws = "test-throws"
)

func TestMain(m *testing.M) {
	if correctness.IsChild() {
		os.Exit(child())
	}
	adapters.Quiet()
	os.Exit(m.Run())
}

func child() int {
	name, _, _ := strings.Cut(os.Getenv(correctness.ChildVariable), " ")
	switch name {
	case dies:
		go panic("boom")
		select {}
	case hangs:
		_, _ = os.Stdin.Read(make([]byte, 1)) // nobody ever writes
		return 0
	case raves:
		fmt.Println("a library prints what it likes")
		return 5
	case throws:
		fmt.Fprintln(os.Stderr, "fatal error: all goroutines are asleep - deadlock!")
		return 2
	default:
		return correctness.Child()
	}
}
