package model_test

import (
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// plainStore is the store as the contract tells it: one entry a key, written under a condition, judged by the time. Its times are milliseconds since
// the history began.
type plainStore struct {
	lives    lives
	entries  map[string]plainEntry
	versions int
}

// lives are how long entries live.
type lives struct{ soft, hard, negative, tombstone int64 }

// plainEntry is a value, an absence, a tombstone or something unusable.
type plainEntry struct {
	value      string
	negative   bool
	tombstone  bool
	unusable   cacheaside.EntryKind // never expires
	soft, hard int64
	version    int
}

// glimpse is what one lookup saw. The version is that of an entry which a record may ask for, else 0.
type glimpse struct {
	kind       cacheaside.LookupKind
	miss       cacheaside.MissReason
	entry      cacheaside.EntryKind
	value      string
	soft, hard int64
	condition  condition
}

// condition is what a record asks of the store: the zero value that there is nothing, else that the version is there, or is gone where that is as
// good.
type condition struct {
	version int
	orGone  bool
}

func (s *plainStore) look(key string, now int64) glimpse {
	e, there := s.entries[key]
	switch {
	case !there:
		return glimpse{kind: cacheaside.LookupMiss, miss: cacheaside.MissAbsent}
	case e.unusable == cacheaside.EntryRetired || e.unusable == cacheaside.EntryPayload || e.unusable == cacheaside.EntryFuture:
		return glimpse{kind: cacheaside.LookupUnusable, entry: e.unusable, condition: condition{version: e.version}}
	case e.unusable != 0:
		return glimpse{kind: cacheaside.LookupUnusable, entry: e.unusable}
	case now >= e.hard:
		return glimpse{kind: cacheaside.LookupMiss, miss: cacheaside.MissExpired, condition: condition{e.version, true}}
	case e.tombstone:
		return glimpse{kind: cacheaside.LookupMiss, miss: cacheaside.MissInvalidated, condition: condition{e.version, true}}
	case e.negative:
		return glimpse{kind: cacheaside.LookupNegative, hard: e.hard}
	case now < e.soft:
		return glimpse{kind: cacheaside.LookupFresh, value: e.value, soft: e.soft, hard: e.hard}
	}
	return glimpse{kind: cacheaside.LookupStale, value: e.value, soft: e.soft, hard: e.hard, condition: condition{version: e.version}}
}

// mayBeGone tells whether the store may have dropped the entry: it is expired, or will be within the millisecond that a life is rounded down by.
func (s *plainStore) mayBeGone(key string, now int64) bool {
	e, there := s.entries[key]
	return !there || e.unusable == 0 && now+1 >= e.hard
}

// allows gives the legal outcomes of a record: RecordApplied as 0, else the reason why not.
func (s *plainStore) allows(key string, asked condition, now int64) []cacheaside.RecordReason {
	e, there := s.entries[key]
	same := there && asked.version != 0 && e.version == asked.version
	gone := cacheaside.RecordReason(0)
	if asked.version != 0 && !asked.orGone {
		gone = cacheaside.RecordObservationGone
	}
	var legal []cacheaside.RecordReason
	if s.mayBeGone(key, now) {
		legal = append(legal, gone)
	}
	switch expired := there && e.unusable == 0 && now >= e.hard; {
	case same:
		legal = append(legal, 0)
	case there && !expired:
		legal = append(legal, cacheaside.RecordConditionFailed)
	}
	return legal
}

// put stores an entry of its own version, with the lives that count from a moment.
func (s *plainStore) put(key string, e plainEntry, from int64) plainEntry {
	s.versions++
	e.version = s.versions
	switch {
	case e.tombstone:
		e.hard = from + s.lives.tombstone
	case e.negative:
		e.hard = from + s.lives.negative
	case e.unusable == 0:
		e.soft, e.hard = from+s.lives.soft, from+s.lives.hard
	}
	s.entries[key] = e
	return e
}

func millis(t time.Duration) int64 { return t.Milliseconds() }
