package cacheaside

import (
	"context"
	"sync"
	"time"
)

// loadContext is what a loader runs on: the values of one caller, the cancellation of none. It ends when the library ends the load, at the load
// deadline with [context.DeadlineExceeded], else with [context.Canceled]; and when the loader has returned, as the context of a served request does,
// so that a helper that waits for it is not left behind.
//
// It is no context of the standard library with a deadline, since that one would run on the wall clock whatever clock the region has; and no
// cancel context either, since that one cannot end with DeadlineExceeded, by which drivers tell a timeout from a cancellation.
type loadContext struct {
	context.Context // values only: never done

	deadline time.Time // zero on a clock that is not the real one: nobody could compare it with the time it knows
	link     *chainLink
	done     chan struct{}

	mu     sync.Mutex
	err    error              // guarded by mu; set once
	reason Reason             // guarded by mu; set with err
	after  map[*func()]func() // guarded by mu; what AfterFunc registered, nil once done
}

func newLoadContext(values context.Context, deadline time.Time, link *chainLink) *loadContext {
	return &loadContext{Context: context.WithoutCancel(values), deadline: deadline, link: link, done: make(chan struct{})}
}

// Deadline is known on the real clock only.
func (c *loadContext) Deadline() (time.Time, bool) { return c.deadline, !c.deadline.IsZero() }

func (c *loadContext) Done() <-chan struct{} { return c.done }

func (c *loadContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *loadContext) Value(key any) any {
	if key == (chainKey{}) {
		return c.link
	}
	return c.Context.Value(key)
}

// AfterFunc lets the contexts that a loader derives from this one end with it without a goroutine each, and with its very error.
func (c *loadContext) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	if c.after == nil {
		c.after = make(map[*func()]func())
	}
	registered := &f
	c.after[registered] = f
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, waiting := c.after[registered]
		delete(c.after, registered)
		return waiting
	}
}

// end ends the load for the given reason, once. It runs nobody's code in its own goroutine, so it may be called under a lock.
func (c *loadContext) end(reason Reason) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err, c.reason = context.Canceled, reason
	if reason == ReasonLoadDeadline {
		c.err = context.DeadlineExceeded
	}
	close(c.done)
	for _, f := range c.after {
		go f()
	}
	c.after = nil
}

// ended tells whether the load's context has ended, and for which reason; 0 means that nobody wanted the load any more, or that it has returned.
func (c *loadContext) ended() (Reason, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reason, c.err != nil
}
