package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/bench/internal/machine"
	"github.com/cacheaside/resilience/bench/internal/report"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
	"github.com/cacheaside/resilience/bench/peers/internal/scenarios"
)

// limits are where the figures do not hold.
var limits = [...]string{
	"Each cell of the table is one run on one machine: a sentence says what happened there, not how often it would.",
	"Libraries that keep values in the process answer hits without a network, and need no Redis to do so.",
	"Each library is set up as its own documentation recommends; another set-up can behave otherwise.",
	"The source of the table takes any number of loads at once without slowing down: a bound shows as callers refused, and its absence costs nothing.",
	"Live figures are of one machine that runs the users, the nodes, the source and Redis at once, over loopback. Ratios within one run mean something; " +
		"times mean little elsewhere.",
}

// measure runs the parts of the comparison, prints them, and writes the report. Where ctx ended it, the report is of what was measured by then.
func measure(ctx context.Context, o options, out, progress io.Writer) error {
	if err := writable(o.out); err != nil {
		return err
	}
	redis, err := openServer(ctx, o.addr)
	if err != nil {
		return err
	}
	began := time.Now()
	document := &result.Document{
		Command: o.command, Machine: machine.Here(), Versions: versions(o.peers), Seed: o.seed, Started: began.UTC().Format(time.RFC3339),
		Scenarios: []result.Scenario{}, Limits: limits[:],
	}
	document.Versions["server"] = redis.version

	err = errors.Join(measureTable(ctx, o, document, progress), measureScenarios(ctx, o, redis, document, progress), redis.close())
	document.Complete = err == nil && ctx.Err() == nil
	document.Seconds = time.Since(began).Seconds()
	err = errors.Join(show(out, o, document), err)
	if o.out != "" {
		if wrong := report.Write(o.out, document); wrong != nil {
			return errors.Join(wrong, err)
		}
		fmt.Fprintln(out, "The report is", filepath.Join(o.out, "report.html"))
	}
	return err
}

// measureTable runs the experiments and tells how far it is.
func measureTable(ctx context.Context, o options, document *result.Document, progress io.Writer) error {
	if len(o.experiments) == 0 {
		return nil
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	total, done := len(o.experiments)*len(o.peers), 0
	space := redisstore.New("redis://" + o.addr)
	runner := correctness.Runner{
		Program: program, Addr: o.addr, Namespace: space.Namespace, Parallel: o.parallel,
		Done: func(c correctness.Cell) {
			done++
			fmt.Fprintf(progress, "%3d of %d: %s, %s: %s\n", done, total, c.Experiment, c.Peer, c.Outcome)
		},
	}
	cells := runner.Run(ctx, o.experiments, o.peers)
	document.Tables = append(document.Tables, correctness.Table(o.experiments, o.peers, cells))
	if o.addr != "" {
		_, err = space.Sweep(context.WithoutCancel(ctx))
	}
	if len(cells) < total {
		return errors.Join(fmt.Errorf("%w: %d of %d cells were measured", errInterrupted, len(cells), total), err)
	}
	return errors.Join(failures(cells), err)
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

// measureScenarios runs the scenarios one after the other. One that cannot be measured does not keep the next from being.
func measureScenarios(ctx context.Context, o options, redis *server, document *result.Document, progress io.Writer) error {
	run := scenarios.Options{Addr: redis.addr, Peers: o.peers, Nodes: o.nodes, Seed: o.seed, Duration: o.duration}
	var errs []error
	for _, s := range o.scenarios {
		if ctx.Err() != nil {
			break
		}
		told := 0.0
		found, err := scenarios.Run(ctx, run, s.ID, func(done, total float64) {
			if done = math.Floor(done); done > told { // it is also told of parts
				told = done
				fmt.Fprintf(progress, "%s, %s: %.0f of %.0f\n", s.ID, s.Title, done, total)
			}
		})
		if len(found.Runs)+len(found.Checks) > 0 {
			document.Scenarios = append(document.Scenarios, found)
		}
		if err != nil && ctx.Err() == nil {
			errs = append(errs, fmt.Errorf("scenario %s: %w", s.ID, err))
		}
	}
	if ctx.Err() != nil && len(o.scenarios) > 0 {
		errs = append(errs, fmt.Errorf("%w: %d of %d scenarios were begun", errInterrupted, len(document.Scenarios), len(o.scenarios)))
	}
	return errors.Join(errs...)
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
