package redisadapter

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"
)

// store speaks to the server: one command at a time, each within its limit, each sent once, each reported to the breaker. It knows physical keys and
// bytes, and nothing of values.
type store struct {
	port    port
	breaker *Breaker
	clock   clock.Clock
	limits  storeLimits
	lastArg any // limits.read, boxed once
	ticks   ticks

	lastFailed atomic.Value // the physical key, a string, of the last call that spoke against the server
}

type storeLimits struct {
	lookup, record time.Duration
	read           int
}

func newStore(p port, breaker *Breaker, c clock.Clock, limits storeLimits) *store {
	return &store{port: p, breaker: breaker, clock: c, limits: limits, lastArg: limits.read, ticks: ticks{limit: limits.lookup}}
}

// faultOf classifies an error of this call, which may have been sent or not, and tells the breaker. The client reports a context's end the same way
// whether it came in the queue for a connection or during a dial, and whoever's deadline it was; here the three are told apart, since only a dial
// that takes too long speaks against the server.
func (s *store) faultOf(c *call, physicalKey string, err error, sent bool) Fault {
	fault := faultOf(err)
	told := faultTable[fault].health
	if fault == FaultWrite && isTimeout(err) && (c.caller.Err() != nil || c.callersLimit) {
		// The socket was full when the caller's own time was up. A write that did not leave is certain all the same; a lookup was just cancelled.
		told = silent
		if !sent {
			fault = FaultCancelled
		}
	}
	if fault == FaultTimeout {
		switch {
		case c.caller.Err() != nil, c.callersLimit:
			fault = FaultCancelled
		case !sent && errors.Is(err, context.DeadlineExceeded) && s.starved(c.ctx, physicalKey): // a socket's deadline is another error
			fault = FaultPoolWait
		}
		told = faultTable[fault].health
	}
	if told == ailing {
		s.lastFailed.Store(physicalKey)
	}
	s.breaker.observe(told, s)
	return fault
}

// starved tells whether every connection of the key's node is made and in use, so that a call without one was waiting for a turn and not for a dial.
func (s *store) starved(ctx context.Context, physicalKey string) bool {
	stats := s.port.pool(ctx, physicalKey)
	return stats != nil && stats.IdleConns == 0 && int(stats.TotalConns) >= s.port.poolSize
}
