package cachetest

import (
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// wantKind ends the assertion on another kind: what comes after it means nothing then.
func (p *probe) wantKind(found lookup, kind cacheaside.LookupKind, what string) {
	p.Helper()
	if found.Kind != kind {
		p.Fatalf("%s is told as %s, want %s", what, told(found), kind)
	}
}

func (p *probe) wantMiss(found lookup, reason cacheaside.MissReason, what string) {
	p.Helper()
	p.wantKind(found, cacheaside.LookupMiss, what)
	if found.Miss != reason {
		p.Fatalf("%s is a miss for the reason %s, want %s", what, found.Miss, reason)
	}
}

// wantOver accepts both ways in which an entry past its hard expiry may be told.
func (p *probe) wantOver(found lookup) {
	p.Helper()
	p.wantKind(found, cacheaside.LookupMiss, "an entry at its hard expiry")
	switch {
	case found.Miss == cacheaside.MissExpired && found.Observation == "":
		p.Fatalf("an expired entry has no observation, want one")
	case found.Miss == cacheaside.MissAbsent && found.Observation != "":
		p.Fatalf("an entry that is told as absent has an observation")
	case found.Miss != cacheaside.MissExpired && found.Miss != cacheaside.MissAbsent:
		p.Fatalf("an entry at its hard expiry is a miss for the reason %s, want Expired or Absent", found.Miss)
	}
	p.wantNothing(found, "an expired entry")
}

func (p *probe) wantValue(found lookup, want entry, what string) {
	p.Helper()
	if !sameDocument(found.Value, want.Value) {
		p.Errorf("%s has the value %+v, want %+v", what, found.Value, want.Value)
	}
	if found.Revision != want.Revision {
		p.Errorf("%s has the revision %q, want %q", what, found.Revision, want.Revision)
	}
}

// wantNothing holds for every kind of lookup that must not be answered with a value.
func (p *probe) wantNothing(found lookup, what string) {
	p.Helper()
	if !sameDocument(found.Value, Document{}) || found.Revision != "" {
		p.Errorf("%s carries the value %+v and the revision %q, want neither", what, found.Value, found.Revision)
	}
}

// wantFresh looks up the key and wants that very value.
func (p *probe) wantFresh(key string, want entry, what string) {
	p.Helper()
	found := p.look(key)
	p.wantKind(found, cacheaside.LookupFresh, what)
	p.wantValue(found, want, what)
}

func (p *probe) wantTime(got, want time.Time, what string) {
	p.Helper()
	if !got.Equal(want) {
		p.Errorf("%s is %s, want %s", what, clockTime(got), clockTime(want))
	}
}

func clockTime(t time.Time) string {
	if t.IsZero() {
		return "not set"
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000Z")
}

func (p *probe) wantApplied(outcome cacheaside.RecordOutcome, what string) {
	p.Helper()
	if outcome.Certainty != cacheaside.RecordApplied {
		p.Fatalf("%s is %s, want Applied", what, done(outcome))
	}
}

// wantRefused wants a certain refusal; a reason of zero leaves the reason open.
func (p *probe) wantRefused(outcome cacheaside.RecordOutcome, reason cacheaside.RecordReason, what string) {
	p.Helper()
	if outcome.Certainty != cacheaside.RecordNotApplied {
		p.Fatalf("%s is %s, want NotApplied", what, done(outcome))
	}
	if reason != 0 && outcome.Reason != reason {
		p.Errorf("%s is refused for the reason %s, want %s", what, outcome.Reason, reason)
	}
}

// wantUntouched wants what is stored to be what was looked up before, to the byte as far as a lookup can tell.
func (p *probe) wantUntouched(key string, before lookup, what string) {
	p.Helper()
	after := p.look(key)
	same := after.Kind == before.Kind && after.Miss == before.Miss && after.Entry == before.Entry &&
		sameDocument(after.Value, before.Value) && after.Revision == before.Revision && after.Observation == before.Observation &&
		after.SoftExpiresAt.Equal(before.SoftExpiresAt) && after.HardExpiresAt.Equal(before.HardExpiresAt)
	if !same {
		p.Errorf("%s changed what is stored: it was %s of %+v and is %s of %+v, or has another observation or expiry",
			what, told(before), before.Value, told(after), after.Value)
	}
}

// told is the kind of a lookup with its reason, where it has one.
func told(found lookup) string {
	switch found.Kind {
	case cacheaside.LookupMiss:
		return found.Kind.String() + " (" + found.Miss.String() + ")"
	case cacheaside.LookupUnusable:
		return found.Kind.String() + " (" + found.Entry.String() + ")"
	case cacheaside.LookupUnavailable:
		if found.Err != nil {
			return found.Kind.String() + " (" + found.Err.Error() + ")"
		}
	case cacheaside.LookupFresh, cacheaside.LookupStale, cacheaside.LookupNegative:
	}
	return found.Kind.String()
}

// done is the certainty of an outcome with its reason and error, where it has them.
func done(outcome cacheaside.RecordOutcome) string {
	text := outcome.Certainty.String()
	if outcome.Reason != 0 {
		text += " (" + outcome.Reason.String() + ")"
	}
	if outcome.Err != nil {
		text += ": " + outcome.Err.Error()
	}
	return text
}
