package explore

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// fenceStore is the server of a fleet: the entries of a [fillStore], and beside them the fence record by the rule. All but lookups is decided on the
// server's own clock. Under [FencedRule] the cache has a record of its own, and what it answers must be what follows from this one.
type fenceStore struct {
	entries *fillStore
	rule    FenceRule
	ordered bool
	skew    time.Duration // what the server's clock is ahead

	record     fenceRecord
	entryToken uint64    // of what is stored
	issued     time.Time // when the last grant was, by the server's clock
	asked      map[cacheaside.RequestID]cacheaside.Observation
	watch      fenceWatch
}

func newFenceStore(entries *fillStore, cfg FillConfig) *fenceStore {
	return &fenceStore{entries: entries, rule: cfg.Fence, ordered: cfg.Ordered, asked: make(map[cacheaside.RequestID]cacheaside.Observation)}
}

func (s *fenceStore) now() time.Time { return time.Now().Add(s.skew) }

// acquire is one request for a grant.
func (s *fenceStore) acquire(request cacheaside.RequestID, seen cacheaside.Observation, lease time.Duration) cacheaside.Grant {
	s.asked[request] = seen
	granted := s.decide(request, seen, lease)
	if s.rule == FencedRule {
		s.entries.clock.skew = s.skew
		given := s.entries.cache.Acquire(context.Background(), rowKey, request, seen, lease)
		s.watch.same("a request for a grant", given, granted)
		granted = given
	}
	s.watch.grant(granted, s.now(), lease)
	return granted
}

func (s *fenceStore) decide(request cacheaside.RequestID, seen cacheaside.Observation, lease time.Duration) cacheaside.Grant {
	now, r := s.now(), &s.record
	if s.rule == GenerousRule && r.request != request {
		r.expires = now
	}
	switch {
	case !s.stored(seen):
		return cacheaside.Grant{Kind: cacheaside.GrantAlreadyFilled}
	case r.live(now) && r.request != request:
		return cacheaside.Grant{Kind: cacheaside.GrantHeld, Remaining: r.expires.Sub(now)}
	case !r.live(now):
		s.issue(request, lease, recordLives*lease)
		s.issued = now
	}
	return cacheaside.Grant{Kind: cacheaside.GrantGranted, Fence: cacheaside.Fence{Token: r.token, Request: request}}
}

// issue gives the next token by the rule.
func (s *fenceStore) issue(request cacheaside.RequestID, lease, kept time.Duration) {
	now, r := s.now(), &s.record
	if s.rule != DyingCounterRule {
		r.issue(request, now, lease, kept)
		return
	}
	last := r.token
	if !r.present(now) {
		last = 0
	}
	*r = fenceRecord{token: last + 1, request: request, expires: now.Add(lease), until: now.Add(max(lease, time.Millisecond))}
}

// fill stores what was loaded.
func (s *fenceStore) fill(fill recording) cacheaside.RecordOutcome {
	refused := s.refuses(fill)
	outcome := cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: refused}
	switch {
	case s.rule == FencedRule:
		s.entries.clock.skew = s.skew
		outcome = s.entries.cache.Fill(context.Background(), rowKey, fill.fence, fill.entry, fill.condition)
		s.watch.same("the reason to refuse a fill", outcome.Reason, refused)
		if outcome.Certainty == cacheaside.RecordApplied {
			s.entries.wrote(fill.entry.Value, false, outcome)
		}
	case refused == 0:
		outcome = s.entries.over(s.skew, fill.entry)
	}
	if outcome.Certainty == cacheaside.RecordApplied {
		s.entryToken = fill.fence.Token
		if s.record.is(fill.fence, s.now()) {
			s.record.expires, s.record.revision = s.now(), max(s.record.revision, fill.entry.Revision)
			s.watch.ended()
		}
	}
	return outcome
}

func (s *fenceStore) release(fence cacheaside.Fence) {
	s.record.release(fence, s.now())
	if s.rule == FencedRule {
		s.entries.clock.skew = s.skew
		s.entries.cache.Release(context.Background(), rowKey, fence)
	}
	if !s.record.live(s.now()) {
		s.watch.ended()
	}
}

func (s *fenceStore) invalidate() (outcome cacheaside.RecordOutcome) {
	if s.rule == DigestRule || s.rule == EntryTokenRule {
		s.entries.remove()
		s.entryToken = 0
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
	}
	known := s.knows()
	s.issue(cacheaside.RequestID{}, 0, FillTTL().Tombstone)
	s.record.revision = known
	s.watch.ended()
	s.watch.highest = max(s.watch.highest, s.record.token)
	return s.entries.invalidate(s.skew)
}

func (s *fenceStore) put(entry cacheaside.Entry[Row]) cacheaside.RecordOutcome {
	refused := cacheaside.RecordReason(0)
	if s.knows() > entry.Revision {
		refused = cacheaside.RecordOlderRevision
	}
	outcome := cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: refused}
	switch {
	case s.rule == FencedRule:
		s.entries.clock.skew = s.skew
		outcome = s.entries.cache.Put(context.Background(), rowKey, entry)
		s.watch.same("the reason to refuse a put", outcome.Reason, refused)
		if outcome.Certainty == cacheaside.RecordApplied {
			s.entries.wrote(entry.Value, false, outcome)
		}
	case refused == 0:
		outcome = s.entries.over(s.skew, entry)
	}
	if outcome.Certainty == cacheaside.RecordApplied {
		s.issue(cacheaside.RequestID{}, 0, FillTTL().Tombstone)
		s.record.revision, s.entryToken = entry.Revision, s.record.token
		s.watch.ended()
		s.watch.highest = max(s.watch.highest, s.record.token)
	}
	return outcome
}

// lose forgets the entry, the record, or both.
func (s *fenceStore) lose(entry, record bool) {
	if entry {
		s.entries.remove()
		s.entryToken = 0
	}
	if record {
		s.record = fenceRecord{}
		s.watch = fenceWatch{broken: s.watch.broken}
	}
}

// stepBack sets the server's clock to when it gave the last grant, so that the next one has its token if no record knows better.
func (s *fenceStore) stepBack() { s.skew = time.Until(s.issued) }
