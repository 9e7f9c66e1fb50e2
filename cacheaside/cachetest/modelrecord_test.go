package cachetest_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/cachetest"
)

func (m *model) Record(
	ctx context.Context, key string, given cacheaside.Entry[cachetest.Document], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	if m.is(contextOfRecord) {
		ctx = context.WithoutCancel(ctx)
	}
	if err := m.unreachable(ctx, key); err != nil {
		if m.is(failureAsApplied) {
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordNeverSent, Err: err}
	}
	if reason := m.refusesEntry(given); reason != 0 {
		if m.is(oversizeDropsOld) && reason == cacheaside.RecordTooLarge {
			m.store.mu.Lock()
			defer m.store.mu.Unlock()
			delete(m.store.items, key)
		}
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: reason}
	}
	item := m.newItem(given)
	if !m.clock.Now().Before(item.hard) && !m.is(tooLateStored) {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordNeverSent}
	}

	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	reason := m.refuses(key, string(condition.Observation))
	if m.is(checkThenAct) && condition.Observation != "" {
		m.store.mu.Unlock()
		m.store.rivals.wait()
		m.store.mu.Lock()
	}
	if m.is(absenceUnconditional) && given.Negative {
		reason = 0
	}
	if reason != 0 && m.is(refusalStored) {
		m.put(key, item)
	}
	if reason != 0 && !m.is(refusalAsApplied) {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: reason}
	}
	outcome := cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied, SoftExpiresAt: item.soft, HardExpiresAt: item.hard}
	if m.is(outcomeWithoutExpiries) {
		outcome.SoftExpiresAt, outcome.HardExpiresAt = time.Time{}, time.Time{}
	}
	if m.is(appliedWithReason) {
		outcome.Reason = cacheaside.RecordPending
	}
	if reason == 0 {
		m.put(key, item)
	}
	return outcome
}

func (m *model) refusesEntry(given cacheaside.Entry[cachetest.Document]) cacheaside.RecordReason {
	switch {
	case len(given.Revision) > cacheaside.MaxRevisionBytes && !m.is(longRevisionStored):
		return cacheaside.RecordEncodeFailed
	case len(given.Value.Text) > m.opt.MaxValueBytes && !m.is(oversizeStored):
		return cacheaside.RecordTooLarge
	default:
		return 0
	}
}

func (m *model) newItem(given cacheaside.Entry[cachetest.Document]) (item modelItem) {
	base := given.LoadedAt
	if base.IsZero() || m.is(lateCountsFromNow) {
		base = m.clock.Now()
	}
	defer func() { item.generation = m.generationOf(given) }()
	if given.Negative {
		item = modelItem{negative: true, hard: base.Add(m.opt.Negative)}
		if m.is(absenceWithValue) {
			item.value = given.Value
		}
		if m.is(absenceTakesHard) {
			item.hard = base.Add(m.opt.Hard)
		}
		return item
	}
	item = modelItem{value: given.Value, revision: given.Revision, soft: base.Add(m.opt.Soft), hard: base.Add(m.opt.Hard)}
	if m.is(revisionDropped) {
		item.revision = ""
	}
	if m.is(emptySliceDropped) && len(item.value.Tags) == 0 {
		item.value.Tags = nil
	}
	if m.is(numberThroughFloat) {
		item.value.ID = int64(float64(item.value.ID) / 2 * 2)
	}
	return item
}

// refuses is called with the store's lock held.
func (m *model) refuses(key, seen string) cacheaside.RecordReason {
	item, present := m.store.items[m.stored(key)]
	gone := !present || item.unusable == 0 && m.over(item, m.clock.Now())
	seenVersion, mayBeGone := strings.CutSuffix(seen, orGone)
	if m.is(expiredNeedsEqual) {
		mayBeGone = false
	}
	switch {
	case m.is(keysOutliveEntries) && seen == "" && present:
		return cacheaside.RecordConditionFailed
	case m.is(unconditional):
		return 0
	case seen == "" && m.is(absentMatchesAll) && item.unusable == 0:
		return 0
	case seen == "" && m.is(foreignOverwritten) && item.unusable == cacheaside.EntryForeign:
		return 0
	case seen == "" && m.is(absenceOverwrites) && item.negative:
		return 0
	case m.is(unusableReplaceable) && item.unusable != 0:
		return 0
	case present && seen != "" && item.version == seenVersion:
		return 0
	case mayBeGone && m.is(expiredMatchesAll):
		return 0
	case !gone:
		return cacheaside.RecordConditionFailed
	case seen == "" || mayBeGone:
		return 0
	case m.is(goneAsChanged):
		return cacheaside.RecordConditionFailed
	default:
		return cacheaside.RecordObservationGone
	}
}

// put is called with the store's lock held.
func (m *model) put(key string, item modelItem) {
	old, present := m.store.items[m.stored(key)]
	item.version = m.store.nextVersion()
	if m.is(versionOfValue) {
		item.version = fmt.Sprintf("%v %v %v", item.value, item.negative, item.tombstone)
	}
	if m.is(lifeOfReplaced) && present && old.unusable == 0 {
		item.hard = old.hard
	}
	if m.is(tombstoneKeepsVersion) && item.tombstone && present {
		item.version = old.version
	}
	m.store.items[m.stored(key)] = item
}

func (m *model) Invalidate(ctx context.Context, key string) cacheaside.RecordOutcome {
	if m.is(contextOfTombstone) {
		ctx = context.WithoutCancel(ctx)
	}
	if err := m.unreachable(ctx, key); err != nil {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordNeverSent, Err: err}
	}
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	item := modelItem{tombstone: true, hard: m.clock.Now().Add(m.opt.Tombstone)}
	_, present := m.store.items[m.stored(key)]
	if m.is(invalidateDeletes) {
		delete(m.store.items, m.stored(key))
	} else if present || !m.is(invalidateSkipsAbsent) {
		m.put(key, item)
	}
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied, HardExpiresAt: item.hard}
}

func (m *model) Lifetimes() cacheaside.Lifetimes {
	lives := cacheaside.Lifetimes{MinHard: m.opt.MinHard, Tombstone: m.opt.Tombstone}
	if m.is(lifetimesOverstated) {
		lives.MinHard = m.opt.Hard
	}
	if m.is(tombstoneLifeForgotten) {
		lives.Tombstone = m.opt.Hard
	}
	return lives
}
