package redisadapter

import (
	"context"

	"github.com/benbjohnson/clock"
)

// probe asks the server for a byte of the key that failed last: what a lookup does, so that it needs no further permission, asks the same node of a
// cluster, and is refused as a lookup would be.
func (s *store) probe(ctx context.Context) bool {
	call := limited(ctx, s.limits.lookup)
	defer call.cancel()
	key, _ := s.lastFailed.Load().(string)
	cmd := newRange(call.ctx, key, 0, 0)
	err := s.port.reads.Process(call.ctx, cmd)
	return faultTable[faultOf(err)].health == alive
}

func (s *store) timer() clock.Clock { return s.clock }
