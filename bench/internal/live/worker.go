package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/interrupt"
)

// envWorker makes a program that calls Worker one.
const envWorker = "CACHEASIDE_LAB_WORKER"

// Exit codes of a worker.
const (
	exitDone     = 0
	exitFailed   = 1
	exitOrphaned = 3
)

// Endpoint is what a contender needs that dials Redis by itself.
type Endpoint struct {
	URL       string // holds the password, if there is one
	Namespace string // every key must begin with it and a colon: these are deleted at the end of a run
	Operation func() // to be called for each command that is sent
}

// Lookup finds a contender by its ID. The endpoint is for those that use neither the store nor the cache of their node.
type Lookup func(id string, at Endpoint) (contender.Contender, bool)

// Of looks among the given contenders.
func Of(contenders ...contender.Contender) Lookup {
	return func(id string, _ Endpoint) (contender.Contender, bool) {
		for _, c := range contenders {
			if c.ID == id {
				return c, true
			}
		}
		return contender.Contender{}, false
	}
}

// Worker does the work of a worker process where this process was started as one, and gives the code to exit with. Call it before anything else:
// standard input and output are the way to the process that started this one, and the process ends when its standard input does.
func Worker(lookup Lookup) (isWorker bool, exit int) {
	if os.Getenv(envWorker) == "" {
		return false, 0
	}
	interrupt.IgnoreAll() // what to do is said over the pipe
	return true, work(os.Stdin, os.Stdout, lookup)
}

func work(in io.Reader, out io.Writer, lookup Lookup) int {
	said := json.NewDecoder(in)
	j, err := readJob(said)
	if err != nil {
		return fail(out, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	begin := make(chan time.Time, 1)
	go obey(said, begin, stop) // ends with the process

	n, err := openNode(ctx, j, lookup)
	if err != nil {
		return fail(out, err)
	}
	defer n.close()
	play, known := plays()[j.Play]
	if !known {
		return fail(out, fmt.Errorf("live: no play %q", j.Play))
	}
	if err := n.warm(ctx); err != nil {
		return fail(out, err)
	}
	if err := say(out, message{Ready: true}); err != nil {
		return exitFailed
	}
	select {
	case start := <-begin:
		n.begin(start)
	case <-ctx.Done():
		return exitDone
	}
	peaks := watchPeaks(n.reader)
	found := play(ctx, n)
	seen := peaks.stop()
	found.OverduePeak = seen.overdue
	err = say(out, message{Report: &report{
		Tally: n.counts().Tally(), Goroutines: seen.goroutines, HeapBytes: seen.heap, Stopped: ctx.Err() != nil, Facts: found,
	}})
	if err != nil {
		return exitFailed
	}
	return exitDone
}

// obey follows what is said until nothing more can be: then whoever started this process is gone, and it ends.
func obey(said *json.Decoder, begin chan<- time.Time, stop func()) {
	for {
		var c command
		if err := said.Decode(&c); err != nil {
			os.Exit(exitOrphaned)
		}
		if c.Stop {
			stop()
		}
		if c.Begin != 0 {
			// Through the monotonic clock from here on, whatever becomes of the other.
			select {
			case begin <- time.Now().Add(time.Until(time.UnixMicro(c.Begin))):
			default: // said twice
			}
		}
	}
}

func fail(out io.Writer, err error) int {
	if errors.Is(err, context.Canceled) {
		return exitDone
	}
	_ = say(out, message{Error: err.Error()}) // where nobody listens, the exit code says it
	return exitFailed
}
