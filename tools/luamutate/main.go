// Command luamutate breaks the Lua scripts of redisadapter one place at a time, in ways that were thought of and in those that rewriting every line
// makes, and checks that a table of what they promise notices each of them.
//
// Usage, from the root:
//
//	go run ./tools/luamutate [-v]
//
// It runs the table against the scripts as they are, on a redis-server of its own, and then against every mutant. It exits with status 1 if the
// scripts themselves break a promise, a mutant survives or does not compile, a pattern does not match exactly once, or a line that decides
// something, runs a command or returns has no mutant.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/cacheaside/resilience/internal/redistest"
)

func main() {
	folder := flag.String("scripts", "redisadapter", "the `folder` of the scripts")
	verbose := flag.Bool("v", false, "print every mutant with what noticed it")
	flag.Parse()
	faults, err := check(context.Background(), *folder, *verbose, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "luamutate:", err)
		os.Exit(2)
	}
	for _, fault := range faults {
		fmt.Fprintln(os.Stderr, "luamutate:", fault)
	}
	if len(faults) > 0 {
		os.Exit(1)
	}
}

// check tries every script and lists every fault.
func check(ctx context.Context, folder string, verbose bool, out io.Writer) (faults []string, err error) {
	process, err := redistest.StartProcess(ctx, redistest.Options{Users: users()})
	if err != nil {
		return nil, err
	}
	b := newBench(process.Addr())
	defer func() {
		b.close()
		if stopErr := process.Stop(); err == nil {
			err = stopErr
		}
	}()
	var rows []row
	var unread error
	for _, s := range subjects() {
		source, err := readScript(folder, s.file)
		if err != nil {
			return nil, err
		}
		tried, found, err := b.try(ctx, s, source, func(file string) string {
			text, err := readScript(folder, file)
			unread = errors.Join(unread, err)
			return text
		})
		err = errors.Join(err, unread)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		rows, faults = append(rows, tried), append(faults, found...)
	}
	printTable(out, rows, verbose)
	return faults, nil
}
