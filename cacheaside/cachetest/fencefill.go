package cachetest

import (
	"strings"

	"github.com/cacheaside/resilience/cacheaside"
)

func fillAssertions() []Assertion {
	return []Assertion{
		fencedAssertion("a filled value is fresh, with its revision and expiries", checkFill),
		fencedAssertion("a filled absence is told as one, and over at its expiry", checkFillOfAbsence),
		fencedAssertion("a value above 64 KiB is filled whole", checkLargeFill),
		fencedAssertion("a fill ends the grant", checkFillEndsGrant),
		fencedAssertion("a grant that ran out and that nobody took over still fills", checkExpiredFills),
		fencedAssertion("repeating an accepted fill is harmless", checkFillRepeated),
		fencedAssertion("an observation asked for on top of the fence refuses what has changed", checkFillCondition),
		fencedAssertion("on top of the fence, a tombstone that is gone is as good, and an absence that is gone is not", checkFillConditionGone),
		fencedAssertion("what may be replaced but not read is filled by its observation", checkFillOfQuarantine),
		fencedAssertion("a value above the size limit is refused by a fill and the grant stays", checkFillOversize),
		fencedAssertion("a record without a grant is refused as unfenced", checkRecordUnfenced),
	}
}

func checkFill(p *probe, f *fenced) {
	fence := f.grant(1, "a grant")
	start := p.now()
	outcome := f.fill(fence, value(1))
	p.wantApplied(outcome, "a fill under a live grant")
	p.wantTime(outcome.SoftExpiresAt, start.Add(p.opt.Soft), "the soft expiry that a fill tells")
	p.wantTime(outcome.HardExpiresAt, start.Add(p.opt.Hard), "the hard expiry that a fill tells")
	p.wantFresh(key, value(1), "a filled value")
	found := p.look(key)
	p.wantTime(found.SoftExpiresAt, start.Add(p.opt.Soft), "the soft expiry of a filled value")
	p.wantTime(found.HardExpiresAt, start.Add(p.opt.Hard), "the hard expiry of a filled value")
}

func checkFillOfAbsence(p *probe, f *fenced) {
	f.seed(1, absence())
	p.wantKind(p.look(key), cacheaside.LookupNegative, "a filled absence")
	late := f.grant(2, "a grant")
	f.invalidate()
	f.wantSuperseded(f.fill(late, absence()), "a fill of an absence from before an invalidation")
	p.wantMiss(p.look(key), cacheaside.MissInvalidated, "a key after a refused absence")
	f.seed(3, absence())
	p.advance(p.opt.Negative)
	p.wantOver(p.look(key))
}

// large is a value that a store may have reason to send by another way.
func large(id int64) entry {
	return entry{Value: Document{ID: id, Text: strings.Repeat("large", 40_000)}, Revision: "revision"}
}

func checkLargeFill(p *probe, f *fenced) {
	late := f.seed(1, large(1))
	p.wantFresh(key, large(1), "a large value")
	p.wantApplied(f.fill(late, large(1)), "a large fill that is repeated")
	p.wantFresh(key, large(1), "a large value that was filled twice")
	f.invalidate()
	f.wantSuperseded(f.fill(late, large(1)), "a large fill from before an invalidation")
	late = f.grant(2, "a grant")
	f.pass(leaseTime)
	taken := f.grant(3, "a request after the grant ran out")
	f.wantSuperseded(f.fill(late, large(2)), "a large fill under a grant that was taken over")
	p.wantKind(p.look(key), cacheaside.LookupMiss, "a key after a refused fill")
	p.wantApplied(f.fill(taken, large(3)), "a large fill under a live grant")
	p.wantFresh(key, large(3), "a large value over a tombstone")
}

func checkFillEndsGrant(p *probe, f *fenced) {
	f.seed(1, absence())
	f.grant(2, "a request right after a fill")
}

func checkExpiredFills(p *probe, f *fenced) {
	fence := f.grant(1, "a grant")
	f.pass(leaseTime + tick)
	p.wantApplied(f.fill(fence, value(1)), "a fill under a grant that ran out")
	p.wantFresh(key, value(1), "a value that was filled late")
}

