package cachetest

import (
	"strings"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func putAssertions() []Assertion {
	return []Assertion{
		orderedAssertion("what is put is fresh, with its revision", checkPut),
		orderedAssertion("of two puts the greater revision stays, whichever comes last", checkPutOrder),
		orderedAssertion("revisions are ordered by their bytes, and the beginning of another is the older", checkRevisionOrder),
		orderedAssertion("a put refuses every fill that began before it", checkPutSupersedes),
		orderedAssertion("a fill of an older revision than is stored is refused, and of the same one accepted", checkFillOrder),
		orderedAssertion("an invalidation does not forget the revision", checkInvalidationKeepsRevision),
		orderedAssertion("a short grant does not shorten what an invalidation remembers", checkShortGrantKeepsRevision),
		orderedAssertion("a put of an older revision issues no token", checkOlderPutIssuesNothing),
		orderedAssertion("a done context puts nothing, and a store that cannot be asked does not tell a put as applied", checkPutFailures),
	}
}

// ordered is an instance under test whose revisions are ordered.
type ordered struct {
	*fenced
	putter cacheaside.Putter[string, Document]
}

func orderedAssertion(name string, check func(p *probe, o *ordered)) Assertion {
	needs := func(opt *Options) { opt.Fenced, opt.OrderedRevisions, opt.MaxValueBytes = true, true, 1<<20 }
	return assertionWith(name, needs, func(p *probe) {
		able, ok := p.subject.Cache.(cacheaside.Putter[string, Document])
		p.needs(ok && able.OrderedRevisions(), "Cache with ordered revisions")
		check(p, &ordered{fenced: p.fencedAt(p.subject.Cache), putter: able})
	})
}

func revised(id int64, revision cacheaside.Revision) entry {
	return entry{Value: document(id), Revision: revision}
}

func (o *ordered) put(given entry) cacheaside.RecordOutcome {
	return o.putter.Put(o.p.Context(), key, given)
}

func (o *ordered) mustPut(given entry) {
	o.p.Helper()
	o.p.wantApplied(o.put(given), "a put of the revision "+string(given.Revision))
}

func (o *ordered) wantOlder(outcome cacheaside.RecordOutcome, what string) {
	o.p.Helper()
	o.p.wantRefused(outcome, cacheaside.RecordOlderRevision, what)
}

func checkPut(p *probe, o *ordered) {
	start := p.now()
	outcome := o.put(revised(1, "1"))
	p.wantApplied(outcome, "a put")
	p.wantTime(outcome.HardExpiresAt, start.Add(p.opt.Hard), "the hard expiry that a put tells")
	p.wantFresh(key, revised(1, "1"), "what was put over nothing")
	o.invalidate()
	o.mustPut(revised(2, "2"))
	p.wantFresh(key, revised(2, "2"), "what was put over a tombstone")
	big := large(3)
	big.Revision = "3"
	o.mustPut(big)
	p.wantFresh(key, big, "a large value that was put")
	o.mustPut(revised(4, "3"))
	p.wantFresh(key, revised(4, "3"), "what was put under the same revision")
}

func checkPutOrder(p *probe, o *ordered) {
	o.mustPut(revised(2, "2"))
	o.wantOlder(o.put(revised(1, "1")), "a put of an older revision")
	o.wantOlder(o.put(revised(1, "")), "a put without a revision")
	p.wantFresh(key, revised(2, "2"), "what was put with the greater revision")
	o.mustPut(revised(3, "3"))
	p.wantFresh(key, revised(3, "3"), "what was put with the greater revision")
}

func checkRevisionOrder(p *probe, o *ordered) {
	ascending := []cacheaside.Revision{
		"\x00", "\x00\x00", "\x01", "10", "10\x00", "100", "9", "A", "Z", "_", "a", "a\x00", "aa", "b", "\x7f", "\x80", "é", "\xff",
		cacheaside.Revision("\xff" + strings.Repeat("r", cacheaside.MaxRevisionBytes-1)),
	}
	for i, revision := range ascending {
		o.mustPut(revised(int64(i), revision))
		for _, older := range ascending[:i] {
			o.wantOlder(o.put(revised(-1, older)), "a put of an older revision")
		}
		p.wantFresh(key, revised(int64(i), revision), "what was put with the greatest revision")
	}
}

func checkPutSupersedes(p *probe, o *ordered) {
	fence := o.grant(1, "a grant")
	o.mustPut(revised(2, "2"))
	o.wantSuperseded(o.fill(fence, revised(3, "3")), "a fill from before a put")
	p.wantFresh(key, revised(2, "2"), "what was put")
	p.advance(p.opt.Soft)
	next := o.grant(2, "a request after a put")
	if next.Token <= fence.Token {
		p.Errorf("after a put the token is %d, want one above %d", next.Token, fence.Token)
	}
	p.wantApplied(o.fill(next, revised(3, "3")), "a fill from after a put")
}

func checkFillOrder(p *probe, o *ordered) {
	o.mustPut(revised(2, "2"))
	p.advance(p.opt.Soft)
	stale := p.look(key)
	fence := o.grant(1, "a request after a put")
	for _, older := range []entry{revised(1, "1"), revised(1, ""), revised(1, "19")} {
		o.wantOlder(o.fill(fence, older), "a fill of an older revision")
		p.wantUntouched(key, stale, "a refused fill")
	}
	big := large(1)
	big.Revision = "1"
	o.wantOlder(o.fill(fence, big), "a large fill of an older revision")
	p.wantApplied(o.fill(fence, revised(3, "2")), "a fill of the same revision")
	p.wantFresh(key, revised(3, "2"), "a value filled under the same revision")
	o.wantOlder(o.put(revised(1, "1")), "a put of an older revision than was filled")
}

func checkInvalidationKeepsRevision(p *probe, o *ordered) {
	o.mustPut(revised(2, "2"))
	o.invalidate()
	before := p.look(key)
	o.wantOlder(o.put(revised(1, "1")), "a put of an older revision after an invalidation")
	fence := o.grant(1, "a request after an invalidation")
	o.wantOlder(o.fill(fence, revised(1, "1")), "a fill of an older revision after an invalidation")
	p.wantUntouched(key, before, "what was refused")
	p.wantApplied(o.fill(fence, revised(2, "2")), "a fill of the same revision after an invalidation")
}

func checkShortGrantKeepsRevision(p *probe, o *ordered) {
	const short = time.Millisecond
	o.mustPut(revised(2, "2"))
	o.invalidate()
	o.wantGranted(1, o.Acquire(p.Context(), key, request(1), o.seen(), short), "a short grant after an invalidation")
	o.pass(100 * short)
	o.wantOlder(o.put(revised(1, "1")), "a put of an older revision after a short grant")
}

func checkOlderPutIssuesNothing(p *probe, o *ordered) {
	o.mustPut(revised(2, "2"))
	p.advance(p.opt.Soft)
	fence := o.grant(1, "a request after a put")
	o.wantOlder(o.put(revised(1, "1")), "a put of an older revision")
	p.wantApplied(o.fill(fence, revised(3, "3")), "a fill beside a put that was refused")
}

func checkPutFailures(p *probe, o *ordered) {
	outcome := o.putter.Put(doneContext(p), key, revised(1, "1"))
	p.wantRefused(outcome, cacheaside.RecordNeverSent, "a put with a done context")
	p.wantCancelled(outcome.Err, "a put")
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "a key after a put with a done context")
	long := cacheaside.Revision(strings.Repeat("r", cacheaside.MaxRevisionBytes+1))
	p.wantRefused(o.put(revised(1, long)), cacheaside.RecordEncodeFailed, "a put with a revision above the limit")
	if p.subject.Break == nil {
		return
	}
	p.subject.Break()
	outcome = o.put(revised(1, "1"))
	if outcome.Certainty != cacheaside.RecordNotApplied && outcome.Certainty != cacheaside.RecordIndeterminate {
		p.Errorf("a put at a broken store is %s, want NotApplied or Indeterminate", done(outcome))
	}
}
