package cachetest

import "github.com/cacheaside/resilience/cacheaside"

func loadedAtAssertions() []Assertion {
	return []Assertion{
		assertion("expiries of a late result count from the moment it was loaded", checkLateExpiries),
		assertion("a late result may be stale as soon as it is recorded", checkLateStale),
		assertion("a result whose life is over when it is recorded is never sent", checkTooLate),
	}
}

func checkLateExpiries(p *probe) {
	loaded := p.now()
	p.advance(p.opt.Negative / 2)
	late, none := value(1), absence()
	late.LoadedAt, none.LoadedAt = loaded, loaded
	stored := p.seed(key, late)
	p.wantTime(stored.SoftExpiresAt, loaded.Add(p.opt.Soft), "the soft expiry of a late value")
	p.wantTime(stored.HardExpiresAt, loaded.Add(p.opt.Hard), "the hard expiry of a late value")
	negative := p.seed("document 2", none)
	p.wantTime(negative.HardExpiresAt, loaded.Add(p.opt.Negative), "the expiry of a late absence")
	p.advance(p.opt.Negative - p.opt.Negative/2)
	p.wantOver(p.look("document 2"))
	p.advance(p.opt.Soft - p.opt.Negative)
	p.wantKind(p.look(key), cacheaside.LookupStale, "a late value at the soft expiry that counts from its load")
}

// checkLateStale leaves the entry some life, for in a store with a clock of its own it would be gone before it is looked up.
func checkLateStale(p *probe) {
	late := value(1)
	late.LoadedAt = p.now()
	p.advance(p.opt.Soft)
	p.seed(key, late)
	found := p.look(key)
	p.wantKind(found, cacheaside.LookupStale, "a value recorded at its soft expiry")
	p.wantValue(found, late, "a late value")
	p.advance(p.opt.Hard - p.opt.Soft)
	p.wantOver(p.look(key))
}

func checkTooLate(p *probe) {
	late, none := value(1), absence()
	late.LoadedAt, none.LoadedAt = p.now(), p.now()
	p.advance(p.opt.Hard)
	p.wantRefused(p.record(key, late, onlyIfAbsent), cacheaside.RecordNeverSent, "a value whose hard expiry has come")
	p.wantRefused(p.record(key, none, onlyIfAbsent), cacheaside.RecordNeverSent, "an absence whose expiry has come")
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "what was never sent")
}
