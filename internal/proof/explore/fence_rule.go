package explore

import (
	"github.com/cacheaside/resilience/cacheaside"
)

// stored tells whether what is stored is what was observed.
func (s *fenceStore) stored(seen cacheaside.Observation) bool {
	found := s.entries.lookup(s.skew)
	gone := found.Observation == "" || found.Miss == cacheaside.MissExpired
	sight := s.entries.seen[seen]
	switch {
	case seen == "":
		return gone
	case sight.write == s.entries.current:
		return true
	}
	return gone && sight.orGone
}

// refuses tells why a fill is not accepted by the rule, or 0.
func (s *fenceStore) refuses(fill recording) cacheaside.RecordReason {
	accepted, now := s.record.is(fill.fence, s.now()), s.now()
	switch s.rule {
	case PlainSetRule, TwoServersRule:
		accepted = true
	case DigestRule:
		accepted = s.stored(s.asked[fill.fence.Request])
	case EntryTokenRule:
		accepted = fill.fence.Token > s.entryToken || s.entries.old(s.skew)
	case DyingCounterRule, TokenAloneRule:
		accepted = s.record.present(now) && s.record.token == fill.fence.Token
	case UngrantedToo:
		accepted = accepted || fill.fence.Token == 0 && s.stored(s.asked[fill.fence.Request])
	case LostRecordAccepts:
		accepted = accepted || !s.record.present(now)
	case NoFences, FencedRule, ApartRule:
	}
	switch {
	case s.overAlready(fill.entry):
		return cacheaside.RecordNeverSent
	case !accepted:
		return cacheaside.RecordSuperseded
	case fill.condition.Observation != "" && !s.stored(fill.condition.Observation):
		return cacheaside.RecordConditionFailed
	case s.knows() > fill.entry.Revision:
		return cacheaside.RecordOlderRevision
	}
	return 0
}

// overAlready tells whether the life of a late result is over before it is stored, as where the clock that says when it was loaded is far behind.
func (s *fenceStore) overAlready(entry cacheaside.Entry[Row]) bool {
	life := FillTTL().Hard // of an absence too
	return !entry.LoadedAt.IsZero() && s.now().UnixMilli() >= entry.LoadedAt.UnixMilli()+life.Milliseconds()
}

// knows gives the greatest revision that is known, where they are ordered.
func (s *fenceStore) knows() (known cacheaside.Revision) {
	if !s.ordered {
		return ""
	}
	if s.entries.holds.Load != "" && !s.entries.old(s.skew) {
		known = revisionOf(s.entries.holds.Version)
	}
	if s.record.present(s.now()) {
		known = max(known, s.record.revision)
	}
	return known
}
