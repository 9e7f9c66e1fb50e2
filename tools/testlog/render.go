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
	held    map[string]map[string][]string // by package, then by test; "" is the package's own
	skipped skips
}

func render(in io.Reader, out io.Writer) error {
	r := renderer{out: bufio.NewWriter(out), held: map[string]map[string][]string{}}
	err := gotest.Read(in, r.event, func(line string) { r.print(line + "\n") })
	for _, pkg := range slices.Sorted(maps.Keys(r.held)) { // a stream that broke off: what is left is what matters
		r.release(pkg)
	}
	for _, line := range r.skipped.lines() {
		r.print(line)
	}
	if flushed := r.out.Flush(); err == nil {
		err = flushed
	}
	return err
}

func (r *renderer) event(e gotest.Event) {
	switch e.Action {
	case "build-output":
		r.print(e.Output)
	case "output":
		r.output(e)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.endPackage(e)
		} else {
			r.endTest(e)
		}
	}
}

func (r *renderer) output(e gotest.Event) {
	isGood := e.Test == "" && (strings.HasPrefix(e.Output, "ok ") || strings.HasPrefix(e.Output, "? "))
	if isGood {
		r.print(e.Output)
		return
	}
	if strings.HasPrefix(e.Output, "=== ") {
		return
	}
	if r.held[e.Package] == nil {
		r.held[e.Package] = map[string][]string{}
	}
	r.held[e.Package][e.Test] = append(r.held[e.Package][e.Test], e.Output)
}

func (r *renderer) endTest(e gotest.Event) {
	switch e.Action {
	case "fail":
		r.releaseTest(e.Package, e.Test)
	case "skip":
		r.skipped.add(e.Package, e.Test, reason(r.held[e.Package][e.Test]))
	}
	delete(r.held[e.Package], e.Test)
}

func (r *renderer) endPackage(e gotest.Event) {
	if e.Action == "fail" {
		r.release(e.Package)
	}
	delete(r.held, e.Package)
	_ = r.out.Flush() // a broken pipe is reported by the last flush; progress is what this one is for
}

// release prints what a failed package and the tests without a verdict left behind, as after a crash.
func (r *renderer) release(pkg string) {
	for _, test := range slices.Sorted(maps.Keys(r.held[pkg])) {
		if test != "" {
			r.releaseTest(pkg, test)
		}
	}
	r.releaseTest(pkg, "") // its last line is go test's verdict
	delete(r.held, pkg)
}

func (r *renderer) releaseTest(pkg, test string) {
	for _, line := range r.held[pkg][test] {
		r.print(line)
	}
	delete(r.held[pkg], test)
}

func (r *renderer) print(text string) { fmt.Fprint(r.out, text) }
