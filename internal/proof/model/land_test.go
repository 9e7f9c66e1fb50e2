package model_test

// finish is the end of a loader.
func (m *model) finish(f *flight, e ending) {
	f.back, f.contextEnd = true, true
	if f.over {
		m.landLate(f, e)
	} else {
		m.land(f, e)
	}
	if len(m.queue) > 0 {
		next := m.queue[0]
		m.dequeue(next)
		m.start(next)
	}
}

// land records what may be recorded, and answers.
func (m *model) land(f *flight, e ending) {
	if !e.recordable || !f.write {
		m.publish(f, e)
		return
	}
	f.known, f.ending = true, e
	if f.unavailable {
		m.publish(f, e)
		if !f.superseded && m.reserve(f) {
			m.record(making{flight: f, ending: e, alone: true})
		}
		return
	}
	switch {
	case f.superseded:
		m.publish(f, e.with(" record NotApplied Superseded"))
		return
	case !m.reserve(f):
		m.publish(f, e.with(" record NotApplied NeverSent"))
		return
	}
	f.ending = e.with(" record Indeterminate Pending")
	if f.publishBy = m.now + m.policy.RecordWait; m.policy.RecordWait == 0 {
		m.publish(f, f.ending)
	}
	m.record(making{flight: f, ending: e})
}

// landLate records what came too late for its callers, unless something happened since that it could undo.
func (m *model) landLate(f *flight, e ending) {
	if e.recordable && f.write && m.now-f.endedAt <= m.policy.LoadDeadline && !f.superseded && !f.outdated && !m.closed && m.reserve(f) {
		m.record(making{flight: f, ending: e, alone: true, loadedAt: millis(f.endedAt)})
	}
}

// reserve counts a record, unless too many hang, and outdates the older loads of the key.
func (m *model) reserve(f *flight) bool {
	if m.records >= 2*m.policy.MaxInFlightKeys {
		return false
	}
	m.records++
	for _, other := range m.all {
		if other.key == f.key && other != f && other != m.flights[f.key] {
			other.outdated = true
		}
	}
	return true
}

// making is a record under way.
type making struct {
	flight   *flight
	ending   ending
	loadedAt int64
	alone    bool // nobody waits for it
	made     bool // after having been held
}

func (m *model) record(r making) {
	if m.holding {
		m.held = append(m.held, r)
		return
	}
	m.recorded(r)
}

// recorded wants the record to have been made just so.
func (m *model) recorded(r making) {
	f := r.flight
	want := writing{
		key: f.key, value: r.ending.value, negative: r.ending.value == "", condition: f.condition, loadedAt: r.loadedAt,
	}
	got, made := m.port.take()
	text := got.told
	if got.told = ""; !made || !sameWriting(got, want) {
		m.complain("recorded %+v (%t), want %+v", got, made, want)
	}
	m.records--
	m.ended[f.key]++
	if !r.alone {
		m.publish(f, r.ending.with(text))
	}
}

// sameWriting lets an entry that is gone be asked for as nothing.
func sameWriting(got, want writing) bool {
	if want.condition.orGone && got.condition == (condition{}) {
		want.condition = condition{}
	}
	return got == want
}
