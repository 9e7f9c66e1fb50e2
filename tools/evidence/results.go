package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/cacheaside/resilience/tools/internal/gotest"
)

const modulePath = "github.com/cacheaside/resilience"

// verdict is what the runs of one test came to. A test may run several times: with and without the race detector, on one core and on more.
type verdict struct{ passed, failed, skipped bool }

type results map[testName]verdict

func (r results) readFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := gotest.Read(file, r.add, func(string) {}); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (r results) add(e gotest.Event) {
	if e.Test == "" {
		return
	}
	name := testName{pkg: folder(e.Package), test: e.Test}
	v := r[name]
	switch e.Action {
	case "pass":
		v.passed = true
	case "fail":
		v.failed = true
	case "skip":
		v.skipped = true
	default:
		return
	}
	r[name] = v
}

// folder is a package's folder in the repository; the root's own package goes by the last element of the module path.
func folder(pkg string) string {
	if pkg == modulePath {
		return modulePath[strings.LastIndexByte(modulePath, '/')+1:]
	}
	return strings.TrimPrefix(pkg, modulePath+"/")
}
