package soak_test

import (
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// at is a moment of the tables below, in seconds.
func at(seconds float64) time.Time {
	return time.Unix(1_000_000, 0).Add(time.Duration(seconds * float64(time.Second)))
}

// tableRules are rules of whole seconds.
func tableRules() rules {
	return rules{oldest: 10 * time.Second, reach: 4 * time.Second, longest: 3 * time.Second}
}

// tableRows: a value until 20, absent until 40, a value since.
func tableRows() []row {
	return []row{{version: 1, since: at(0)}, {version: 2, since: at(20), absent: true}, {version: 3, since: at(40)}}
}

// of is the value of a version as the source gave it.
func of(version int64) value {
	return value{Key: "key", Version: version, Since: tableRows()[version-1].since.UnixNano(), Padding: padding(version)}
}

func TestEachAnswerIsJudgedByItsRule(t *testing.T) {
	t.Parallel()
	const fresh, loaded, stale = cacheaside.StatusFresh, cacheaside.StatusLoaded, cacheaside.StatusStale
	const absent, negative = cacheaside.StatusAbsent, cacheaside.StatusNegativeHit
	wrongTime, wrongKey, wrongPadding, neverWas := of(1), of(1), of(1), of(1)
	wrongTime.Since++
	wrongKey.Key = "another"
	wrongPadding.Padding += "x"
	neverWas.Version, neverWas.Padding = 4, padding(4)
	loadedBy := func(process int, shared bool, lookup cacheaside.LookupKind) answer {
		return answer{process: process, status: loaded, value: of(1), shared: shared, lookup: lookup}
	}
	const failed, missed = cacheaside.LookupUnavailable, cacheaside.LookupMiss
	by := func(floor int64, ended float64) []invalidation {
		return []invalidation{{process: 1, begun: at(ended - 1), ended: at(ended), floor: floor}}
	}
	lost := func(when float64) []loss { return []loss{{at(when), at(when + 0.5)}} }
	for name, test := range map[string]struct {
		answer      answer
		begun       float64
		invalidated []invalidation
		losses      []loss
		broken      string // "" = none
	}{
		"the present value":            {answer{status: fresh, value: of(3)}, 50, nil, nil, ""},
		"an old one, still allowed":    {answer{status: stale, value: of(1)}, 29, nil, nil, ""},
		"an old one":                   {answer{status: stale, value: of(1)}, 31, nil, nil, ruleOld},
		"an old one, just loaded":      {answer{status: loaded, value: of(1)}, 31, nil, nil, ruleOld},
		"another key's":                {answer{status: fresh, value: wrongKey}, 10, nil, nil, ruleForeign},
		"another moment's":             {answer{status: fresh, value: wrongTime}, 10, nil, nil, ruleForeign},
		"with other bytes":             {answer{status: fresh, value: wrongPadding}, 10, nil, nil, ruleForeign},
		"of the future":                {answer{status: fresh, value: neverWas}, 50, nil, nil, ruleForeign},
		"none at all":                  {answer{status: fresh}, 50, nil, nil, ruleForeign},
		"a value of an absent row":     {answer{status: fresh, value: of(2)}, 30, nil, nil, ruleForeign},
		"absent, and it is":            {answer{status: absent}, 30, nil, nil, ""},
		"absent, and it was":           {answer{status: negative}, 45, nil, nil, ""},
		"absent, and it was long ago":  {answer{status: negative}, 51, nil, nil, ruleOld},
		"absent, and it never was yet": {answer{status: absent}, 10, nil, nil, ruleForeign},

		"from before an invalidation":           {answer{status: fresh, value: of(1)}, 27, by(2, 26), nil, ruleInvalidated},
		"begun before an invalidation":          {answer{status: fresh, value: of(1)}, 25, by(2, 26), nil, ""},
		"absent from before an invalidation":    {answer{status: negative}, 45, by(3, 44), nil, ruleInvalidated},
		"from after an invalidation":            {answer{status: fresh, value: of(3)}, 45, by(3, 44), nil, ""},
		"an invalidation lost at once":          {answer{status: fresh, value: of(1)}, 28, by(2, 26), lost(25.8), ""},
		"an invalidation lost within reach":     {answer{status: fresh, value: of(1)}, 29.5, by(2, 26), lost(29), ""},
		"an invalidation lost beyond reach":     {answer{status: fresh, value: of(1)}, 29.9, by(2, 21), lost(29), ruleInvalidated},
		"a loss before the invalidation":        {answer{status: fresh, value: of(1)}, 29.5, by(2, 26), lost(24), ruleInvalidated},
		"a lost one, and an earlier one":        {answer{status: fresh, value: of(1)}, 29.5, append(by(2, 22), by(2, 28)...), lost(28), ruleInvalidated},
		"shared, another's unseen":              {loadedBy(0, true, failed), 28, by(2, 26), nil, ""},
		"shared, another's unseen, long ago":    {loadedBy(0, true, failed), 29.9, by(2, 25), nil, ruleInvalidated},
		"shared, another's seen":                {loadedBy(0, true, missed), 28, by(2, 26), nil, ruleInvalidated},
		"its own load, another's unseen":        {loadedBy(0, false, failed), 28, by(2, 26), nil, ruleInvalidated},
		"shared, its own invalidation unseen":   {loadedBy(1, true, failed), 28, by(2, 26), nil, ruleInvalidated},
		"a failure is no answer to be compared": {answer{status: cacheaside.StatusFailed}, 28, by(2, 26), nil, ""},
	} {
		a := test.answer
		a.key, a.begun, a.ended = "key", at(test.begun), at(test.begun+1)
		breaches, binding := tableRules().judge(a, tableRows(), test.invalidated, test.losses)
		switch {
		case test.broken == "" && len(breaches) > 0:
			t.Errorf("%s: %v", name, breaches)
		case test.broken != "" && (len(breaches) != 1 || breaches[0].rule != test.broken):
			t.Errorf("%s: %v, want a breach of %q", name, breaches, test.broken)
		case test.broken == ruleInvalidated && !binding:
			t.Errorf("%s: compared with nothing", name)
		}
		a.ended = a.begun.Add(tableRules().longest + 1)
		if breaches, _ := tableRules().judge(a, tableRows(), test.invalidated, test.losses); len(breaches) == 0 || breaches[0].rule != ruleSlow {
			t.Errorf("%s, slowly: %v", name, breaches)
		}
	}
}

func TestARunThatMetNothingShowsNothing(t *testing.T) {
	t.Parallel()
	for _, whole := range []bool{false, true} {
		empty := newSummary()
		if missing := empty.missing(whole); len(missing) == 0 {
			t.Errorf("whole %v: nothing is missed in an empty run", whole)
		}
	}
	full := newSummary()
	full.binding, full.invalidated, full.updates, full.unavailable, full.replaced, full.panics = 1000, 1000, 1000, 1000, 1000, 1000
	for _, status := range statuses() {
		full.statuses[status] = 1000
	}
	for _, m := range manners() {
		full.loads[m.name] = 1000
	}
	for _, kind := range troubles() {
		full.troubles[kind.name] = 1000
	}
	if missing := full.missing(true); len(missing) > 0 {
		t.Errorf("missed in a full run: %q", missing)
	}
	for _, status := range statuses() {
		full.statuses[status] = 0
		if missing := full.missing(true); len(missing) == 0 {
			t.Errorf("without %v: %q", status, missing)
		}
		full.statuses[status] = 1000
	}
	for _, kind := range troubles() {
		full.troubles[kind.name] = 0
		if missing := full.missing(true); len(missing) != 1 {
			t.Errorf("without %s: %q", kind.name, missing)
		}
		full.troubles[kind.name] = 1000
	}
}
