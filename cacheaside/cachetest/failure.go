package cachetest

import (
	"context"
	"errors"
	"strings"

	"github.com/cacheaside/resilience/cacheaside"
)

func failureAssertions() []Assertion {
	return []Assertion{
		assertion("a done context is told as that and reaches nothing", checkDoneContext),
		assertion("a store that cannot be asked is unavailable and never a miss", checkBrokenLookup),
		assertion("a record to a store that cannot be asked is not told as applied", checkBrokenRecord),
		assertion("errors hold neither keys nor values", checkErrorsTellNothing),
	}
}

func checkDoneContext(p *probe) {
	stale := p.seedStale(key, value(1))
	done, cancel := context.WithCancel(p.Context())
	cancel()
	found := p.subject.Cache.Lookup(done, key)
	p.wantKind(found, cacheaside.LookupUnavailable, "a lookup with a done context")
	p.wantCancelled(found.Err, "a lookup")
	p.wantNothing(found, "a lookup with a done context")
	given := cacheaside.Condition{Observation: stale.Observation}
	outcome := p.subject.Cache.Record(done, key, value(2), given)
	p.wantRefused(outcome, cacheaside.RecordNeverSent, "a record with a done context")
	p.wantCancelled(outcome.Err, "a record")
	if able, ok := p.subject.Cache.(cacheaside.Invalidator[string]); ok {
		outcome = able.Invalidate(done, key)
		p.wantRefused(outcome, cacheaside.RecordNeverSent, "an invalidation with a done context")
		p.wantCancelled(outcome.Err, "an invalidation")
	}
	p.wantUntouched(key, stale, "a call with a done context")
}

func (p *probe) wantCancelled(err error, what string) {
	p.Helper()
	if !errors.Is(err, context.Canceled) {
		p.Errorf("%s with a done context has the error %v, want the context's in its chain", what, err)
	}
}

func checkBrokenLookup(p *probe) {
	p.needs(p.subject.Break != nil, "Break")
	p.seed(key, value(1))
	p.subject.Break()
	for _, asked := range []string{key, "never recorded"} {
		found := p.look(asked)
		p.wantKind(found, cacheaside.LookupUnavailable, "a lookup at a broken store")
		p.wantNothing(found, "a lookup at a broken store")
		if found.Err == nil {
			p.Errorf("a lookup at a broken store does not tell why")
		}
		if found.Observation != "" {
			p.Errorf("a lookup at a broken store has an observation")
		}
	}
}

func checkBrokenRecord(p *probe) {
	p.needs(p.subject.Break != nil, "Break")
	p.subject.Break()
	outcome := p.record(key, value(1), onlyIfAbsent)
	if outcome.Certainty != cacheaside.RecordNotApplied && outcome.Certainty != cacheaside.RecordIndeterminate {
		p.Errorf("a record to a broken store is %s, want NotApplied or Indeterminate", done(outcome))
	}
}

// checkErrorsTellNothing looks for the texts of a key and a value in whatever the cache says about failures.
func checkErrorsTellNothing(p *probe) {
	const secretKey, secretText = "account-of-nobody", "text-of-nobody"
	secret := entry{Value: Document{Text: secretText}, Revision: cacheaside.Revision(strings.Repeat("r", cacheaside.MaxRevisionBytes+1))}
	errs := []error{p.record(secretKey, secret, onlyIfAbsent).Err}
	if p.subject.BoundsSize {
		large := entry{Value: Document{Text: strings.Repeat(secretText, p.opt.MaxValueBytes/len(secretText)+1)}}
		errs = append(errs, p.record(secretKey, large, onlyIfAbsent).Err)
	}
	for _, plant := range p.subject.Plant {
		plant(secretKey)
		errs = append(errs, p.look(secretKey).Err, p.record(secretKey, entry{Value: secret.Value}, onlyIfAbsent).Err)
	}
	if p.subject.Break != nil {
		p.subject.Break()
		errs = append(errs, p.look(secretKey).Err, p.record(secretKey, entry{Value: secret.Value}, onlyIfAbsent).Err)
		if able, ok := p.subject.Cache.(cacheaside.Invalidator[string]); ok {
			errs = append(errs, able.Invalidate(p.Context(), secretKey).Err)
		}
	}
	for _, err := range errs {
		if err != nil && (strings.Contains(err.Error(), secretKey) || strings.Contains(err.Error(), secretText)) {
			p.Errorf("an error holds the text of a key or of a value")
		}
	}
}
