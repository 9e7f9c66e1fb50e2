package kit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
)

// Run builds each package that has wanted rows once and runs its tests, without any sabotage and then with one after the other. As many processes
// run at once as there are processors. The error tells a table that does not fit the library any more, or does not build.
func Run(ctx context.Context, all []Row, options Options) (*Report, error) {
	if err := Check(all); err != nil {
		return nil, err
	}
	root, err := filepath.Abs(options.Root)
	if err != nil {
		return nil, err
	}
	if err := CheckConformance(root, all, options.Conformance); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "killtable")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	options.Root = root
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &table{
		Options: options, all: all, scratch: scratch,
		slots: make(chan struct{}, runtime.GOMAXPROCS(0)), news: make(chan news),
	}
	go t.runPackages(within) // ends before the collecting does
	report, err := t.collect(cancel)
	return report, errors.Join(err, ctx.Err())
}

// table is one run of a table.
type table struct {
	Options
	all     []Row
	scratch string
	slots   chan struct{} // one for each process that may run
	news    chan news     // closed when every goroutine of the run has ended
}

// news is what one process of a run came to.
type news struct {
	result   *Result
	suite    *SuiteResult
	baseline []string
	err      error
}

// collect takes all news in one goroutine. The first fault ends the run; those that follow are its echo.
func (t *table) collect(cancel context.CancelFunc) (*Report, error) {
	report := &Report{}
	waiting, done := t.wanted(), map[string]*Result{}
	var fault error
	for n := range t.news {
		switch {
		case n.err != nil:
			if fault == nil {
				fault = n.err
			}
			cancel()
		case n.result != nil:
			done[n.result.Row.Name] = n.result
		case n.suite != nil:
			report.Suites = append(report.Suites, *n.suite)
		}
		for len(waiting) > 0 && done[waiting[0].Name] != nil {
			next := *done[waiting[0].Name]
			report.Results, waiting = append(report.Results, next), waiting[1:]
			if t.Tell != nil {
				t.Tell(next)
			}
		}
		report.Baseline = append(report.Baseline, n.baseline...)
	}
	slices.Sort(report.Baseline)
	return report, fault
}

func (t *table) packages() []string {
	var packages []string
	for _, row := range t.wanted() {
		if !slices.Contains(packages, row.Package) {
			packages = append(packages, row.Package)
		}
	}
	return packages
}

// wanted are the rows that are run, in the table's order.
func (t *table) wanted() []Row {
	return slices.DeleteFunc(slices.Clone(t.all), func(row Row) bool { return !t.Want(row) })
}

func (t *table) runPackages(ctx context.Context) {
	defer close(t.news)
	var running sync.WaitGroup
	for _, pkg := range t.packages() {
		running.Go(func() { t.runPackage(ctx, pkg) })
	}
	for _, suite := range t.Suites {
		running.Go(func() { t.use(ctx, func() news { return t.runSuite(ctx, suite) }) })
	}
	running.Wait()
}

func (t *table) runPackage(ctx context.Context, pkg string) {
	var woven, wanted []Row
	for _, row := range t.all {
		if row.Package == pkg {
			woven = append(woven, row)
			if t.Want(row) {
				wanted = append(wanted, row)
			}
		}
	}
	var tests *binary
	t.use(ctx, func() news {
		into := filepath.Join(t.scratch, filepath.FromSlash(pkg))
		built, err := build(ctx, t.Root, into, pkg, t.Race, woven)
		tests = built
		return news{err: err}
	})
	if tests == nil {
		return
	}
	var running sync.WaitGroup
	running.Go(func() { t.use(ctx, func() news { return t.runBaseline(ctx, tests, pkg, wanted) }) })
	for _, row := range wanted {
		running.Go(func() { t.use(ctx, func() news { return t.runRow(ctx, tests, row) }) })
	}
	running.Wait()
}

// use runs one process after the other in a slot, unless the run is over.
func (t *table) use(ctx context.Context, run func() news) {
	select {
	case t.slots <- struct{}{}:
	case <-ctx.Done():
		return
	}
	var n news
	if ctx.Err() == nil {
		n = run()
	}
	<-t.slots
	t.news <- n
}

// baselineLimits is how many limits of one row the run without any sabotage may take, since it runs the tests of all rows in one process.
const baselineLimits = 4

func (t *table) runBaseline(ctx context.Context, tests *binary, pkg string, rows []Row) (n news) {
	var names []string
	for _, row := range rows {
		names = append(append(names, row.Red), row.Controls...)
	}
	slices.Sort(names)
	outcomes, err := tests.run(ctx, "", baselineLimits*t.Limit, slices.Compact(names)...)
	for _, o := range outcomes {
		if fault := judgeBaseline(pkg, o); fault != "" {
			n.baseline = append(n.baseline, fault)
		}
	}
	n.err = err
	return n
}

func (t *table) runRow(ctx context.Context, tests *binary, row Row) news {
	red, err := tests.run(ctx, row.Name, t.Limit, row.Red)
	if err != nil {
		return news{err: err}
	}
	controls, err := tests.run(ctx, row.Name, t.Limit, row.Controls...)
	if err != nil {
		return news{err: err}
	}
	result := &Result{Row: row, Red: red[0], Controls: controls}
	result.judge()
	return news{result: result}
}
