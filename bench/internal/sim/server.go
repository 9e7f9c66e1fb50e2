package sim

import (
	"context"
	"encoding/binary"
	"sync"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/workload"
	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
	"github.com/cacheaside/resilience/jitter"
)

// server is the store itself: what the plain contenders keep in it, and an in-process cache for those on this library. It answers at once; the way
// to it is a link.
type server struct {
	setup  Setup
	fenced bool // the cache is one for fenced fills
	jitter jitter.Jitter

	mu    sync.Mutex
	cache *memory.Cache[uint64, contender.Row]
	plain map[uint64]contender.Entry
	locks map[uint64]time.Time // until when
	log   []written

	tokens map[cacheaside.Fence]uint64 // of fences that were given out before a failover, in this cache
}

// written is one write, for a replica to repeat.
type written struct {
	at   time.Time
	key  uint64
	kind writeKind
	// One of these, by kind.
	entry contender.Entry
	value cacheaside.Entry[contender.Row]
	fence cacheaside.Fence
	until time.Time
}

type writeKind uint8

const (
	setPlain writeKind = iota + 1
	deletePlain
	recorded
	invalidated
	locked
	unlocked
	flushed
	granted
	filled
	released
)

func newServer(setup Setup, fenced bool) (*server, error) {
	key := workloadKey(setup.Seed)
	spread, err := jitter.New(key[:], 1, setup.Jitter)
	if err != nil {
		return nil, err
	}
	s := &server{setup: setup, jitter: spread, fenced: fenced}
	return s, s.reset()
}

// workloadKey makes a jitter key of a seed, so that the same seed jitters alike.
func workloadKey(seed uint64) [32]byte {
	var key [32]byte
	for n := range 4 {
		pcg := workload.AtValue(seed, workload.Dice, uint64(n))
		binary.BigEndian.PutUint64(key[8*n:], pcg.Uint64())
	}
	return key
}

func (s *server) reset() error {
	cache, err := s.newCache()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache, s.plain, s.locks = cache, make(map[uint64]contender.Entry), make(map[uint64]time.Time)
	s.tokens = make(map[cacheaside.Fence]uint64)
	s.keepLocked(written{kind: flushed})
	return nil
}

func (s *server) newCache() (*memory.Cache[uint64, contender.Row], error) {
	const allOfThem = 4_000_000 // nothing is evicted
	entries := s.setup.Store.MaxEntries
	if entries == 0 {
		entries = allOfThem
	}
	return memory.New(memory.Config[uint64, contender.Row]{
		TTL:        memory.TTL{Soft: s.setup.TTL.Soft, Hard: s.setup.TTL.Hard, Negative: s.setup.TTL.Negative},
		MaxEntries: entries, Jitter: s.factor, Fenced: s.fenced,
	})
}

func (s *server) factor(key uint64, negative bool) float64 {
	class := jitter.Positive
	if negative {
		class = jitter.Negative
	}
	var text [8]byte
	binary.BigEndian.PutUint64(text[:], key)
	return s.jitter.Factor(string(text[:]), class)
}

func (s *server) current() *memory.Cache[uint64, contender.Row] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cache
}

func (s *server) get(key uint64, now time.Time) (contender.Entry, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, found := s.plain[key]
	if !found || !now.Before(entry.ExpiresAt) {
		return contender.Entry{}, false
	}
	return entry, true
}

func (s *server) set(key uint64, entry contender.Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plain[key] = entry
	s.keepLocked(written{key: key, kind: setPlain, entry: entry})
}

func (s *server) remove(key uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.plain, key)
	s.keepLocked(written{key: key, kind: deletePlain})
}

func (s *server) lock(key uint64, now, until time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Before(s.locks[key]) {
		return false
	}
	s.locks[key] = until
	s.keepLocked(written{key: key, kind: locked, until: until})
	return true
}

func (s *server) unlock(key uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.locks, key)
	s.keepLocked(written{key: key, kind: unlocked})
}

// keep remembers a write of the library's cache for a replica.
func (s *server) keep(w written) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keepLocked(w)
}

func (s *server) keepLocked(w written) {
	if s.setup.Store.KeepsLog {
		w.at = time.Now()
		if w.value.LoadedAt.IsZero() {
			w.value.LoadedAt = w.at
		}
		s.log = append(s.log, w)
	}
}

// failover replaces the server by a replica that had been given all but the writes of the last 100 ms.
func (s *server) failover() error {
	s.mu.Lock()
	log := s.log
	s.mu.Unlock()
	replica := &server{setup: s.setup, jitter: s.jitter, fenced: s.fenced}
	replica.setup.Store.KeepsLog = false // it is given one
	if err := replica.reset(); err != nil {
		return err
	}
	lost := time.Now().Add(-replicationLag)
	kept := log[:0:0]
	for _, w := range log {
		if w.at.After(lost) {
			continue
		}
		if err := replica.repeat(w); err != nil {
			return err
		}
		kept = append(kept, w)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache, s.plain, s.locks, s.log, s.tokens = replica.cache, replica.plain, replica.locks, kept, replica.tokens
	return nil
}

// repeat makes a write again; entries live as long as they did where they were written first.
func (s *server) repeat(w written) error {
	ctx := context.Background()
	switch w.kind {
	case setPlain:
		s.plain[w.key] = w.entry
	case deletePlain:
		delete(s.plain, w.key)
	case invalidated:
		s.cache.Invalidate(ctx, w.key)
	case recorded:
		s.put(w.key, w.value, s.cache.Lookup(ctx, w.key).Observation)
	case granted:
		s.repeatGrant(w)
	case filled:
		cache, known := s.fencesOf(w.fence)
		cache.Fill(ctx, w.key, known, w.value, cacheaside.Condition{})
	case released:
		cache, known := s.fencesOf(w.fence)
		cache.Release(ctx, w.key, known)
	case locked:
		s.locks[w.key] = w.until
	case unlocked:
		delete(s.locks, w.key)
	case flushed:
		return s.reset()
	}
	return nil
}
