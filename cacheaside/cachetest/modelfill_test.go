package cachetest_test

import (
	"context"
	"strings"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/cachetest"
)

func refused(reason cacheaside.RecordReason) cacheaside.RecordOutcome {
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: reason}
}

// Record is refused by a cache with fences.
func (m *fencedModel) Record(
	ctx context.Context, key string, given cacheaside.Entry[cachetest.Document], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	if m.is(recordWithoutFence) {
		return m.model.Record(ctx, key, given, condition)
	}
	return refused(cacheaside.RecordUnfenced)
}

// accepts is the rule that the whole of fencing comes down to. It is called with the store's lock held.
func (m *fencedModel) accepts(key string, held cacheaside.Fence, given cacheaside.Entry[cachetest.Document]) bool {
	record, present := m.fence(key)
	token, request := record.token == held.Token, record.request == held.Request
	switch {
	case m.is(fillUnconditional):
		return true
	case m.is(fillByDigest):
		return m.refuses(key, record.seen[held.Request]) == 0
	case m.is(fillAboveEntry):
		return held.Token > m.store.items[m.stored(key)].token
	case m.is(lostRecordAccepts) && !present:
		return held.Token != 0
	case m.is(ungrantedAccepted) && held == (cacheaside.Fence{}):
		return true
	case m.is(absenceUnfenced) && given.Negative:
		return true
	case m.is(largeUnfenced) && len(given.Value.Text) > 64<<10:
		return true
	case m.is(requestIgnored), m.is(counterDiesWithRecord):
		request = true
	case m.is(tokenIgnored):
		token = true
	case m.is(expiredRefuses) && !m.live(record):
		return false
	}
	return present && token && request
}

func (m *fencedModel) Fill(
	ctx context.Context, key string, held cacheaside.Fence, given cacheaside.Entry[cachetest.Document], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	if m.is(contextOfFill) {
		ctx = context.WithoutCancel(ctx)
	}
	if outcome := m.unstorable(ctx, key, given); outcome != nil {
		if m.is(oversizeEndsGrant) && outcome.Reason == cacheaside.RecordTooLarge {
			m.Release(ctx, key, held)
		}
		return *outcome
	}
	item := m.newItem(given)
	item.token = held.Token
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	if !m.accepts(key, held, given) {
		return refused(cacheaside.RecordSuperseded)
	}
	if condition.Observation != "" && !m.is(fillConditionIgnored) {
		if reason := m.refuses(key, string(condition.Observation)); reason != 0 {
			return refused(reason)
		}
	}
	record, present := m.fence(key)
	if m.opt.OrderedRevisions && !m.is(fillIgnoresOrder) && m.older(given.Revision, m.knownRevision(key, record)) {
		return refused(cacheaside.RecordOlderRevision)
	}
	m.put(key, item)
	if present && !m.is(fillKeepsGrant) {
		record.expires, record.revision = m.storeNow(), max(record.revision, given.Revision)
		if m.is(repeatedFillRefused) {
			record.request = cacheaside.RequestID{}
		}
		m.store.fences[m.fenceKey(key)] = record
	}
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied, SoftExpiresAt: item.soft, HardExpiresAt: item.hard}
}

// unstorable gives the outcome of what is refused whatever is stored, or nil.
func (m *fencedModel) unstorable(ctx context.Context, key string, given cacheaside.Entry[cachetest.Document]) *cacheaside.RecordOutcome {
	if err := m.unreachable(ctx, key); err != nil {
		if m.is(failureAsApplied) {
			return &cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}
		return &cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordNeverSent, Err: err}
	}
	if reason := m.refusesEntry(given); reason != 0 {
		outcome := refused(reason)
		return &outcome
	}
	return nil
}

func (m *fencedModel) OrderedRevisions() bool { return m.opt.OrderedRevisions }

func (m *fencedModel) Put(ctx context.Context, key string, given cacheaside.Entry[cachetest.Document]) cacheaside.RecordOutcome {
	if m.is(contextOfPut) {
		ctx = context.WithoutCancel(ctx)
	}
	if outcome := m.unstorable(ctx, key, given); outcome != nil {
		return *outcome
	}
	item := m.newItem(given)
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	record, _ := m.fence(key)
	older := m.older(given.Revision, m.knownRevision(key, record)) && !m.is(putUnconditional)
	if !m.is(putIssuesNothing) && (!older || m.is(olderPutIssues)) {
		record = m.issue(key, cacheaside.RequestID{}, 0, m.opt.Tombstone)
	}
	if older {
		return refused(cacheaside.RecordOlderRevision)
	}
	m.put(key, item)
	if record.token != 0 {
		record.revision = given.Revision
		m.store.fences[m.fenceKey(key)] = record
	}
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied, SoftExpiresAt: item.soft, HardExpiresAt: item.hard}
}

func (m *fencedModel) older(a, b cacheaside.Revision) bool {
	switch {
	case m.is(revisionsByLength) && len(a) != len(b):
		return len(a) < len(b)
	case m.is(revisionsByFoldedText):
		return strings.ToLower(string(a)) < strings.ToLower(string(b))
	case m.is(sameRevisionOlder) && a == b && a != "":
		return true
	}
	return a < b
}

func (m *fencedModel) knownRevision(key string, record modelFence) cacheaside.Revision {
	item, present := m.store.items[m.stored(key)]
	if !present || item.unusable != 0 || m.over(item, m.clock.Now()) && !m.is(overEntryOrders) {
		return record.revision
	}
	return max(record.revision, item.revision)
}
