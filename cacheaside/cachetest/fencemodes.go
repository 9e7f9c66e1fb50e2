package cachetest

import "github.com/cacheaside/resilience/cacheaside"

func otherModeAssertions() []Assertion {
	return []Assertion{
		fencedAssertion("an invalidation without fences refuses the fills and buries the entries of the region with them", checkUnfencedInvalidates),
		fencedAssertion("an invalidation with fences refuses the fills and buries the entries of the region without them", checkFencedInvalidates),
		fencedAssertion("a region without fences writes no entry of the region with them", checkModesApart),
	}
}

// otherMode gives the instance without fences, and its invalidation.
func (p *probe) otherMode() (cache, func()) {
	p.Helper()
	p.needs(p.subject.OtherMode != nil, "OtherMode")
	able, ok := p.subject.OtherMode.(cacheaside.Invalidator[string])
	p.needs(ok, "Invalidate in its OtherMode")
	return p.subject.OtherMode, func() {
		p.Helper()
		p.wantApplied(able.Invalidate(p.Context(), key), "an invalidation without fences")
	}
}

func checkUnfencedInvalidates(p *probe, f *fenced) {
	_, invalidate := p.otherMode()
	fence := f.grant(1, "a grant")
	invalidate()
	f.wantSuperseded(f.fill(fence, value(1)), "a fill from before an invalidation without fences")
	f.seed(2, value(2))
	invalidate()
	found := p.look(key)
	p.wantMiss(found, cacheaside.MissInvalidated, "a filled value after an invalidation without fences")
	p.wantNothing(found, "a tombstone")
	f.seed(3, value(3))
	p.wantFresh(key, value(3), "a value filled after an invalidation without fences")
}

func checkFencedInvalidates(p *probe, f *fenced) {
	other, _ := p.otherMode()
	ctx := p.Context()
	missed := other.Lookup(ctx, key)
	f.invalidate()
	late := other.Record(ctx, key, value(1), cacheaside.Condition{Observation: missed.Observation})
	p.wantRefused(late, cacheaside.RecordConditionFailed, "a record without fences from before an invalidation with them")
	found := other.Lookup(ctx, key)
	p.wantApplied(other.Record(ctx, key, value(2), cacheaside.Condition{Observation: found.Observation}), "a record without fences after the invalidation")
	f.invalidate()
	found = other.Lookup(ctx, key)
	p.wantMiss(found, cacheaside.MissInvalidated, "a value without fences after an invalidation with them")
	p.wantNothing(found, "a tombstone")
}

func checkModesApart(p *probe, f *fenced) {
	other, _ := p.otherMode()
	ctx := p.Context()
	fence := f.grant(1, "a grant")
	p.wantApplied(other.Record(ctx, key, value(1), cacheaside.Condition{}), "a record without fences")
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "a key that was recorded without fences")
	p.wantApplied(f.fill(fence, value(2)), "a fill beside a record without fences")
	p.wantFresh(key, value(2), "a filled value")
	found := other.Lookup(ctx, key)
	p.wantKind(found, cacheaside.LookupFresh, "a value that was recorded without fences")
	p.wantValue(found, value(1), "a value that was recorded without fences")
}
