package redisadapter

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// call is one operation under its time limit.
type call struct {
	ctx          context.Context //nolint:containedctx // a call is its context and what is known of it
	caller       context.Context //nolint:containedctx // likewise
	cancel       context.CancelFunc
	end          time.Time
	callersLimit bool // the caller's deadline is the limit
}

// limited gives the context of one call: the caller's, if it ends before limit, else one that ends then. Sockets keep the wall clock, so this does
// too.
func limited(ctx context.Context, limit time.Duration) call {
	end := time.Now().Add(limit) //nolint:forbidigo // the deadline of a socket
	if own, ok := ctx.Deadline(); ok && own.Before(end) {
		return call{ctx: ctx, caller: ctx, cancel: func() {}, end: own, callersLimit: true}
	}
	within, cancel := context.WithDeadline(ctx, end) //nolint:forbidigo // the deadline of a socket
	return call{ctx: within, caller: ctx, cancel: cancel, end: end}
}

// failure makes the error of this call. A caller whose context ended finds its error in the chain, even where the socket noticed first.
func (c *call) failure(op string, fault Fault, err error) *StoreError {
	causes := []error{err}
	switch ended := c.caller.Err(); {
	case ended != nil:
		causes = append(causes, ended)
	case c.callersLimit && fault == FaultCancelled:
		causes = append(causes, context.DeadlineExceeded)
	case fault == FaultPoolWait:
		causes = append(causes, redis.ErrPoolTimeout) // as the client has it where its own limit is the shorter one
	}
	return newStoreError(op, fault, causes...)
}

// ticks are the contexts of lookups whose callers cannot cancel them. A lookup is in a hurry: a context of its own, with its timer, would cost it more
// than its digest. So those that begin within a sixteenth of the limit share one deadline, that of the first, and have up to a sixteenth less time.
// A caller that can cancel gets a context of its own: it may want to leave the queue for a connection.
type ticks struct {
	limit time.Duration
	now   atomic.Pointer[tick]
}

type tick struct {
	ctx        context.Context    //nolint:containedctx // shared by calls, which is the point
	cancel     context.CancelFunc // never called: the deadline is its only end, since no call may end it for the others
	until, end time.Time
}

const ticksPerLimit = 16

// tickContext is the deadline of a tick with the values of a caller.
type tickContext struct {
	context.Context //nolint:containedctx // it is one

	caller context.Context //nolint:containedctx // likewise
}

// Value gives the caller's.
func (c *tickContext) Value(key any) any { return c.caller.Value(key) }

// limited is the shared counterpart of [limited].
func (t *ticks) limited(ctx context.Context) call {
	if ctx.Done() != nil {
		return limited(ctx, t.limit)
	}
	now := time.Now() //nolint:forbidigo // the deadline of a socket
	current := t.now.Load()
	if current == nil || !now.Before(current.until) {
		current = t.next(now)
	}
	return call{ctx: &tickContext{current.ctx, ctx}, caller: ctx, cancel: func() {}, end: current.end}
}

// next begins a tick. Two that begin at the same time are both good.
func (t *ticks) next(now time.Time) *tick {
	end := now.Add(t.limit)
	ctx, cancel := context.WithDeadline(context.Background(), end) //nolint:forbidigo // the deadline of a socket
	next := &tick{ctx: ctx, cancel: cancel, until: now.Add(t.limit / ticksPerLimit), end: end}
	t.now.Store(next)
	return next
}
