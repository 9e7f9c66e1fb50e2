package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cacheaside/resilience/bench/internal/interrupt"
	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
	"github.com/cacheaside/resilience/bench/peers/internal/scenarios"
)

func main() {
	adapters.Quiet() // an error says it already
	if isChild, code := child(); isChild {
		os.Exit(code)
	}
	ctx, stop := interrupt.Context(context.Background())
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "peers:", strings.Join(strings.Fields(err.Error()), " "))
		os.Exit(exitCode(err))
	}
}

// errInterrupted says that not all was measured since somebody stopped it.
var errInterrupted = errors.New("interrupted")

// exitCode is that of an interrupt, as a shell reports one, or of anything else.
func exitCode(err error) int {
	if errors.Is(err, errInterrupted) {
		return 130
	}
	return 1
}

// child does the work of a process that was started for a part of a run.
func child() (isChild bool, code int) {
	if correctness.IsChild() {
		return true, correctness.Child()
	}
	return live.Worker(scenarios.Lookup)
}

// run does what the arguments ask for: out gets the result, progress what happens meanwhile.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	options, err := parse(args, progress)
	if err != nil {
		return err
	}
	if options.list {
		return list(out, options)
	}
	return measure(ctx, options, out, progress)
}
