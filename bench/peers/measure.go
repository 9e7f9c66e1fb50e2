package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
	"github.com/cacheaside/resilience/internal/redistest"
)

// limits are where the figures do not hold.
var limits = [...]string{
	"Each cell is one run on one machine: a sentence says what happened there, not how often it would.",
	"Libraries that keep values in the process answer hits without a network, and need no Redis to do so.",
	"Each library is set up as its own documentation recommends; another set-up can behave otherwise.",
	"The source here takes any number of loads at once without slowing down: a bound shows as callers refused, and its absence costs nothing.",
}

// measure runs the parts of the comparison, prints them, and writes the document.
func measure(ctx context.Context, o options, out, progress io.Writer) error {
	if err := writable(o.out); err != nil {
		return err
	}
	server, err := askServer(ctx, o.addr)
	if errors.Is(err, redistest.ErrNoServer) {
		return fmt.Errorf("no redis-server on PATH: install it, name it in %s, or give -redis redis://host:port", redistest.EnvServer)
	}
	if err != nil {
		return fmt.Errorf("the Redis does not answer: %w", err)
	}
	began := time.Now()
	document := result.Document{
		Command: o.command, Machine: machine(), Versions: versions(o.peers), Started: began.UTC().Format(time.RFC3339),
		Scenarios: []result.Scenario{}, Limits: limits[:],
	}
	document.Versions["redis-server"] = server

	cells, err := tableOfCells(ctx, o, progress)
	if err != nil {
		return err
	}
	document.Tables = []result.Table{correctness.Table(o.experiments, o.peers, cells)}
	document.Complete = len(cells) == len(o.experiments)*len(o.peers)
	document.Seconds = time.Since(began).Seconds()

	show(out, o, document)
	if o.out != "" {
		if err := write(filepath.Join(o.out, "peers.json"), document); err != nil {
			return err
		}
	}
	if !document.Complete {
		return fmt.Errorf("interrupted: %d of %d cells were measured", len(cells), len(o.experiments)*len(o.peers))
	}
	return failures(cells)
}

// tableOfCells runs the experiments and tells how far it is.
func tableOfCells(ctx context.Context, o options, progress io.Writer) ([]correctness.Cell, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	total, done := len(o.experiments)*len(o.peers), 0
	runner := correctness.Runner{Program: program, Addr: o.addr, Parallel: o.parallel, Done: func(c correctness.Cell) {
		done++
		fmt.Fprintf(progress, "%3d of %d: %s, %s: %s\n", done, total, c.Experiment, c.Peer, c.Outcome)
	}}
	return runner.Run(ctx, o.experiments, o.peers), nil
}

// failures are the cells that could not be run, which is a fault of the run and not a result.
func failures(cells []correctness.Cell) error {
	for _, c := range cells {
		if c.Outcome == correctness.Failed {
			return fmt.Errorf("experiment %s with %s: %s", c.Experiment, c.Peer, c.Text)
		}
	}
	return nil
}

// writable makes the directory before anything is measured for it.
func writable(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	return nil
}

func write(name string, document result.Document) error {
	text, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}
