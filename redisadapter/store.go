package redisadapter

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"
)

// store speaks to the server: one command at a time, each within its limit, each sent once, each reported to the breaker. It knows physical keys and
// bytes, and nothing of values.
type store struct {
	port    port
	breaker *Breaker
	clock   clock.Clock
	limits  storeLimits
	lastArg any // limits.read, boxed once

	lastFailed atomic.Value // the physical key, a string, of the last call that spoke against the server
}

type storeLimits struct {
	lookup, record time.Duration
	read           int
}

func newStore(p port, breaker *Breaker, c clock.Clock, limits storeLimits) *store {
	return &store{port: p, breaker: breaker, clock: c, limits: limits, lastArg: limits.read}
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

// call is one operation under its time limit.
type call struct {
	ctx          context.Context //nolint:containedctx // a call is its context and what is known of it
	caller       context.Context //nolint:containedctx // likewise
	cancel       context.CancelFunc
	end          time.Time
	callersLimit bool // the caller's deadline is the limit
}

// faultOf classifies an error of this call, which may have been sent or not, and tells the breaker. The client reports a context's end the same way
// whether it came in the queue for a connection or during a dial, and whoever's deadline it was; here the three are told apart, since only a dial
// that takes too long speaks against the server.
func (s *store) faultOf(c *call, physicalKey string, err error, sent bool) Fault {
	fault := faultOf(err)
	if fault == FaultTimeout {
		switch {
		case c.caller.Err() != nil, c.callersLimit:
			fault = FaultCancelled
		case !sent && s.starved():
			fault = FaultPoolWait
		}
	}
	if faultTable[fault].health == ailing {
		s.lastFailed.Store(physicalKey)
	}
	s.breaker.observe(faultTable[fault].health, s)
	return fault
}

// starved tells whether every connection of the pool is made and in use, so that a call without one was waiting for a turn and not for a dial.
func (s *store) starved() bool {
	stats := s.port.pool()
	return stats.IdleConns == 0 && int(stats.TotalConns) >= s.port.poolSize
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
