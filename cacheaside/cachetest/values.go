package cachetest

import (
	"math"
	"strings"

	"github.com/cacheaside/resilience/cacheaside"
)

func valueAssertions() []Assertion {
	return []Assertion{
		assertion("values come back as they were recorded, empty ones included", checkValues),
		assertion("revisions are opaque bytes and come back as they were recorded", checkRevisions),
		assertion("a revision above the limit is refused", checkLongRevision),
		assertion("different keys hold different entries", checkKeys),
		assertion("a value above the size limit is refused and the old one stays", checkOversize),
	}
}

func checkValues(p *probe) {
	for name, want := range map[string]Document{
		"a zero value":               {},
		"an empty slice":             {Tags: []string{}},
		"an empty string in a slice": {ID: 1, Tags: []string{""}},
		"the largest number":         {ID: math.MaxInt64},
		"the least number":           {ID: math.MinInt64},
		"control characters":         {Text: "a\x00b\r\nc\x1b"},
		"other alphabets":            {Text: "żółć 文字 🂡", Tags: []string{"é", "e\u0301"}},
		"a long text":                {Text: strings.Repeat("x", p.opt.MaxValueBytes/10)},
	} {
		p.seed(name, entry{Value: want})
		found := p.look(name)
		p.wantKind(found, cacheaside.LookupFresh, name)
		if !sameDocument(found.Value, want) {
			p.Errorf("%s came back as another value", name)
		}
	}
}

func checkRevisions(p *probe) {
	for name, revision := range map[string]cacheaside.Revision{
		"no revision":      "",
		"plain text":       "2",
		"arbitrary bytes":  "\x00\xff\n\"\\",
		"the longest text": cacheaside.Revision(strings.Repeat("r", cacheaside.MaxRevisionBytes)),
	} {
		p.seed(name, entry{Value: document(1), Revision: revision})
		if found := p.look(name); found.Revision != revision {
			p.Errorf("%s came back as the revision %q, want %q", name, found.Revision, revision)
		}
	}
}

func checkLongRevision(p *probe) {
	long := cacheaside.Revision(strings.Repeat("r", cacheaside.MaxRevisionBytes+1))
	outcome := p.record(key, entry{Value: document(1), Revision: long}, onlyIfAbsent)
	p.wantRefused(outcome, cacheaside.RecordEncodeFailed, "a record with a revision above the limit")
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "what was refused")
}

// checkKeys knows the ways in which key text is folded, cut or joined on its way to a store.
func checkKeys(p *probe) {
	long := strings.Repeat("k", 4096)
	keys := []string{
		" ", "a", "A", "a ", " a", "a\x00", "a\x00b", "a:b", "a/b", "a\r\nb", "{a}b", "{a}", "a}", "{", "é", "e\u0301", "\xff", "\xfe",
		"1", "01", "1.0", "null", long + "1", long + "2",
	}
	if outcome := p.record("", value(-1), onlyIfAbsent); outcome.Certainty == cacheaside.RecordApplied {
		p.wantFresh("", value(-1), "the value of the empty key")
	}
	for i, name := range keys {
		p.wantMiss(p.look(name), cacheaside.MissAbsent, "a key that was never recorded, beside others,")
		p.seed(name, value(int64(i)))
	}
	for i, name := range keys {
		p.wantFresh(name, value(int64(i)), "the value of one key among others")
	}
}

func checkOversize(p *probe) {
	p.needs(p.subject.BoundsSize, "BoundsSize")
	big := entry{Value: Document{ID: 2, Text: strings.Repeat("x", p.opt.MaxValueBytes+1)}}
	p.wantRefused(p.record(key, big, onlyIfAbsent), cacheaside.RecordTooLarge, "a value above the limit for an absent key")
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "what was refused")
	stale := p.seedStale(key, value(1))
	p.wantRefused(p.record(key, big, stale.Observation), cacheaside.RecordTooLarge, "a value above the limit for a stale one")
	p.wantUntouched(key, stale, "a value above the limit")
}
