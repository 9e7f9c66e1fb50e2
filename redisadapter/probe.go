package redisadapter

import (
	"context"

	"github.com/benbjohnson/clock"
)

// probe asks the server for a byte of the key that failed last: what a lookup does, so that it needs no further permission, asks the same node of a
// cluster, and is refused as a lookup would be.
//
// A connection that breaks is tried again at once, as often as the pool may hold one: over TLS the client notices that a pooled connection is dead
// only when it is used, and after a restart of the server all of them are. One a second would keep a cache away from a server that is well.
func (s *store) probe(ctx context.Context) bool {
	call := limited(ctx, s.limits.lookup)
	defer call.cancel()
	key, _ := s.lastFailed.Load().(string)
	for pooled := s.port.poolSize; ; pooled-- {
		cmd := newRange(call.ctx, key, 0, 0)
		fault := faultOf(s.port.reads.Process(call.ctx, cmd))
		if pooled <= 0 || call.ctx.Err() != nil || fault != FaultConnection && fault != FaultWrite {
			return faultTable[fault].health == alive
		}
	}
}

func (s *store) timer() clock.Clock { return s.clock }
