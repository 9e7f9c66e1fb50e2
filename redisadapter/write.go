package redisadapter

import (
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/envelope"
)

// stagedAbove is the size of an entry from which on an observed replace stages it: Lua copies and hashes every byte it is handed, which for 16 MiB
// stops the server for 31 ms, match or not.
const stagedAbove = 64 << 10

// sealed is an entry ready to be written.
type sealed struct {
	key        string
	raw        []byte
	soft, hard time.Time // as they are encoded; soft is zero where there is none
}

func (e *sealed) digest() string { return string(e.raw[len(e.raw)-envelope.DigestSize:]) }

// write stores an entry under the condition, in one atomic step, sent once.
func (s *store) write(c *call, e *sealed, condition observed) cacheaside.RecordOutcome {
	goods := &shipment{raw: e.raw, hard: e.hard, clock: s.clock}
	switch {
	case condition.digest == "":
		return s.settle(c, e, goods, s.setIfAbsent(c, e, goods))
	case len(e.raw) <= stagedAbove:
		return s.settle(c, e, goods, s.replace(c, e, condition, goods))
	}
	return s.replaceStaged(c, e, condition, goods)
}

// verdict is what one command of a write came to: an error, or a code of the scripts.
type verdict struct {
	op   string
	code int64
	err  error
}

func (s *store) setIfAbsent(c *call, e *sealed, goods *shipment) verdict {
	cmd := newSet(c.ctx, "set", e.key, goods, "px", lifeArg{goods}, "nx")
	err := s.port.writes.Process(c.ctx, cmd)
	switch {
	case errors.Is(err, redis.Nil):
		return verdict{op: opRecord, code: codeOther}
	case err == nil && cmd.Val() != "OK":
		err = errOddReply
	}
	return verdict{op: opRecord, code: codeApplied, err: err}
}

func (s *store) replace(c *call, e *sealed, condition observed, goods *shipment) verdict {
	code, err := s.runScript(c, replaceScript, []string{e.key}, goods,
		opaque(condition.digest), condition.goneFlag(), goods, lifeArg{goods})
	return verdict{op: opRecord, code: code, err: err}
}

// settle turns a verdict into an outcome, tells the breaker, and reads back once what is undecided.
func (s *store) settle(c *call, e *sealed, goods *shipment, v verdict) cacheaside.RecordOutcome {
	if v.err == nil {
		s.breaker.observe(alive, s)
		if v.code == codeOther && goods.sent.Load() > 1 && s.readBack(c, e) {
			return e.applied() // a hook of the client sent it again, and it met itself
		}
		return e.ofCode(v)
	}
	sent := goods.sent.Load() > 0
	fault := s.faultOf(c, e.key, v.err, sent)
	failure := c.failure(v.op, fault, v.err)
	row := faultTable[fault]
	switch {
	case !sent:
		return notApplied(cacheaside.RecordNeverSent, failure)
	case row.sent == cacheaside.RecordNotApplied:
		return notApplied(row.reason, failure)
	case s.readBack(c, e):
		return e.applied()
	}
	return cacheaside.RecordOutcome{
		Certainty: cacheaside.RecordIndeterminate, SoftExpiresAt: e.soft, HardExpiresAt: e.hard, Err: failure,
	}
}

func (e *sealed) ofCode(v verdict) cacheaside.RecordOutcome {
	switch v.code {
	case codeApplied:
		return e.applied()
	case codeAbsent:
		return notApplied(cacheaside.RecordObservationGone, nil)
	case codeOther:
		return notApplied(cacheaside.RecordConditionFailed, nil)
	case codeForeign:
		return notApplied(cacheaside.RecordConditionFailed, newStoreError(v.op, FaultWrongType))
	case codeSuperseded:
		return notApplied(cacheaside.RecordSuperseded, nil)
	case codeOlder:
		return notApplied(cacheaside.RecordOlderRevision, nil)
	case codeStagingLost:
		return notApplied(cacheaside.RecordStoreRefused, newStoreError(v.op, FaultStagingLost))
	case codeNoDigest:
		return notApplied(cacheaside.RecordStoreRefused, newStoreError(v.op, FaultRejected, errNoDigest))
	}
	return cacheaside.RecordOutcome{
		Certainty: cacheaside.RecordIndeterminate, SoftExpiresAt: e.soft, HardExpiresAt: e.hard,
		Err: newStoreError(v.op, FaultUnknown, errOddReply),
	}
}

func (e *sealed) applied() cacheaside.RecordOutcome {
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied, SoftExpiresAt: e.soft, HardExpiresAt: e.hard}
}

func notApplied(reason cacheaside.RecordReason, err error) cacheaside.RecordOutcome {
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: reason, Err: err}
}
