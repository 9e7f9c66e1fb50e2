package cachetest_test

import (
	"context"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/cachetest"
)

// knownGeneration is what this instance goes by: for its age, what it read last.
func (m *model) knownGeneration() cacheaside.Generation {
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	return m.knownGenerationLocked()
}

func (m *model) knownGenerationLocked() cacheaside.Generation {
	now := m.clock.Now()
	if m.known == 0 || now.Sub(m.knownSince) >= m.opt.GenerationAge && !m.is(generationLearntOnce) {
		m.known, m.knownSince = m.store.generation, now
	}
	return m.known
}

// ofAnother tells whether an item is over since its generation is. A tombstone is of all of them.
func (m *model) ofAnother(item modelItem, known cacheaside.Generation) bool {
	if item.unusable != 0 || item.tombstone && !m.is(generationEndsTombstones) || m.is(olderAbsenceStays) && item.negative {
		return false
	}
	return !m.is(generationIgnored) && item.generation != known
}

func (m *model) generationOf(given cacheaside.Entry[cachetest.Document]) cacheaside.Generation {
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	if given.Generation == 0 || m.is(recordTakesPresent) {
		return m.store.generation
	}
	return given.Generation
}

func (m *model) Generations() bool { return true }

func (m *model) InvalidateRegion(ctx context.Context) cacheaside.RecordOutcome {
	if m.is(contextOfRegion) {
		ctx = context.WithoutCancel(ctx)
	}
	if err := m.unreachable(ctx, ""); err != nil {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordNeverSent, Err: err}
	}
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	m.store.generation++
	if !m.is(generationEndsTwice) {
		m.known, m.knownSince = m.store.generation, m.clock.Now()
	}
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}
