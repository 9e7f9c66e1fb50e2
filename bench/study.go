package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
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
	if err := writable(o.out); err != nil {
		return err
	}
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
	// The table may have no reader any more, and the report no room: neither takes the other with it.
	wrong := report.Write(o.out, document)
	wrong = errors.Join(wrong, report.Table(out, document))
	if wrong != nil {
		return errors.Join(wrong, err)
	}
	conclude(out, o, document)
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// measured tells whether there is anything to report. Of a study that was cut short that takes a figure; of another a note may say why there is none.
func measured(document *result.Document) bool {
	return len(document.Maps) > 0 || slices.ContainsFunc(document.Scenarios, func(s result.Scenario) bool {
		return document.Complete || len(s.Runs)+len(s.Checks) > 0
	})
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
	var failed error
	for n, id := range o.scenarios {
		found, err := live.Run(ctx, live.Options{
			Redis: o.redis, Nodes: o.nodes, Seed: o.seed, Duration: o.length, Contenders: o.contenders,
		}, id, func(done, total float64) {
			shown.set((float64(n)+done/total)/float64(len(o.scenarios)), id)
		})
		if len(found.Runs)+len(found.Checks)+len(found.Notes) > 0 { // a note may say why there is no run
			document.Scenarios = append(document.Scenarios, found)
		}
		if _, ofWorker := errors.AsType[*live.WorkerError](err); ofWorker && ctx.Err() == nil {
			failed = errors.Join(failed, err) // the next scenario may go well
			continue
		}
		if err != nil {
			return errors.Join(failed, err)
		}
	}
	return failed
}
