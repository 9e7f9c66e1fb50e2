package redisadapter

import (
	"crypto/rand"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// stagingSlack is how much longer than a record a staged value lives, so that the swap finds it and a lost one goes by itself.
const stagingSlack = 5 * time.Second

// replaceStaged replaces a large entry by two commands, each sent once: the value goes to a key of its own in the same slot, and once the server has
// said that it is there, a script swaps it in. Until the second command is sent the entry is untouched, so whatever becomes of the first, nothing
// was applied.
func (s *store) replaceStaged(c *call, e *sealed, condition observed, goods *shipment) cacheaside.RecordOutcome {
	staging, refused := s.stage(c, e, goods)
	if refused.Certainty != cacheaside.RecordNone {
		return refused
	}
	swap := &shipment{hard: e.hard, clock: s.clock}
	code, err := s.runScript(c, stagedScript, []string{e.key, staging}, swap,
		opaque(condition.digest), condition.goneFlag(), lifeOf{swap})
	return s.settle(c, e, swap, verdict{op: opRecord, code: code, err: err})
}

// stage sends the value ahead. The outcome is not [cacheaside.RecordNone] if it did not arrive.
func (s *store) stage(c *call, e *sealed, goods *shipment) (staging string, refused cacheaside.RecordOutcome) {
	var nonce [8]byte
	_, _ = rand.Read(nonce[:]) // never fails
	staging = stagingKey(e.key, nonce)
	life := (s.limits.record + stagingSlack).Milliseconds()
	cmd := newSet(c.ctx, "set", staging, goods, "px", life)
	err := s.port.writes.Process(c.ctx, cmd)
	if err == nil && cmd.Val() != "OK" {
		err = errOddReply
	}
	if err != nil {
		sent := goods.sent.Load() > 0
		fault := s.faultOf(c, e.key, err, sent)
		reason := cacheaside.RecordNeverSent // of the command that would have changed the entry, that is certain
		if row := faultTable[fault]; sent && row.sent == cacheaside.RecordNotApplied {
			reason = row.reason
		}
		return "", notApplied(reason, c.failure(opRecord, fault, err))
	}
	return staging, cacheaside.RecordOutcome{}
}
