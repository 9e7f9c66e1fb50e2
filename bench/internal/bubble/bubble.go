// Package bubble runs functions in virtual time: every clock that they and their goroutines read stands still while one of them can run, and jumps
// to the next timer when none can. It is testing/synctest, which only tests may enter; so a program that needs it runs inside of one test.
package bubble

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
)

// Bubbles makes bubbles. It is safe for concurrent use: bubbles know nothing of one another.
type Bubbles struct{ t *testing.T }

// Of gives the bubbles of a test.
func Of(t *testing.T) Bubbles { return Bubbles{t} }

// Run runs f in a bubble of its own and returns when all goroutines that it started have ended too. Where they cannot, for all are asleep for good,
// it returns an error and leaves them behind; what else f panics with goes on.
func (b Bubbles) Run(f func()) (err error) {
	defer func() {
		thrown := recover()
		if text, ok := thrown.(error); ok && strings.HasPrefix(text.Error(), deadlock) {
			err = fmt.Errorf("bubble: %w", text)
		} else if thrown != nil {
			panic(thrown)
		}
	}()
	synctest.Test(b.t, func(*testing.T) { f() })
	return nil
}

// deadlock is how the panic of a bubble begins in which nothing can go on.
const deadlock = "deadlock: "

// Main runs a whole program so that it can make bubbles, and ends the process with the code that the program returns. Call it last in main. The
// flags of package testing are set to their defaults; the command line is the program's own.
//
// testing.Main is kept for systems that simulate "go test", which is what this is.
func Main(program func(Bubbles) int) {
	testing.Init()
	_ = flag.CommandLine.Parse(nil) // no argument cannot be wrong
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "lab", F: func(t *testing.T) { os.Exit(program(Of(t))) }}}, nil, nil)
}
