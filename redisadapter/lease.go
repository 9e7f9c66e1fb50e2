package redisadapter

import (
	"context"
	"strconv"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/lease"
)

// LeaseStore keeps leases on a Redis or Valkey server: it is a [lease.Store]. Make it with [NewLeaseStore]. It is safe for concurrent use.
//
// Each operation is one script, sent once, within Timeout, decided on the server's own clock. A grant asks in the same step whether the server is still
// the one that granted before ([GuardedScript]). Under
//
//	<namespace>:<region>:<scope, or ->:{<base64url of 16 bytes of an HMAC>}:l
//
// lies a hash of token, owner, request, expires and limit, the last two in microseconds of the server's clock. It has no life at the server and nothing of
// this package deletes it: eviction policies of volatile-* never see it, and the store refuses those of allkeys-*. A record takes some 200 bytes for good,
// so that names of leases belong to a set that does not grow for ever. Whatever else is found there, such as a record that was altered by hand into none
// that the store writes, is left as it is, and every operation on it is no decision, with [FaultWrongType].
//
// The causes of its errors are a *[StoreError], what a [Posture] says of a server that granted nothing, or a *[lease.ArgumentError] for an argument that
// cannot be. A user of the server needs TIME, HMGET, HLEN, HSET, EVAL, EVALSHA, INFO and CONFIG GET.
type LeaseStore struct {
	store     *store
	keys      *keyspace
	canonical canonicalizer[string]
	clock     clock.Clock
	maxHold   time.Duration
	posture   *Posture
	owned     *Breaker // nil when it is shared
}

// Close ends what the store started: the probe of its own breaker, and waits for it, at most Timeout. It is idempotent. A shared breaker and the client
// stay the caller's, and leases that are held go on. A closed store still answers, without a breaker.
func (s *LeaseStore) Close() error {
	if s.owned == nil {
		return nil
	}
	return s.owned.Close()
}

// Acquire implements [lease.Store].
func (s *LeaseStore) Acquire(
	ctx context.Context, key, owner string, request lease.RequestID, ttl time.Duration,
) (lease.Acquired, error) {
	if err := lease.CheckAcquire(key, owner, request, ttl, s.maxHold); err != nil {
		return lease.Acquired{}, err
	}
	answer, err := s.request(ctx, key, owner, request, ttl)
	if stranger, is := answer.stranger(); is && err == nil {
		// It granted nothing. Where it has been waited for, it is asked once more.
		if err := s.posture.Admit(ctx, stranger); err != nil {
			return lease.Acquired{}, lease.NoDecision(lease.OpAcquire, err)
		}
		answer, err = s.request(ctx, key, owner, request, ttl)
	}
	if err != nil {
		return lease.Acquired{}, err
	}
	if stranger, is := answer.stranger(); is {
		return lease.Acquired{}, lease.NoDecision(lease.OpAcquire, s.stillStrange(ctx, stranger))
	}
	return answer.acquired(s.clock.Now())
}

// stillStrange is why nothing was granted where the second question met a stranger as well: another server than the one that was admitted, as in two
// failovers one after the other, or the same one, which others have stopped trusting since. It asks no third time.
func (s *LeaseStore) stillStrange(ctx context.Context, stranger string) error {
	if err := s.posture.Admit(ctx, stranger); err != nil {
		return err
	}
	return newStoreError(string(lease.OpAcquire), FaultUnknown, errStillStranger)
}

func (s *LeaseStore) request(ctx context.Context, key, owner string, request lease.RequestID, ttl time.Duration) (leaseAnswer, error) {
	question := &slip{text: string(request[:])}
	return s.ask(ctx, lease.OpAcquire, key, leaseAcquireScript, question,
		s.posture.GuardArgument(), question, owner, ttl.Microseconds(), s.maxHold.Microseconds())
}

// Posture tells about the server: what it is, whether it is still the one that grants, and what to give to a later life as [LeaseConfig.Known].
func (s *LeaseStore) Posture() *Posture { return s.posture }

// Renew implements [lease.Store].
func (s *LeaseStore) Renew(ctx context.Context, key string, token lease.Token, ttl time.Duration) (lease.Renewed, error) {
	if err := lease.CheckRenew(key, ttl, s.maxHold); err != nil {
		return lease.Renewed{}, err
	}
	question := tokenSlip(token)
	answer, err := s.ask(ctx, lease.OpRenew, key, leaseRenewScript, question, question, ttl.Microseconds())
	if err != nil {
		return lease.Renewed{}, err
	}
	return answer.renewed(token, s.clock.Now())
}

// Release implements [lease.Store].
func (s *LeaseStore) Release(ctx context.Context, key string, token lease.Token) (lease.Released, error) {
	if err := lease.CheckKey(lease.OpRelease, key); err != nil {
		return lease.Released{}, err
	}
	question := tokenSlip(token)
	answer, err := s.ask(ctx, lease.OpRelease, key, leaseReleaseScript, question, question)
	if err != nil {
		return lease.Released{}, err
	}
	return answer.released(question.sent.Load() > 1)
}

// Inspect implements [lease.Store]. It writes nothing, but must run where writes do.
func (s *LeaseStore) Inspect(ctx context.Context, key string) (lease.Inspection, error) {
	if err := lease.CheckKey(lease.OpInspect, key); err != nil {
		return lease.Inspection{}, err
	}
	question := &slip{} // of no use to the script: it tells whether that was sent
	answer, err := s.ask(ctx, lease.OpInspect, key, leaseInspectScript, question, question)
	if err != nil {
		return lease.Inspection{}, err
	}
	return answer.inspection()
}

func tokenSlip(token lease.Token) *slip { return &slip{text: strconv.FormatUint(uint64(token), 10)} }

// ask runs a script on the record of a key and gives its answer, or what is certain of its failure. An inspection decides nothing, whatever became of it.
func (s *LeaseStore) ask(ctx context.Context, op lease.Op, key string, run script, question *slip, args ...any) (leaseAnswer, error) {
	if s.store.breaker.isOpen() {
		return leaseAnswer{}, lease.NoDecision(op, newStoreError(string(op), FaultBreakerOpen, ErrBreakerOpen))
	}
	physicalKey := s.physical(key)
	call := limited(ctx, s.store.limits.record)
	defer call.cancel()
	began := s.clock.Now()
	text, err := s.store.ask(&call, run, []string{physicalKey}, question, args...)
	if err != nil {
		sent := question.sent.Load() > 0
		fault := s.store.faultOf(&call, physicalKey, err, sent)
		failure := call.failure(string(op), fault, err)
		if op == lease.OpInspect || !sent || faultTable[fault].sent == cacheaside.RecordNotApplied {
			return leaseAnswer{}, lease.NoDecision(op, failure)
		}
		return leaseAnswer{}, lease.Indeterminate(op, failure)
	}
	s.store.breaker.observe(alive, s.store)
	return leaseAnswer{op: op, text: text, began: began}, nil
}

func (s *LeaseStore) physical(key string) string {
	state := s.keys.acquire()
	defer s.keys.release(state)
	state.scratch = s.canonical(state.scratch, key)
	return s.keys.physical(state)
}
