package redisadapter

import (
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
)

// isSplit tells whether a node refused a script since its keys are on their way to another node: while a slot moves, a node serves no command over
// several keys of it that are not all in one place, but every command over one.
func isSplit(err error) bool {
	reply, ok := err.(redis.Error) //nolint:errorlint // as the client gives it
	return ok && strings.HasPrefix(strings.TrimPrefix(reply.Error(), "ERR "), "TRYAGAIN ")
}

// burySeparately does what one script does otherwise, a key at a time, in the order in which no step can undo another: first no fill from before is
// accepted any more; then the entries are buried. What a load that begins in between brings is new enough, and is buried with them. Until the last step
// is done the old value is answered, as it is before one script is done. Where revisions are ordered it is not offered: the order of what is buried
// would be forgotten.
func (s *store) burySeparately(c *call, e, other *sealed, fenced bool) cacheaside.RecordOutcome {
	grant := &shipment{hard: e.hard, clock: s.clock}
	code, err := s.runScript(c, supersedeScript, []string{sibling(e.key, kindGrant)}, grant, lifeOf{grant}, flag(fenced))
	if done := s.settle(c, e, grant, verdict{op: opInvalidate, code: code, err: err}); done.Certainty != cacheaside.RecordApplied {
		return done
	}
	if done := s.buryOne(c, other, fenced); done.Certainty != cacheaside.RecordApplied && done.Reason != cacheaside.RecordConditionFailed {
		return done
	}
	return s.buryOne(c, e, true)
}

func (s *store) buryOne(c *call, e *sealed, always bool) cacheaside.RecordOutcome {
	goods := &shipment{raw: e.raw, hard: e.hard, clock: s.clock}
	code, err := s.runScript(c, buryScript, []string{e.key}, goods, goods, lifeArg{goods}, flag(always))
	return s.settle(c, e, goods, verdict{op: opInvalidate, code: code, err: err})
}
