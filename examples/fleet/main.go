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

	"github.com/redis/go-redis/v9/logging"

	"github.com/cacheaside/resilience/internal/redistest"
)

// workerAt says that this process is one of the two, and where its Redis is.
const workerAt = "FLEET_EXAMPLE_WORKER"

func main() {
	logging.Disable() // go-redis prints failed dials by itself; the error says it already
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := start(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", strings.ReplaceAll(err.Error(), "\n", "; "))
		os.Exit(1)
	}
}

func start(ctx context.Context) error {
	if url := os.Getenv(workerAt); url != "" {
		return work(ctx, url, os.Getenv(secretIn), os.Stdin, os.Stdout)
	}
	return run(ctx, os.Args[1:], os.Stdout)
}

// run does what the arguments ask for and writes the story to out.
func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("fleet", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	url := flags.String("redis", "auto", "use the Redis at this `URL`; auto starts the redis-server on PATH")
	err = flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(out)
		fmt.Fprintln(out, "Shows two processes that load each key once between them, also where one is killed.")
		flags.PrintDefaults()
		return nil
	case err != nil:
		return fmt.Errorf("%w (-h lists the flags)", err)
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q (-h lists the flags)", flags.Arg(0))
	}
	if *url == "auto" {
		server, err := redistest.StartProcess(ctx, redistest.Options{})
		if err != nil {
			return fmt.Errorf("-redis auto: %w", err)
		}
		return errors.Join(tell(ctx, server.URL(), out), server.Stop())
	}
	return tell(ctx, *url, out)
}
