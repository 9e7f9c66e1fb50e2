package model_test

import (
	"context"
	"strconv"

	"github.com/cacheaside/resilience/cacheaside"
)

func (s *memoryStore) spoil(key string, kind cacheaside.EntryKind) cacheaside.EntryKind {
	s.made++
	m := mark{kind: kind}
	if kind == cacheaside.EntryRetired || kind == cacheaside.EntryPayload || kind == cacheaside.EntryFuture {
		m.observation = cacheaside.Observation("mark " + strconv.Itoa(s.made))
	}
	s.marks[key] = m
	return kind
}

func (s *memoryStore) Lookup(ctx context.Context, key string) cacheaside.Lookup[string] {
	if m, there := s.marks[key]; there {
		return cacheaside.Lookup[string]{Kind: cacheaside.LookupUnusable, Entry: m.kind, Observation: m.observation}
	}
	return s.Cache.Lookup(ctx, key)
}

func (s *memoryStore) Record(
	ctx context.Context, key string, entry cacheaside.Entry[string], asked cacheaside.Condition,
) cacheaside.RecordOutcome {
	m, there := s.marks[key]
	if !there {
		return s.Cache.Record(ctx, key, entry, asked)
	}
	if m.observation == "" || m.observation != asked.Observation {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordConditionFailed}
	}
	beneath := s.Cache.Lookup(ctx, key)
	outcome := s.Cache.Record(ctx, key, entry, cacheaside.Condition{Observation: beneath.Observation})
	if outcome.Certainty == cacheaside.RecordApplied {
		delete(s.marks, key)
	}
	return outcome
}

func (s *memoryStore) Invalidate(ctx context.Context, key string) cacheaside.RecordOutcome {
	delete(s.marks, key)
	return s.Cache.Invalidate(ctx, key)
}
