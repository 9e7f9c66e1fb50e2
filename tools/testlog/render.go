package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/cacheaside/resilience/tools/internal/gotest"
)

// renderer holds back what a test printed until it is known whether anybody wants to read it.
type renderer struct {
	out     *bufio.Writer
	held    map[string]map[string][]string // by package, then by test
	skipped []string
}

func render(in io.Reader, out io.Writer) error {
	r := renderer{out: bufio.NewWriter(out), held: map[string]map[string][]string{}}
	err := gotest.Read(in, r.event, func(line string) { r.print(line + "\n") })
	for pkg := range r.held { // a stream that broke off: what is left is what matters
		r.release(pkg)
	}
	for _, name := range r.skipped {
		r.print("--- SKIP: " + name + "\n")
	}
	if flushed := r.out.Flush(); err == nil {
		err = flushed
	}
	return err
}

func (r *renderer) event(e gotest.Event) {
	switch {
	case e.Action == "build-output":
		r.print(e.Output)
	case e.Action == "output" && e.Test == "":
		if e.Output != "PASS\n" {
			r.print(e.Output)
		}
	case e.Action == "output":
		r.hold(e)
	case e.Test == "" && e.Action == "fail":
		r.release(e.Package)
	case e.Test == "" && (e.Action == "pass" || e.Action == "skip"):
		delete(r.held, e.Package)
	case e.Action == "fail":
		r.releaseTest(e.Package, e.Test)
	case e.Action == "skip":
		r.skipped = append(r.skipped, e.Package+" "+e.Test+": "+r.lastWords(e.Package, e.Test))
		delete(r.held[e.Package], e.Test)
	case e.Action == "pass":
		delete(r.held[e.Package], e.Test)
	}
	if e.Test == "" {
		_ = r.out.Flush() // a broken pipe is reported by the last flush; progress is what this one is for
	}
}

func (r *renderer) hold(e gotest.Event) {
	if strings.HasPrefix(e.Output, "=== ") {
		return
	}
	if r.held[e.Package] == nil {
		r.held[e.Package] = map[string][]string{}
	}
	r.held[e.Package][e.Test] = append(r.held[e.Package][e.Test], e.Output)
}

func (r *renderer) releaseTest(pkg, test string) {
	for _, line := range r.held[pkg][test] {
		r.print(line)
	}
	delete(r.held[pkg], test)
}

// release prints what the tests of a failed package left behind without a verdict, as after a crash.
func (r *renderer) release(pkg string) {
	for _, test := range slices.Sorted(maps.Keys(r.held[pkg])) {
		r.releaseTest(pkg, test)
	}
	delete(r.held, pkg)
}

// lastWords is the line in which a skipped test gave its reason: the one before go test's own verdict.
func (r *renderer) lastWords(pkg, test string) string {
	for _, line := range r.held[pkg][test] {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "--- ") {
			return line
		}
	}
	return "no reason given"
}

func (r *renderer) print(text string) { fmt.Fprint(r.out, text) }
