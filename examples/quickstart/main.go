package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9/logging"

	"github.com/cacheaside/resilience/examples/internal/countries"
)

func main() {
	logging.Disable()              // go-redis prints failed dials by itself; the error says it already
	signal.Ignore(syscall.SIGPIPE) // a reader that leaves early leaves no files behind
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", strings.ReplaceAll(err.Error(), "\n", "; "))
		os.Exit(1)
	}
}

// run does what the arguments ask for and writes the story to out.
func run(ctx context.Context, args []string, out io.Writer) (err error) {
	redis, err := parse(args, out)
	if err != nil || redis == nil {
		return err
	}
	folder, err := os.MkdirTemp("", "quickstart")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	repository, err := countries.Create(ctx, filepath.Join(folder, "countries.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, repository.Close()) }()
	now := clock.NewMock() // the story moves it by hand and so needs no waiting
	now.Set(time.Now())
	cache, err := open(ctx, *redis, now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cache.close()) }()
	count, err := repository.Count(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d countries in a SQLite file, read through %s.\n", count, cache.name)
	s, err := newStory(out, repository, cache.Cache, now)
	if err != nil {
		return err
	}
	return s.tell(ctx)
}

// parse gives the value of -redis, or nil if help was asked for and given.
func parse(args []string, out io.Writer) (*string, error) {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	redis := flags.String("redis", "", "read through the Redis at this `URL`; auto starts the redis-server on PATH (default: an embedded cache)")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(out)
		fmt.Fprintln(out, "Reads countries from SQLite through a cache and shows every way in which a read can end.")
		flags.PrintDefaults()
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w (-h lists the flags)", err)
	case flags.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q (-h lists the flags)", flags.Arg(0))
	}
	return redis, nil
}
