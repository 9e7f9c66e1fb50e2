package redisadapter

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// fenceLives is how many leases a fence record is kept: long enough for every fill that could still come under it, and no longer, since a record that
// is gone refuses a fill and lets none in.
const fenceLives = 4

// Fenced implements [cacheaside.Fencer]: it tells Config.Fenced.
func (c *Cache[K, V]) Fenced() bool { return c.keys.kind == kindFenced }

// Acquire implements [cacheaside.Fencer] in one script, sent once, within RecordTimeout, decided on the server's clock. Err of
// [cacheaside.GrantUnavailable] and [cacheaside.GrantIndeterminate] is a *[StoreError], or a *[cacheaside.FieldError] for a key or an observation that
// cannot be, or for a cache that was not built for fenced fills.
func (c *Cache[K, V]) Acquire(
	ctx context.Context, key K, request cacheaside.RequestID, seen cacheaside.Observation, lease time.Duration,
) cacheaside.Grant {
	physicalKey, err := c.fencedKey(key)
	if err != nil {
		return cacheaside.Grant{Kind: cacheaside.GrantUnavailable, Err: err}
	}
	saw, err := parseObservation(seen)
	if err != nil {
		return cacheaside.Grant{Kind: cacheaside.GrantUnavailable, Err: err}
	}
	if c.store.breaker.isOpen() {
		return cacheaside.Grant{Kind: cacheaside.GrantUnavailable, Err: newStoreError(opAcquire, FaultBreakerOpen, ErrBreakerOpen)}
	}
	call := limited(ctx, c.store.limits.record)
	defer call.cancel()
	return c.store.acquire(&call, physicalKey, c.owner, request, saw, max(lease, time.Millisecond))
}

// fencedKey derives the key of an entry, where fences belong to it.
func (c *Cache[K, V]) fencedKey(key K) (string, error) {
	if !c.Fenced() {
		return "", &cacheaside.FieldError{Field: "Config.Fenced", Value: "false", Rule: "must be true for fenced fills"}
	}
	return c.physical(key)
}

func (s *store) acquire(
	c *call, physicalKey, owner string, request cacheaside.RequestID, saw observed, lease time.Duration,
) cacheaside.Grant {
	question := &slip{text: string(request[:])}
	answer, err := s.ask(c, acquireScript, []string{physicalKey, sibling(physicalKey, kindGrant)}, question,
		question, owner, lease.Milliseconds(), fenceLives*lease.Milliseconds(), opaque(saw.digest), saw.goneFlag())
	if err != nil {
		sent := question.sent.Load() > 0
		fault := s.faultOf(c, physicalKey, err, sent)
		kind := cacheaside.GrantIndeterminate
		if !sent || faultTable[fault].sent == cacheaside.RecordNotApplied {
			kind = cacheaside.GrantUnavailable
		}
		return cacheaside.Grant{Kind: kind, Err: c.failure(opAcquire, fault, err)}
	}
	s.breaker.observe(alive, s)
	return grantOf(answer, request)
}

// grantOf reads the script's answer. One that it cannot have given comes from something else, and then it is not known what was done.
func grantOf(answer string, request cacheaside.RequestID) cacheaside.Grant {
	kind, text, _ := strings.Cut(answer, " ")
	number, err := strconv.ParseUint(text, 10, 63)
	switch {
	case kind == "1" && err == nil && number > 0:
		return cacheaside.Grant{Kind: cacheaside.GrantGranted, Fence: cacheaside.Fence{Token: number, Request: request}}
	case kind == "2" && err == nil && number <= uint64(maxHeld/time.Millisecond):
		return cacheaside.Grant{Kind: cacheaside.GrantHeld, Remaining: time.Duration(number) * time.Millisecond}
	case answer == "3":
		return cacheaside.Grant{Kind: cacheaside.GrantAlreadyFilled}
	}
	return cacheaside.Grant{Kind: cacheaside.GrantIndeterminate, Err: newStoreError(opAcquire, FaultUnknown, errOddReply)}
}

// maxHeld is more than any lease can be.
const maxHeld = 30 * 24 * time.Hour

// Release implements [cacheaside.Fencer] in one script, sent once, within RecordTimeout. What becomes of it is not told: a grant that could not be
// ended runs out by itself.
func (c *Cache[K, V]) Release(ctx context.Context, key K, fence cacheaside.Fence) {
	physicalKey, err := c.fencedKey(key)
	if err != nil || c.store.breaker.isOpen() {
		return
	}
	call := limited(ctx, c.store.limits.record)
	defer call.cancel()
	goods := &shipment{clock: c.store.clock}
	_, err = c.store.runScript(&call, releaseScript, []string{sibling(physicalKey, kindGrant)}, goods,
		strconv.FormatUint(fence.Token, 10), opaque(fence.Request[:]))
	if err != nil {
		c.store.faultOf(&call, physicalKey, err, true)
		return
	}
	c.store.breaker.observe(alive, c.store)
}
