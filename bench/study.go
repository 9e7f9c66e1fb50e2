package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/internal/machine"
	"github.com/cacheaside/resilience/bench/internal/report"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// study measures, prints the table and writes the report. Where ctx ended it, the report is of what was measured by then, and the error the
// context's. Any other error comes after the report of what was measured before it too.
func study(ctx context.Context, bubbles bubble.Bubbles, o options, out, said io.Writer) error {
	begun := time.Now()
	document := &result.Document{
		Command: o.command, Machine: machine.Here(), Seed: o.seed, Started: begun.UTC().Format(time.RFC3339),
		Versions: machine.Versions("github.com/redis/go-redis/v9", "github.com/cacheaside/resilience", "golang.org/x/sync"),
		Limits:   limits(o),
	}
	shown := newProgress(said)
	var err error
	switch {
	case o.config != "":
		err = runConfig(ctx, bubbles, o, document, shown)
	case o.mode == modeLive:
		err = runLive(ctx, o, document, shown)
	default:
		err = runSim(ctx, bubbles, o, document, shown)
	}
	shown.end()
	document.Seconds = time.Since(begun).Seconds()
	document.Complete = err == nil && ctx.Err() == nil
	if !measured(document) {
		if err == nil {
			err = ctx.Err()
		}
		return err
	}
	if err := report.Table(out, document); err != nil {
		return err
	}
	if wrong := report.Write(o.out, document); wrong != nil {
		return errors.Join(wrong, err)
	}
	conclude(out, o, document)
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// measured tells whether there is anything to report.
func measured(document *result.Document) bool {
	return len(document.Maps)+len(document.Scenarios) > 0
}

// conclude says how it went and where the report is.
func conclude(out io.Writer, o options, document *result.Document) {
	if !document.Complete {
		fmt.Fprintln(out, "Not all was measured: the report is of what was.")
	}
	fmt.Fprintf(out, "Measured in %.0f s; the report is %s\n", document.Seconds, filepath.Join(o.out, "report.html"))
}

// runLive puts the questions to a real Redis, one after the other.
func runLive(ctx context.Context, o options, document *result.Document, shown *progress) error {
	for n, id := range o.scenarios {
		found, err := live.Run(ctx, live.Options{
			Redis: o.redis, Nodes: o.nodes, Seed: o.seed, Duration: o.length, Contenders: o.contenders,
		}, id, func(done, total float64) {
			shown.set((float64(n)+done/total)/float64(len(o.scenarios)), id)
		})
		if len(found.Runs)+len(found.Checks)+len(found.Notes) > 0 { // a note may say why there is no run
			document.Scenarios = append(document.Scenarios, found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
