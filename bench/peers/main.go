package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
)

func main() {
	if correctness.IsChild() {
		os.Exit(correctness.Child())
	}
	adapters.Quiet() // an error says it already
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "peers:", strings.Join(strings.Fields(err.Error()), " "))
		os.Exit(1)
	}
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
