package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// worker is what runs in each of the two processes: a region of the fleet, over a source whose row it is told.
type worker struct {
	region *cacheaside.Region[string, string]

	mu      sync.Mutex
	out     io.Writer
	row     string
	release chan struct{} // closed when the slow load may end; nil: loads are quick
	loads   int
}

// ttl: a value is fresh for a moment and there for long, so that the story need not wait.
var ttl = redisadapter.TTLPolicy{Soft: 200 * time.Millisecond, Hard: time.Hour, Negative: time.Minute}

func newWorker(url, secret string, out io.Writer) (w *worker, stop func() error, err error) {
	client, err := redisadapter.OpenClient(url)
	if err != nil {
		return nil, nil, err
	}
	cache, err := redisadapter.New(client, redisadapter.Config[string, string]{
		Namespace: "fleet-example", Region: "row", Secret: []byte(secret), TTL: ttl,
		Fenced:        true,
		LookupTimeout: time.Second, RecordTimeout: time.Second, // a service keeps the short defaults
	})
	if err != nil {
		return nil, nil, errors.Join(err, client.Close())
	}
	policy := cacheaside.BalancedPolicy()
	policy.Coordination = cacheaside.Fleet
	policy.ServeStale.OnHeld = true
	policy.LoadDeadline = 2 * time.Second
	policy.ServeStale.RefreshWait = 0 // who loads waits for it, so that the story has one course
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, string]{Name: "row", Cache: cache, Policy: policy})
	if err != nil {
		return nil, nil, errors.Join(err, cache.Close(), client.Close())
	}
	stop = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return errors.Join(region.Close(ctx), cache.Close(), client.Close())
	}
	return &worker{region: region, out: out}, stop, nil
}

// work obeys until its input ends.
func work(ctx context.Context, url, secret string, in io.Reader, out io.Writer) error {
	w, stop, err := newWorker(url, secret, out)
	if err != nil {
		w = &worker{out: out}
		w.print("error " + err.Error())
		return err
	}
	w.print("ready")
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		w.obey(ctx, lines.Text())
	}
	return errors.Join(lines.Err(), stop())
}

func (w *worker) obey(ctx context.Context, line string) {
	word, key, _ := strings.Cut(line, " ")
	switch word {
	case "row": // the source's row changes
		w.set(func() { w.row = key })
		w.print("ok")
	case "hold": // from now on loads do not end
		w.set(func() { w.release = make(chan struct{}) })
		w.print("ok")
	case "free": // those that run may
		w.set(func() { close(w.release); w.release = nil })
	case "get":
		w.print(w.get(ctx, key))
	case "begin": // a get that is not waited for: it says when its load runs, and in the end what it got
		go func() { w.print(w.get(ctx, key)) }()
	case "invalidate":
		if err := cacheaside.Invalidate(ctx, w.region, key); err != nil {
			w.print("error " + err.Error())
			return
		}
		w.print("ok")
	default:
		w.print("error unknown " + word)
	}
}

func (w *worker) get(ctx context.Context, key string) string {
	w.set(func() { w.loads = 0 })
	result, err := cacheaside.Get(ctx, w.region, key, w.load)
	if err != nil {
		return "error " + err.Error()
	}
	var loads int
	w.set(func() { loads = w.loads })
	told := fmt.Sprintf("%v %q, source reads: %d", result.Status, result.Value, loads)
	if result.Status == cacheaside.StatusLoaded {
		told += fmt.Sprintf(", recorded: %v", result.Record.Certainty)
		if result.Record.Reason != 0 {
			told += fmt.Sprintf(" (%v)", result.Record.Reason)
		}
	}
	if result.Cause != nil {
		told += fmt.Sprintf(", since: %v", result.Cause)
	}
	return told
}

// load reads the row first and returns it late, as a slow query does.
func (w *worker) load(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
	var row string
	var release chan struct{}
	w.set(func() { w.loads++; row, release = w.row, w.release })
	if release != nil {
		w.print("loading")
		select {
		case <-release:
		case <-ctx.Done():
			return cacheaside.Cancelled[string](ctx.Err())
		}
	}
	return cacheaside.Loaded(row, "")
}

func (w *worker) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

func (w *worker) print(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintln(w.out, strings.ReplaceAll(line, "\n", "; "))
}
