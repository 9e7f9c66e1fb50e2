package cachetest

import (
	"reflect"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

type (
	cache  = cacheaside.Cache[string, Document]
	lookup = cacheaside.Lookup[Document]
	entry  = cacheaside.Entry[Document]
)

// onlyIfAbsent is the empty observation.
const onlyIfAbsent cacheaside.Observation = ""

// key is enough for most assertions: each has a subject of its own.
const key = "document 1"

// probe is a test with a subject, and the steps and comparisons that the assertions are made of.
type probe struct {
	testing.TB
	subject Subject
	opt     Options
}

func newProbe(t testing.TB, subject Subject, opt Options) *probe {
	t.Helper()
	if subject.Cache == nil || subject.Now == nil || subject.Advance == nil {
		t.Fatalf("the subject lacks Cache, Now or Advance")
	}
	p := &probe{TB: t, subject: subject, opt: opt}
	// Expiries are told in whole milliseconds; from a whole one on they are exact.
	if over := p.now().Sub(p.now().Truncate(time.Millisecond)); over > 0 {
		p.advance(time.Millisecond - over)
	}
	return p
}

func (p *probe) now() time.Time          { return p.subject.Now() }
func (p *probe) advance(d time.Duration) { p.subject.Advance(d) }

func (p *probe) needs(has bool, field string) {
	p.Helper()
	if !has {
		p.Skipf("the subject has no %s", field)
	}
}

func (p *probe) look(key string) lookup { return p.subject.Cache.Lookup(p.Context(), key) }

func (p *probe) record(key string, given entry, seen cacheaside.Observation) cacheaside.RecordOutcome {
	return p.subject.Cache.Record(p.Context(), key, given, cacheaside.Condition{Observation: seen})
}

// seed stores an entry where there is none.
func (p *probe) seed(key string, given entry) cacheaside.RecordOutcome {
	p.Helper()
	outcome := p.record(key, given, onlyIfAbsent)
	p.wantApplied(outcome, "a record for an absent key")
	return outcome
}

// seedStale stores a value, lets it turn stale and gives the lookup of that.
func (p *probe) seedStale(key string, given entry) lookup {
	p.Helper()
	p.seed(key, given)
	p.advance(p.opt.Soft)
	found := p.look(key)
	p.wantKind(found, cacheaside.LookupStale, "a value at its soft expiry")
	p.mustObserve(found, "a stale value")
	return found
}

// seedExpired stores an entry and gives its lookup at its hard expiry: expired, or absent where the store forgets by itself.
func (p *probe) seedExpired(key string, given entry) lookup {
	p.Helper()
	p.seed(key, given)
	if given.Negative {
		p.advance(p.opt.Negative)
	} else {
		p.advance(p.opt.Hard)
	}
	found := p.look(key)
	p.wantOver(found)
	return found
}

// mustObserve ends an assertion that could not go on without an observation.
func (p *probe) mustObserve(found lookup, what string) {
	p.Helper()
	if found.Observation == "" {
		p.Fatalf("%s has no observation, want one", what)
	}
}

func (p *probe) invalidator() cacheaside.Invalidator[string] {
	p.Helper()
	able, ok := p.subject.Cache.(cacheaside.Invalidator[string])
	p.needs(ok, "Invalidate in its Cache")
	return able
}

func (p *probe) invalidate(key string) cacheaside.RecordOutcome {
	p.Helper()
	outcome := p.invalidator().Invalidate(p.Context(), key)
	p.wantApplied(outcome, "an invalidation")
	return outcome
}

func document(id int64) Document {
	return Document{ID: id, Text: "text", Tags: []string{"a", "b"}}
}

func value(id int64) entry { return entry{Value: document(id), Revision: "revision"} }

func absence() entry { return entry{Negative: true} }

func sameDocument(a, b Document) bool { return reflect.DeepEqual(a, b) }
