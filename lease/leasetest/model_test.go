package leasetest_test

import (
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/leasetest"
)

// modelRecord is what the model's store holds of a key, in microseconds of whichever clock the fault has it.
type modelRecord struct {
	token          lease.Token
	owner          string
	request        lease.RequestID
	granted        int64
	expires, limit int64
	released       bool
	until          int64 // the record is kept before; 0: for ever
}

// modelStore is the shared side of a model: its clock, its records, and what may befall them.
type modelStore struct {
	fault fault

	mu      sync.Mutex
	now     time.Time // guarded by mu, as all that follows
	records map[string]modelRecord
	before  map[string]modelRecord // as they were before the last change
	down    bool
	loseOne bool
}

func newModel(wrong fault) leasetest.NewSubject {
	return func(_ testing.TB, opt leasetest.Options) leasetest.Subject {
		store := &modelStore{fault: wrong, now: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC), records: map[string]modelRecord{}}
		client := func(off time.Duration) *model {
			return &model{store: store, fault: wrong, maxHold: opt.MaxHold, off: off}
		}
		return leasetest.Subject{
			Store: client(0), Second: client(0),
			Skewed:       func(off time.Duration) lease.Store { return client(off) },
			Advance:      store.advance,
			StandsStill:  true,
			Now:          store.time,
			Break:        func() { store.change(func() { store.down = true }) },
			LoseAnswer:   func() { store.change(func() { store.loseOne = true }) },
			Mortal:       store.mortal,
			Crash:        store.crash,
			Press:        store.press,
			OpenEvicting: store.openEvicting,
		}
	}
}

func (s *modelStore) change(what func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	what()
}

func (s *modelStore) advance(d time.Duration) { s.change(func() { s.now = s.now.Add(d) }) }

func (s *modelStore) time() (now time.Time) {
	s.change(func() { now = s.now })
	return now
}

func (s *modelStore) mortal() (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, record := range s.records {
		if record.until != 0 {
			names = append(names, name)
		}
	}
	return names
}

func (s *modelStore) crash() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now.UnixMicro()
	switch s.fault {
	case crashForgets:
		clear(s.records)
	case crashLosesLast:
		s.records = maps.Clone(s.before)
	case crashKeepsLeases:
		maps.DeleteFunc(s.records, func(_ string, r modelRecord) bool { return now >= r.expires })
	}
}

func (s *modelStore) press() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now.UnixMicro()
	switch s.fault {
	case pressureDrops:
		clear(s.records)
	case pressureUnheld, idiom, keyTTL, keyTTLAtExpiry:
		maps.DeleteFunc(s.records, func(_ string, r modelRecord) bool { return now >= r.expires || r.until != 0 })
	}
}

func (s *modelStore) openEvicting() error {
	if s.fault == evictingOpened {
		return nil
	}
	return errors.New("it may drop leases")
}

// place is where a key's record is.
func (s *modelStore) place(key string) string {
	switch s.fault {
	case oneGlobalLease:
		return "all"
	case keysFolded:
		return strings.ToLower(key)
	case keysTrimmed:
		return strings.TrimSpace(key)
	}
	return key
}

// get gives the record that is still kept.
func (s *modelStore) get(key string) modelRecord {
	record := s.records[s.place(key)]
	if record.until != 0 && s.now.UnixMicro() >= record.until {
		return modelRecord{}
	}
	return record
}

// put stores a record, for as long as the fault keeps it.
func (s *modelStore) put(key string, record modelRecord) {
	s.remember()
	switch s.fault {
	case keyTTL:
		record.until = s.now.Add(time.Hour).UnixMicro()
	case keyTTLAtExpiry, idiom:
		record.until = record.expires
	}
	s.records[s.place(key)] = record
}

func (s *modelStore) drop(key string) {
	s.remember()
	delete(s.records, s.place(key))
}

// remember keeps what the last change may be lost to.
func (s *modelStore) remember() {
	if s.fault == crashLosesLast {
		s.before = maps.Clone(s.records)
	}
}

var errDown = errors.New("the store is down")
