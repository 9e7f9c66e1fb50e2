package correctness

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// call is one caller's read.
type call func(ctx context.Context, caller int) contender.Answer

// crowd is a number of callers at work, each in a goroutine and with a deadline of its own.
type crowd struct {
	n        int
	deadline time.Duration
	started  time.Time
	back     chan returned
}

type returned struct {
	answer contender.Answer
	took   time.Duration
	exited bool // the library ended the caller's goroutine
}

// gather starts n callers. Those that a library never lets go end with the process.
func gather(ctx context.Context, n int, deadline time.Duration, do call) *crowd {
	c := &crowd{n: n, deadline: deadline, started: time.Now(), back: make(chan returned, n)}
	for i := range n {
		go c.caller(ctx, i, do)
	}
	return c
}

func (c *crowd) caller(ctx context.Context, i int, do call) {
	ctx, cancel := context.WithTimeout(ctx, c.deadline)
	defer cancel()
	began := time.Now()
	result := returned{exited: true}
	// Deferred, for nothing after a Goexit runs but this.
	defer func() {
		result.took = time.Since(began)
		c.back <- result
	}()
	result.answer = do(ctx, i)
	result.exited = false
}

// tally waits for the callers, at most patience from their start.
func (c *crowd) tally(patience time.Duration) Tally {
	t := Tally{Callers: c.n}
	limit := time.NewTimer(time.Until(c.started.Add(patience)))
	defer limit.Stop()
	for range c.n {
		select {
		case r := <-c.back:
			if r.exited {
				t.Exited++
				continue
			}
			t.add(r.answer, r.took, c.deadline)
		case <-limit.C:
			t.NotBack = c.n - t.returned()
			return t
		}
	}
	return t
}

func (t Tally) returned() int {
	n := t.Values + t.Stale + t.Absent + t.Exited
	for _, others := range t.Others {
		n += others
	}
	return n
}
