package cachetest

func rememberedAssertions() []Assertion {
	return []Assertion{
		orderedAssertion("the revision of what is over is known no more", checkRevisionOver),
	}
}

// outlive lets a value and its fence record grow so old that they are over, where a store's clock does not follow by losing the entry.
func (o *ordered) outlive() {
	o.p.Helper()
	age := max(o.p.opt.Hard, o.p.opt.Tombstone)
	o.p.advance(age)
	if o.p.subject.AgeFence != nil {
		o.p.needs(o.p.subject.Drop != nil, "Drop")
		o.p.subject.AgeFence(key, age)
		o.p.subject.Drop(key)
	}
}

func checkRevisionOver(p *probe, o *ordered) {
	o.mustPut(revised(3, "3"))
	o.outlive()
	p.wantApplied(o.put(revised(2, "2")), "a put of an older revision than that of a value which is over")
	o.outlive()
	o.grant(1, "a request for what is over")
	p.wantApplied(o.put(revised(1, "1")), "a put of an older revision than that of a value which was over before a grant")
	p.wantFresh(key, revised(1, "1"), "what was put")
}
