package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/interrupt"
	"github.com/cacheaside/resilience/bench/internal/live"
)

// Exit codes. A check that does not hold is a finding and not a failure of the command.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130 // as a shell reports an interrupt
)

func main() {
	if isWorker, code := live.Worker(live.Of(contender.All()...)); isWorker {
		os.Exit(code)
	}
	bubble.Main(func(bubbles bubble.Bubbles) int {
		ctx, stop := interrupt.Context(context.Background())
		defer stop()
		return command(ctx, bubbles, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// command does what the arguments ask for: out gets what was found, said what happens meanwhile and what is wrong.
func command(ctx context.Context, bubbles bubble.Bubbles, args []string, out, said io.Writer) int {
	o, err := parse(args, out)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err != nil:
		complain(said, err)
		return exitUsage
	case o.list:
		list(out)
		return exitDone
	}
	err = study(ctx, bubbles, o, out, said)
	switch {
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case err != nil:
		complain(said, err)
		return exitFailed
	}
	return exitDone
}

// complain says what is wrong, each fault on a line of its own.
func complain(said io.Writer, err error) {
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Fprintln(said, "bench:", masked(line))
		}
	}
}
