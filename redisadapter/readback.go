package redisadapter

import (
	"time"

	"github.com/cacheaside/resilience/envelope"
)

// readBack asks once, within what is left of the record's time, whether the entry that may have been written is the one that is stored. Every entry
// has a digest of its own, so an equal one proves the write; anything else proves nothing, since the command may yet be executed or may have been
// replaced since. It never writes.
func (s *store) readBack(c *call, e *sealed) bool {
	if c.ctx.Err() != nil || s.breaker.isOpen() || !time.Now().Before(c.end) { //nolint:forbidigo // the deadline of a socket
		return false
	}
	cmd := newRange(c.ctx, e.key, -envelope.DigestSize, -1)
	if err := s.port.writes.Process(c.ctx, cmd); err != nil {
		s.faultOf(c, e.key, err, true)
		return false
	}
	s.breaker.observe(alive, s)
	return cmd.Val() == e.digest()
}
