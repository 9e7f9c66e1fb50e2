package redisadapter

import (
	"context"
	"strconv"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/envelope"
)

const (
	opLookup     = "lookup"
	opRecord     = "record"
	opInvalidate = "invalidate"
	opAcquire    = "acquire"
	opFill       = "fill"
	opRelease    = "release"
	opPut        = "put"

	maxKeptPayload = 64 << 10
)

// Record writes an entry in one atomic step that is sent once, within RecordTimeout, the encoding and the read-back included. Its expiries count from
// the moment of the call, or from entry.LoadedAt where that is set and earlier.
//
// Without an observation it is written only if the key is absent, with one only if the observed entry is still there, or, for an expired entry and a
// tombstone, is gone. A key that holds another application's type is never touched ([cacheaside.RecordConditionFailed], with a *[StoreError] of
// [FaultWrongType]). [cacheaside.RecordIndeterminate] means that the command may have been executed, or may yet be; it is never sent again.
func (c *Cache[K, V]) Record(ctx context.Context, key K, entry cacheaside.Entry[V], condition cacheaside.Condition) cacheaside.RecordOutcome {
	physicalKey, err := c.physical(key)
	if err != nil {
		return notApplied(cacheaside.RecordNeverSent, err)
	}
	seen, err := parseObservation(condition.Observation)
	if err != nil {
		return notApplied(cacheaside.RecordNeverSent, err)
	}
	if c.Fenced() {
		return notApplied(cacheaside.RecordUnfenced, nil)
	}
	if c.store.breaker.isOpen() {
		return notApplied(cacheaside.RecordNeverSent, newStoreError(opRecord, FaultBreakerOpen, ErrBreakerOpen))
	}
	call := limited(ctx, c.store.limits.record) // encoding and sealing included
	defer call.cancel()
	e, refused := c.seal(physicalKey, &entry)
	if refused.Certainty != cacheaside.RecordNone {
		return refused
	}
	return c.store.write(&call, e, seen)
}

// seal encodes an entry; the outcome is not [cacheaside.RecordNone] if it cannot be stored.
func (c *Cache[K, V]) seal(physicalKey string, entry *cacheaside.Entry[V]) (*sealed, cacheaside.RecordOutcome) {
	if refused := c.generations.admits(uint64(entry.Generation)); refused != 0 {
		return nil, notApplied(refused, nil)
	}
	from := c.clock.Now()
	if !entry.LoadedAt.IsZero() && entry.LoadedAt.Before(from) {
		from = entry.LoadedAt
	}
	e := envelope.Envelope{Kind: envelope.KindNegative, HardExpiresAt: from.Add(c.schedule.Negative(physicalKey))}
	if !entry.Negative {
		soft, hard := c.schedule.Positive(physicalKey)
		e = envelope.Envelope{
			Kind: envelope.KindPositive, SoftExpiresAt: from.Add(soft), HardExpiresAt: from.Add(hard),
			Schema: c.schema, Revision: string(entry.Revision),
		}
		buffer := c.borrow()
		defer c.giveBack(buffer)
		payload, err := c.encode((*buffer)[:0], entry.Value)
		if err != nil {
			return nil, notApplied(cacheaside.RecordEncodeFailed, &EncodeError{err})
		}
		keepRoom(buffer, payload)
		if len(payload) > c.limits.payload {
			return nil, notApplied(cacheaside.RecordTooLarge, &cacheaside.FieldError{
				Field: "Value", Value: strconv.Itoa(len(payload)) + " bytes", Rule: "must be at most MaxValueBytes, " + strconv.Itoa(c.limits.payload),
			})
		}
		e.Payload = payload
	}
	return c.sealEnvelope(physicalKey, &e, entry.Generation)
}

func (c *Cache[K, V]) sealEnvelope(physicalKey string, e *envelope.Envelope, of cacheaside.Generation) (*sealed, cacheaside.RecordOutcome) {
	c.generations.mark(e, uint64(of))
	raw, err := envelope.Append(nil, physicalKey, *e, c.digester)
	if err != nil {
		return nil, notApplied(cacheaside.RecordEncodeFailed, &EncodeError{err})
	}
	s := &sealed{key: physicalKey, raw: raw, hard: floorMillis(e.HardExpiresAt)}
	if e.Kind == envelope.KindPositive {
		s.soft = floorMillis(e.SoftExpiresAt)
	}
	return s, cacheaside.RecordOutcome{}
}

// encode turns a codec's panic into an error: the record runs where no caller could recover it.
func (c *Cache[K, V]) encode(dst []byte, value V) (payload []byte, err error) {
	defer func() {
		if recover() != nil {
			payload, err = nil, errCodecPanic
		}
	}()
	return c.codec.Append(dst, value)
}

// borrow hands out a buffer for a payload, which is copied into its envelope before the buffer goes back.
func (c *Cache[K, V]) borrow() *[]byte {
	if buffer, ok := c.payloads.Get().(*[]byte); ok {
		return buffer
	}
	return new([]byte)
}

// keepRoom keeps the buffer, or as much room as the payload took where it did not fit. What a codec returns is not kept: it should have appended, and
// may have handed out bytes of its own.
func keepRoom(buffer *[]byte, payload []byte) {
	if cap(*buffer) < len(payload) {
		*buffer = make([]byte, 0, min(len(payload), maxKeptPayload))
	}
}

func (c *Cache[K, V]) giveBack(buffer *[]byte) {
	if cap(*buffer) <= maxKeptPayload {
		c.payloads.Put(buffer)
	}
}
