package cachetest

import (
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

const generationAge = time.Second

func generationAssertions() []Assertion {
	return []Assertion{
		generationAssertion("a value of an older generation is expired, and no stale value either", checkOlderValue),
		generationAssertion("a recorded absence of an older generation is expired", checkOlderAbsence),
		generationAssertion("what is recorded for an older generation is not read in the new one", checkOlderRecord),
		generationAssertion("what is recorded for the new generation is fresh", checkNewerRecord),
		generationAssertion("a tombstone stays one through generations", checkTombstoneThroughGenerations),
		generationAssertion("a second instance knows of the new generation after its age", checkSecondGeneration),
		generationAssertion("a done context begins no generation", checkGenerationDoneContext),
		assertionWith("what is filled for an older generation is not read in the new one", func(opt *Options) {
			opt.Fenced, opt.GenerationAge = true, generationAge
		}, func(p *probe) { checkOlderFill(p, p.generations()) }),
	}
}

func generationAssertion(name string, check func(p *probe, r cacheaside.RegionInvalidator)) Assertion {
	needs := func(opt *Options) { opt.GenerationAge = generationAge }
	return assertionWith(name, needs, func(p *probe) { check(p, p.generations()) })
}

func (p *probe) generations() cacheaside.RegionInvalidator {
	p.Helper()
	able, ok := p.subject.Cache.(cacheaside.RegionInvalidator)
	p.needs(ok && able.Generations(), "Cache with generations")
	return able
}

// begin begins a new generation.
func (p *probe) begin(r cacheaside.RegionInvalidator) {
	p.Helper()
	p.wantApplied(r.InvalidateRegion(p.Context()), "an invalidation of the region")
}

// ofGeneration gives an entry of the generation that a lookup of the key tells.
func (p *probe) ofGeneration(given entry) entry {
	given.Generation = p.look(key).Generation
	return given
}

// wantGone accepts any miss of an entry of an older generation.
func (p *probe) wantGone(what string) {
	p.Helper()
	found := p.look(key)
	p.wantKind(found, cacheaside.LookupMiss, what)
	if found.Miss != cacheaside.MissExpired && found.Miss != cacheaside.MissAbsent {
		p.Errorf("%s is a miss for the reason %s, want Expired or Absent", what, found.Miss)
	}
	p.wantNothing(found, what)
}

func checkOlderValue(p *probe, r cacheaside.RegionInvalidator) {
	p.seed(key, p.ofGeneration(value(1)))
	p.wantKind(p.look(key), cacheaside.LookupFresh, "a value of the present generation")
	p.begin(r)
	p.wantGone("a value of an older generation")
	p.advance(p.opt.Soft)
	p.wantGone("a value of an older generation at its soft expiry")
}

func checkOlderAbsence(p *probe, r cacheaside.RegionInvalidator) {
	p.seed(key, p.ofGeneration(absence()))
	p.begin(r)
	p.wantGone("an absence of an older generation")
}

func checkOlderRecord(p *probe, r cacheaside.RegionInvalidator) {
	late := p.ofGeneration(value(1))
	p.begin(r)
	_ = p.record(key, late, onlyIfAbsent) // refused or not
	p.wantGone("a value that was recorded for an older generation")
}

func checkNewerRecord(p *probe, r cacheaside.RegionInvalidator) {
	p.seed(key, p.ofGeneration(value(1)))
	p.begin(r)
	over := p.look(key)
	p.wantApplied(p.record(key, p.ofGeneration(value(2)), over.Observation), "a record over a value of an older generation")
	found := p.look(key)
	p.wantKind(found, cacheaside.LookupFresh, "a value of the new generation")
	p.wantValue(found, value(2), "a value of the new generation")
}

func checkTombstoneThroughGenerations(p *probe, r cacheaside.RegionInvalidator) {
	p.invalidator()
	missed := p.look(key)
	p.invalidate(key)
	p.begin(r)
	p.wantMiss(p.look(key), cacheaside.MissInvalidated, "a tombstone of an older generation")
	late := p.ofGeneration(value(1))
	p.wantRefused(p.record(key, late, missed.Observation), cacheaside.RecordConditionFailed, "a fill from before the invalidation")
	p.wantMiss(p.look(key), cacheaside.MissInvalidated, "a tombstone of an older generation")
}

func checkSecondGeneration(p *probe, r cacheaside.RegionInvalidator) {
	p.second()
	p.seed(key, p.ofGeneration(value(1)))
	p.wantKind(p.lookAtSecond(key), cacheaside.LookupFresh, "a value of the present generation at another instance")
	p.begin(r)
	p.advance(p.opt.GenerationAge)
	p.wantKind(p.lookAtSecond(key), cacheaside.LookupMiss, "a value of an older generation at another instance, after the generation's age")
}

func checkGenerationDoneContext(p *probe, r cacheaside.RegionInvalidator) {
	p.seed(key, p.ofGeneration(value(1)))
	outcome := r.InvalidateRegion(doneContext(p))
	p.wantRefused(outcome, cacheaside.RecordNeverSent, "an invalidation of the region with a done context")
	p.wantCancelled(outcome.Err, "an invalidation of the region")
	p.wantFresh(key, value(1), "a value after an invalidation of the region that was never sent")
}

func checkOlderFill(p *probe, r cacheaside.RegionInvalidator) {
	f := p.fencedAt(p.subject.Cache)
	fence := f.grant(1, "a grant")
	late := p.ofGeneration(value(1))
	p.begin(r)
	_ = f.fill(fence, late) // refused or not
	p.wantGone("a value that was filled for an older generation")
}
