package cachetest_test

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/cachetest"
)

// fenceLives is how many leases a fence record is kept.
const fenceLives = 4

// fencedModel is the model built for fenced fills. plain is the region's instance without them.
type fencedModel struct {
	*model
	plain *model
}

// plainModel is an instance without fences whose invalidations reach the region with them.
type plainModel struct {
	*model
	fenced *fencedModel
}

// modelFence is a fence record. One that is over is as good as none.
type modelFence struct {
	token    uint64
	request  cacheaside.RequestID
	expires  time.Time
	until    time.Time
	revision cacheaside.Revision
	seen     map[cacheaside.RequestID]string // used by a fault only
}

func (m *fencedModel) Fenced() bool { return true }

// storeNow is the time that decides about grants.
func (m *fencedModel) storeNow() time.Time {
	if m.is(callersClock) {
		return m.clock.Now()
	}
	return m.store.clock.Now()
}

// fenceKey is under which name a key's fence is kept.
func (m *fencedModel) fenceKey(key string) string {
	if m.is(oneGrantForAll) {
		return ""
	}
	return m.stored(key)
}

// fence gives the record of a key, or none. It is called with the store's lock held.
func (m *fencedModel) fence(key string) (modelFence, bool) {
	record, present := m.store.fences[m.fenceKey(key)]
	if !present || !m.storeNow().Before(record.until) {
		return modelFence{}, false
	}
	return record, true
}

func (m *fencedModel) live(record modelFence) bool {
	now := m.storeNow()
	switch {
	case m.is(grantNeverExpires):
		return !record.expires.IsZero()
	case m.is(grantExpiryInclusive):
		return !now.After(record.expires)
	}
	return now.Before(record.expires)
}

// issue gives the next token of a key. It is called with the store's lock held.
func (m *fencedModel) issue(key string, request cacheaside.RequestID, lease, kept time.Duration) modelFence {
	record, present := m.fence(key)
	if m.is(overRecordRevived) {
		record = m.store.fences[m.fenceKey(key)]
	}
	now := m.storeNow()
	next := max(record.token+1, uint64(now.UnixMicro())) //nolint:gosec // after 1970
	switch {
	case m.is(counterDiesWithRecord):
		next = record.token + 1
	case m.is(tokenReused) && present && request != (cacheaside.RequestID{}):
		next = record.token
	}
	record.token, record.request, record.expires = next, request, now.Add(lease)
	if until := now.Add(kept); until.After(record.until) || m.is(shortGrantForgets) {
		record.until = until
	}
	m.store.fences[m.fenceKey(key)] = record
	return record
}

func (m *fencedModel) Acquire(
	ctx context.Context, key string, request cacheaside.RequestID, seen cacheaside.Observation, lease time.Duration,
) cacheaside.Grant {
	if m.is(contextOfGrant) {
		ctx = context.WithoutCancel(ctx)
	}
	if err := m.unreachable(ctx, key); err != nil {
		if m.is(outageGranted) && ctx.Err() == nil {
			return cacheaside.Grant{Kind: cacheaside.GrantGranted, Fence: cacheaside.Fence{Token: 1, Request: request}}
		}
		return cacheaside.Grant{Kind: cacheaside.GrantUnavailable, Err: err}
	}
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	if m.is(unknownGranted) && seen != "" && seen[0] != 'v' {
		seen = ""
	}
	if m.refuses(key, string(seen)) != 0 && !m.is(filledUnchecked) {
		if m.is(filledIssuesToken) {
			m.issue(key, request, lease, fenceLives*lease)
		}
		if record, present := m.fence(key); !m.is(heldBeforeFilled) || !present || !m.live(record) || record.request == request {
			return cacheaside.Grant{Kind: cacheaside.GrantAlreadyFilled}
		}
	}
	record, present := m.fence(key)
	held := present && m.live(record) && !m.is(everybodyGranted)
	if m.is(grantInTwoSteps) {
		m.store.mu.Unlock()
		m.store.rivals.wait()
		m.store.mu.Lock()
	}
	switch {
	case held && (record.request != request || m.is(repeatHeld)):
		remaining := record.expires.Sub(m.storeNow())
		if m.is(heldUntold) {
			remaining = 0
		}
		return cacheaside.Grant{Kind: cacheaside.GrantHeld, Remaining: remaining}
	case !held || m.is(repeatIssues):
		record = m.issue(key, request, lease, fenceLives*lease)
	}
	if m.is(fillByDigest) {
		record.seen = map[cacheaside.RequestID]string{request: string(seen)}
		m.store.fences[m.fenceKey(key)] = record
	}
	return cacheaside.Grant{Kind: cacheaside.GrantGranted, Fence: cacheaside.Fence{Token: record.token, Request: request}}
}

func (m *fencedModel) Release(ctx context.Context, key string, held cacheaside.Fence) {
	if m.is(contextOfRelease) {
		ctx = context.WithoutCancel(ctx)
	}
	if m.unreachable(ctx, key) != nil {
		return
	}
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	record, present := m.fence(key)
	mine := record.request == held.Request && (record.token == held.Token || held.Token == 0 && !m.is(releaseNeedsToken))
	if present && !m.is(releaseIgnored) && (mine || m.is(releaseByAnyone)) {
		if now := m.storeNow(); now.Before(record.expires) || m.is(releaseEndsNow) {
			record.expires = now
		}
		m.store.fences[m.fenceKey(key)] = record
	}
}

// Invalidate buries the entries of both modes.
func (m *fencedModel) Invalidate(ctx context.Context, key string) cacheaside.RecordOutcome {
	outcome := m.model.Invalidate(ctx, key)
	if outcome.Certainty != cacheaside.RecordApplied {
		return outcome
	}
	if !m.is(fencedBuriesOwnOnly) {
		m.plain.Invalidate(ctx, key)
	}
	m.supersede(key)
	return outcome
}

func (m *plainModel) Invalidate(ctx context.Context, key string) cacheaside.RecordOutcome {
	outcome := m.model.Invalidate(ctx, key)
	if outcome.Certainty == cacheaside.RecordApplied && !m.is(plainBuriesOwnOnly) {
		m.fenced.model.Invalidate(ctx, key)
		m.fenced.supersede(key)
	}
	return outcome
}

func (m *fencedModel) supersede(key string) {
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	if m.is(fillByDigest) || m.is(fillAboveEntry) {
		delete(m.store.items, m.stored(key)) // these rules come with an invalidation that deletes
	}
	if m.is(invalidateForgetsRevision) {
		record := m.store.fences[m.fenceKey(key)]
		record.revision = ""
		m.store.fences[m.fenceKey(key)] = record
	}
	if !m.is(invalidateIssuesNothing) {
		m.issue(key, cacheaside.RequestID{}, 0, m.opt.Tombstone)
	}
}

var (
	_ cacheaside.Fencer[string, cachetest.Document] = (*fencedModel)(nil)
	_ cacheaside.Putter[string, cachetest.Document] = (*fencedModel)(nil)
)