func checkFillRepeated(p *probe, f *fenced) {
	fence := f.seed(1, absence())
	p.wantApplied(f.fill(fence, absence()), "a fill that is repeated")
	p.wantKind(p.look(key), cacheaside.LookupNegative, "what was filled twice")
	f.grant(2, "a request after a fill that was repeated")
	f.wantSuperseded(f.fill(fence, absence()), "a fill that is repeated after another grant")
}

func checkFillCondition(p *probe, f *fenced) {
	f.seed(1, absence())
	before := f.seen()
	f.seed(2, absence())
	fence := f.grant(3, "a grant")
	now := p.look(key)
	refused := f.Fill(p.Context(), key, fence, value(1), cacheaside.Condition{Observation: before})
	p.wantRefused(refused, cacheaside.RecordConditionFailed, "a fill on condition of an entry that was replaced")
	p.wantUntouched(key, now, "a refused fill")
	p.wantApplied(f.Fill(p.Context(), key, fence, value(2), cacheaside.Condition{Observation: now.Observation}), "a fill on condition of what is stored")
	p.wantFresh(key, value(2), "a value filled on a condition")
}

func checkFillConditionGone(p *probe, f *fenced) {
	p.needs(p.subject.Drop != nil, "Drop")
	for n, given := range []entry{value(1), large(2)} {
		f.invalidate()
		f.seed(3*n+1, absence())
		absent := f.seen()
		f.invalidate()
		buried := f.seen()
		p.subject.Drop(key)
		fence := f.grant(3*n+2, "a request for a key whose tombstone is gone")
		refused := f.Fill(p.Context(), key, fence, given, cacheaside.Condition{Observation: absent})
		p.wantRefused(refused, cacheaside.RecordObservationGone, "a fill on condition of an absence that is gone")
		p.wantMiss(p.look(key), cacheaside.MissAbsent, "a key after a refused fill")
		p.wantApplied(f.Fill(p.Context(), key, fence, given, cacheaside.Condition{Observation: buried}), "a fill on condition of a tombstone that is gone")
		p.wantFresh(key, given, "a value filled where a tombstone was")
	}
}

func checkFillOfQuarantine(p *probe, f *fenced) {
	for _, kind := range []cacheaside.EntryKind{cacheaside.EntryRetired, cacheaside.EntryPayload, cacheaside.EntryFuture} {
		found := p.plant(kind)
		fence := f.wantGranted(1, f.acquire(1, found.Observation), "a request that saw what is "+kind.String())
		condition := cacheaside.Condition{Observation: found.Observation}
		p.wantApplied(f.Fill(p.Context(), key, fence, value(1), condition), "a fill over what is "+kind.String())
		p.wantFresh(key, value(1), "a value over what was "+kind.String())
		p.advance(p.opt.Soft)
		condition.Observation = f.seen()
		fence = f.grant(2, "a request that saw a stale value")
		p.plant(kind)
		p.wantRefused(f.Fill(p.Context(), key, fence, value(2), condition), 0, "a fill on condition of a value that has become "+kind.String())
		p.wantUnusable(p.look(key), kind)
		f.Release(p.Context(), key, fence)
	}
}

func checkFillOversize(p *probe, f *fenced) {
	p.needs(p.subject.BoundsSize, "BoundsSize")
	fence := f.grant(1, "a grant")
	big := entry{Value: Document{ID: 2, Text: strings.Repeat("x", p.opt.MaxValueBytes+1)}}
	p.wantRefused(f.fill(fence, big), cacheaside.RecordTooLarge, "a fill above the size limit")
	f.wantHeld(f.acquire(2, onlyIfAbsent), leaseTime, "another request after a fill that was refused for its size")
	p.wantApplied(f.fill(fence, value(1)), "a fill after one that was refused for its size")
}

func checkRecordUnfenced(p *probe, f *fenced) {
	p.wantRefused(p.record(key, value(1), onlyIfAbsent), cacheaside.RecordUnfenced, "a record at a cache with fences")
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "a key after a refused record")
	f.seed(1, absence())
	before := p.look(key)
	p.wantRefused(p.record(key, value(1), before.Observation), cacheaside.RecordUnfenced, "a record of an observed entry at a cache with fences")
	p.wantUntouched(key, before, "a refused record")
}
