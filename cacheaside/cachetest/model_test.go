package cachetest_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/cachetest"
)

// model is a plain cache over a map. Without a fault it is right; with one it is wrong in the one way that the fault names, at the one place
// where that is asked.
type model struct {
	store *modelStore
	clock clock.Clock
	opt   cachetest.Options
	fault fault

	copies map[string]modelItem // guarded by store.mu; used by a fault only

	known      cacheaside.Generation // guarded by store.mu
	knownSince time.Time             // guarded by store.mu
}

// modelStore is what the instances of a model share.
type modelStore struct {
	mu     sync.Mutex
	items  map[string]modelItem
	writes int
	down   bool
	clock  clock.Clock // the store's own

	fences     map[string]modelFence
	generation cacheaside.Generation

	rivals *rendezvous // set where a record checks and acts in two steps
}

type modelItem struct {
	unusable   cacheaside.EntryKind // 0 = a good entry
	negative   bool
	tombstone  bool
	value      cachetest.Document
	revision   cacheaside.Revision
	soft, hard time.Time
	version    string
	token      uint64 // under which it was filled
	generation cacheaside.Generation
}

var errDown = errors.New("model: the store is down")

// orGone marks an observation that an entry which is gone satisfies too.
const orGone = "?"

func (m *model) is(f fault) bool { return m.fault == f }

func (m *model) Lookup(ctx context.Context, key string) (view cacheaside.Lookup[cachetest.Document]) {
	found := cacheaside.Lookup[cachetest.Document]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent, Generation: m.knownGeneration()}
	if err := m.unreachable(ctx, key); err != nil {
		if m.is(failureAsMiss) {
			return found
		}
		if m.is(failureUnexplained) {
			err = nil
		}
		return cacheaside.Lookup[cachetest.Document]{Kind: cacheaside.LookupUnavailable, Err: err}
	}
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	item, present := m.store.items[m.stored(key)]
	now := m.clock.Now()
	if m.is(localCopies) {
		item, present = m.copied(key, item, present)
	}
	switch {
	case !present:
		if m.is(absentObserved) {
			found.Observation = "absent"
		}
		return found
	case item.unusable != 0:
		return m.viewUnusable(item)
	case m.over(item, now) || m.ofAnother(item, found.Generation):
		if m.is(olderAnswersStale) && !m.over(item, now) && !item.negative {
			return m.view(item, item.soft)
		}
		if m.is(lookupDeletesExpired) {
			delete(m.store.items, m.stored(key))
		}
		found.Miss, found.Observation = cacheaside.MissExpired, cacheaside.Observation(item.version+orGone)
		if m.is(expiredUnobserved) {
			found.Observation = ""
		}
		return found
	case item.tombstone:
		found.Miss, found.Observation = cacheaside.MissInvalidated, cacheaside.Observation(item.version+orGone)
		if m.is(tombstoneUnobserved) {
			found.Observation = ""
		}
		return found
	}
	defer func() { view.Generation = found.Generation }()
	if m.is(lookupProlongs) {
		item.soft, item.hard = now.Add(m.opt.Soft), now.Add(m.opt.Hard)
		m.store.items[m.stored(key)] = item
	}
	return m.view(item, now)
}

// copied answers from the copy of an earlier lookup, as long as that is in force.
func (m *model) copied(key string, item modelItem, present bool) (modelItem, bool) {
	if own, has := m.copies[key]; has && !m.over(own, m.clock.Now()) {
		return own, true
	}
	if present && item.unusable == 0 {
		if m.copies == nil {
			m.copies = map[string]modelItem{}
		}
		m.copies[key] = item
	}
	return item, present
}

func (m *model) view(item modelItem, now time.Time) cacheaside.Lookup[cachetest.Document] {
	found := cacheaside.Lookup[cachetest.Document]{
		Kind: cacheaside.LookupFresh, Value: item.value, Revision: item.revision,
		SoftExpiresAt: item.soft, HardExpiresAt: item.hard, Observation: cacheaside.Observation(item.version),
	}
	if m.is(staleObservationOrGone) {
		found.Observation += orGone
	}
	if item.negative {
		found.Kind, found.SoftExpiresAt = cacheaside.LookupNegative, time.Time{}
		if m.is(absenceUnobserved) {
			found.Observation = ""
		}
		return found
	}
	if m.freshAt(item, now) {
		if m.is(freshWithoutExpiries) {
			found.SoftExpiresAt, found.HardExpiresAt = time.Time{}, time.Time{}
		}
		return found
	}
	found.Kind = cacheaside.LookupStale
	if m.is(staleUnobserved) {
		found.Observation = ""
	}
	if m.is(staleWithoutValue) {
		found.Value = cachetest.Document{}
	}
	if m.is(staleWithoutExpiry) {
		found.HardExpiresAt = time.Time{}
	}
	return found
}

func (m *model) freshAt(item modelItem, now time.Time) bool {
	switch {
	case m.is(softInclusive):
		return !now.After(item.soft)
	case m.is(softEarly):
		return now.Before(item.soft.Add(-time.Millisecond))
	default:
		return now.Before(item.soft)
	}
}

func (m *model) viewUnusable(item modelItem) cacheaside.Lookup[cachetest.Document] {
	found := cacheaside.Lookup[cachetest.Document]{Kind: cacheaside.LookupUnusable, Entry: item.unusable}
	switch item.unusable {
	case cacheaside.EntryRetired, cacheaside.EntryPayload, cacheaside.EntryFuture:
		if !m.is(quarantineUnobserved) {
			found.Observation = cacheaside.Observation(item.version)
		}
	case cacheaside.EntryCorrupt:
		if m.is(corruptObserved) {
			found.Observation = cacheaside.Observation(item.version)
		}
		if m.is(corruptAsMiss) {
			return cacheaside.Lookup[cachetest.Document]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent}
		}
	case cacheaside.EntryOversize:
		if m.is(oversizeAsCorrupt) {
			found.Entry = cacheaside.EntryCorrupt
		}
	case cacheaside.EntryForeign:
		if m.is(foreignAsOutage) {
			return cacheaside.Lookup[cachetest.Document]{Kind: cacheaside.LookupUnavailable, Err: errDown}
		}
	}
	if m.is(futureAsRetired) && item.unusable == cacheaside.EntryFuture {
		found.Entry = cacheaside.EntryRetired
	}
	return found
}

func (m *model) over(item modelItem, now time.Time) bool {
	switch {
	case m.is(hardInclusive):
		return now.After(item.hard)
	case m.is(storeExpiryAtSoft) && !item.soft.IsZero():
		return !now.Before(item.soft)
	case m.is(hardEarly):
		return !now.Before(item.hard.Add(-time.Millisecond))
	case m.is(absenceForEver) && item.negative, m.is(tombstoneForEver) && item.tombstone:
		return false
	default:
		return !now.Before(item.hard)
	}
}

func (m *model) unreachable(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil && !m.is(contextIgnored) {
		if m.is(contextErrorReplaced) {
			return errDown
		}
		return err
	}
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	if !m.store.down {
		return nil
	}
	if m.is(errorNamesKey) {
		return fmt.Errorf("model: cannot ask for %q: %w", key, errDown)
	}
	return errDown
}

// stored is the key as the store has it.
func (m *model) stored(key string) string {
	if m.is(keysFolded) {
		return strings.ToLower(key)
	}
	if m.is(keysCut) && len(key) > 1024 {
		return key[:1024]
	}
	return key
}

func (s *modelStore) nextVersion() string {
	s.writes++
	return "v" + strconv.Itoa(s.writes)
}
