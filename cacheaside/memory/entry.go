package memory

import (
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

type entryKind uint8

const (
	kindValue entryKind = iota + 1
	kindAbsence
	kindTombstone
)

// holds tells whether there is an entry; a node may hold nothing but a fence record.
func (n *node[K, V]) holds() bool { return n != nil && n.entry.kind != 0 }

// entry is what is stored for one key. Its times are epoch milliseconds; only a value has a soft one.
type entry[V any] struct {
	kind       entryKind
	value      V
	revision   cacheaside.Revision
	soft, hard int64
	version    version
	generation uint64
	size       int64
}

// view tells what an entry is at one moment. Past its hard expiry every kind is the same: over, and no longer what it was.
// So is a value or an absence of an older generation.
func (e *entry[V]) view(now int64, generation uint64) cacheaside.Lookup[V] {
	found := cacheaside.Lookup[V]{HardExpiresAt: moment(e.hard), Observation: e.version.exactly(), Generation: cacheaside.Generation(generation)}
	if e.kind == kindValue {
		found.SoftExpiresAt = moment(e.soft)
	}
	switch {
	case now >= e.hard, e.kind != kindTombstone && e.generation != generation:
		found.Kind, found.Miss, found.Observation = cacheaside.LookupMiss, cacheaside.MissExpired, e.version.orGone()
	case e.kind == kindTombstone:
		found.Kind, found.Miss, found.Observation = cacheaside.LookupMiss, cacheaside.MissInvalidated, e.version.orGone()
	case e.kind == kindAbsence:
		found.Kind = cacheaside.LookupNegative
	default:
		found.Kind, found.Value, found.Revision = cacheaside.LookupFresh, e.value, e.revision
		if now >= e.soft {
			found.Kind = cacheaside.LookupStale
		}
	}
	return found
}

// applied is the outcome of having stored the entry.
func (e *entry[V]) applied() cacheaside.RecordOutcome {
	outcome := cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied, HardExpiresAt: moment(e.hard)}
	if e.kind == kindValue {
		outcome.SoftExpiresAt = moment(e.soft)
	}
	return outcome
}

func moment(millis int64) time.Time { return time.UnixMilli(millis).UTC() }
