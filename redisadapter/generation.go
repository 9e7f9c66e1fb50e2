package redisadapter

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/envelope"
)

// generations is what one process knows of its region's generation. What is known is believed for a while, and then read again by a lookup that comes
// by, so that a hit costs no round trip more, but for one in every half of that while.
//
// An entry carries its generation as four of the eight random bytes of its write id, under the region's secret: the format stays as it is, an entry is
// still told from every other write, and one of another generation is taken for one of this with a chance of 2^-32.
type generations struct {
	key     string
	mac     []byte // the key of the tags
	age     time.Duration
	clock   clock.Clock
	known   atomic.Pointer[generation]
	reading atomic.Bool // somebody is reading it anew, while it is still good
}

type generation struct {
	number uint64
	tag    [tagBytes]byte
	asked  time.Time // before it was read
	heard  time.Time // after that
}

const (
	tagBytes      = 4
	kindRegion    = "generation"
	opGeneration  = "generation"
	maxGeneration = 1 << 53 // what a script can count to
)

// newGenerations gives nil where the region has none.
func newGenerations(prefix string, key []byte, age time.Duration, c clock.Clock) *generations {
	if age == 0 {
		return nil
	}
	return &generations{key: prefix + kindRegion, mac: key, age: age, clock: c}
}

// current gives the generation that is known and still believed. ageing says that somebody should read it anew.
func (g *generations) current(now time.Time) (known *generation, ageing bool) {
	known = g.known.Load()
	if known == nil {
		return nil, true
	}
	age := now.Sub(known.asked)
	if age >= g.age || age < 0 {
		return nil, true
	}
	return known, age >= g.age/2
}

// learn keeps a generation, unless a later one is known already. A lower number is later where it was asked for after the higher one was heard of: the
// server has lost its count and its clock went back.
func (g *generations) learn(number uint64, asked, heard time.Time) *generation {
	learned := &generation{number: number, tag: g.tagOf(number), asked: asked, heard: heard}
	for {
		known := g.known.Load()
		if known != nil && (known.number > number && !asked.After(known.heard) || known.number == number && known.asked.After(asked)) {
			return known
		}
		if g.known.CompareAndSwap(known, learned) {
			return learned
		}
	}
}

func (g *generations) tagOf(number uint64) (tag [tagBytes]byte) {
	mac := hmac.New(sha256.New, g.mac)
	_, _ = mac.Write([]byte(kindRegion))
	_, _ = mac.Write(binary.BigEndian.AppendUint64(nil, number))
	copy(tag[:], mac.Sum(nil))
	return tag
}

// admits tells why an entry of a generation must not be written any more; 0 if it may.
func (g *generations) admits(number uint64) cacheaside.RecordReason {
	if g == nil {
		return 0
	}
	if known := g.known.Load(); number == 0 || known != nil && known.number > number {
		return cacheaside.RecordSuperseded
	}
	return 0
}

// mark draws the write id of an entry. A tombstone is of all generations.
func (g *generations) mark(e *envelope.Envelope, number uint64) {
	_, _ = rand.Read(e.WriteID[:]) // never fails
	if g == nil || e.Kind == envelope.KindTombstone {
		return
	}
	tag := g.tagOf(number)
	copy(e.WriteID[:], tag[:])
}

func (known *generation) wrote(e *envelope.Envelope) bool {
	return bytes.Equal(e.WriteID[:tagBytes], known.tag[:])
}

// generation gives the region's generation for a lookup: what is known, or what the server says. nil with no error is of a region that has none.
func (c *Cache[K, V]) generation(ctx context.Context) (*generation, Fault, error) {
	g := c.generations
	if g == nil {
		return nil, 0, nil
	}
	known, ageing := g.current(c.clock.Now())
	switch {
	case !ageing:
		return known, 0, nil
	case known == nil:
		return c.readGeneration(ctx)
	case !g.reading.CompareAndSwap(false, true):
		return known, 0, nil
	}
	defer g.reading.Store(false)
	if read, _, err := c.readGeneration(ctx); err == nil {
		known = read
	}
	return known, 0, nil
}

// readGeneration asks the server, which begins one where there is none.
func (c *Cache[K, V]) readGeneration(ctx context.Context) (known *generation, fault Fault, err error) {
	asked := c.clock.Now()
	raw, fault, err := c.store.read(ctx, c.generations.key)
	if err != nil {
		return nil, fault, err
	}
	if number, ok := generationOf(string(raw)); ok {
		return c.generations.learn(number, asked, c.clock.Now()), 0, nil
	}
	known, fault, _, err = c.askGeneration(ctx, false)
	return known, fault, err
}

func generationOf(text string) (uint64, bool) {
	number, err := strconv.ParseUint(text, 10, 64)
	return number, err == nil && number > 0 && number < maxGeneration
}

// askGeneration runs the script that begins a generation where there is none, or in any case. sent tells whether it may have been executed.
func (c *Cache[K, V]) askGeneration(ctx context.Context, begin bool) (known *generation, fault Fault, sent bool, err error) {
	asked := c.clock.Now()
	call := limited(ctx, c.store.limits.record)
	defer call.cancel()
	question := &slip{text: "1"}
	keys := []string{c.generations.key}
	answer, err := c.store.ask(&call, generationScript, keys, question, flag(begin), question)
	if begin && replyFaultOf(err) == FaultOutOfMemory {
		answer, err = c.store.askInFull(&call, generationScript, keys, question, err, flag(begin), question)
	}
	if err != nil {
		sent = question.sent.Load() > 0
		fault = c.store.faultOf(&call, c.generations.key, err, sent)
		return nil, fault, sent, call.failure(opGeneration, fault, err)
	}
	c.store.breaker.observe(alive, c.store)
	number, ok := generationOf(answer)
	if !ok {
		return nil, FaultUnknown, true, newStoreError(opGeneration, FaultUnknown, errOddReply)
	}
	return c.generations.learn(number, asked, c.clock.Now()), 0, true, nil
}

// Generations implements [cacheaside.RegionInvalidator]: it tells whether Config.GenerationAge is set.
func (c *Cache[K, V]) Generations() bool { return c.generations != nil }

// InvalidateRegion implements [cacheaside.RegionInvalidator] in one script that is sent once, within RecordTimeout: it begins a new generation. This
// process judges by it at once, every other one after GenerationAge at the latest. Entries of older generations read as expired and go by their
// expiry. A server that is out of memory takes it nevertheless, from version 7 on.
func (c *Cache[K, V]) InvalidateRegion(ctx context.Context) cacheaside.RecordOutcome {
	if c.generations == nil {
		return notApplied(cacheaside.RecordNeverSent, &cacheaside.FieldError{
			Field: "Config.GenerationAge", Value: "0s", Rule: "must be set for regions that are invalidated",
		})
	}
	if c.store.breaker.isOpen() {
		return notApplied(cacheaside.RecordNeverSent, newStoreError(opGeneration, FaultBreakerOpen, ErrBreakerOpen))
	}
	_, fault, sent, err := c.askGeneration(ctx, true)
	row := faultTable[fault]
	switch {
	case err == nil:
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
	case !sent:
		return notApplied(cacheaside.RecordNeverSent, err)
	case row.sent == cacheaside.RecordNotApplied:
		return notApplied(row.reason, err)
	}
	c.generations.known.Store(nil) // what is known may be over
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordIndeterminate, Err: err}
}
