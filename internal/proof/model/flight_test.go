package model_test

import (
	"slices"
	"time"
)

// launch looks once more where a flight of the key ended since the caller looked, and asks for a permit.
func (m *model) launch(f *flight, again bool) {
	if again {
		g := m.look(f.key)
		w := m.way(g)
		switch {
		case w.unavailable:
			f.unavailable = true
		case !w.load:
			m.publish(f, ending{text: w.text})
			return
		default:
			f.write, f.unavailable, f.condition = w.write, false, g.condition
		}
	}
	switch {
	case m.count(running) < m.policy.SourceConcurrency:
		m.start(f)
	case m.policy.AdmissionWait == 0:
		m.publish(f, refusal("AdmissionTimeout"))
	default:
		f.admitBy = m.now + m.policy.AdmissionWait
		m.queue = append(m.queue, f)
	}
}

func (m *model) start(f *flight) {
	m.sequence++
	f.started, f.startedAt, f.began = true, m.now, m.sequence
	m.loads = append(m.loads, f)
}

// forget takes a flight out of where callers and permits would find it.
func (m *model) forget(f *flight) {
	if m.flights[f.key] == f {
		delete(m.flights, f.key)
	}
	m.dequeue(f)
}

func (m *model) dequeue(f *flight) {
	m.queue = slices.DeleteFunc(m.queue, func(q *flight) bool { return q == f })
}

// publish ends a flight once, for all its callers.
func (m *model) publish(f *flight, e ending) {
	if f.over {
		return
	}
	f.over, f.told = true, &e
	m.forget(f)
	switch {
	case e.remember && !f.superseded && m.policy.FailureBackoff > 0 && !m.closed:
		delete(m.failures, f.key)
		if len(m.failures) < m.policy.MaxInFlightKeys {
			m.failures[f.key] = failure{f.began, f.condition, m.now + m.policy.FailureBackoff}
		}
	case e.recordable:
		delete(m.failures, f.key)
	}
	m.ended[f.key]++
	leader, waiters := f.leader, f.waiters
	f.leader, f.waiters = nil, nil
	if leader != nil {
		m.tell(leader, f, e, false)
	}
	for _, c := range waiters {
		m.tell(c, f, e, true)
	}
}

func (m *model) tell(c *call, f *flight, e ending, shared bool) {
	c.flight = nil
	c.legal = []string{m.answer(c, f, e, shared)}
}

// answer is what one caller is told of an ending.
func (m *model) answer(c *call, f *flight, e ending, isShared bool) string {
	rules := m.policy.ServeStale
	if e.excuse == transient && rules.OnTransient || e.excuse == rejected && rules.OnRejected || e.excuse == late && rules.OnDeadline {
		if text, ok := m.stale(c, f, e.text); ok {
			return text
		}
	}
	return e.text + e.record + shared(isShared && !e.panicked)
}

// giveUp ends a flight that nobody waits for: one that has asked nobody yet, one that was invalidated, and under CancelAbandoned any.
func (m *model) giveUp(f *flight) {
	switch {
	case f.over || f.known || f.leader != nil || len(f.waiters) > 0 || f.wanted && !f.superseded:
	case !f.started:
		f.over = true
		m.forget(f)
	case f.superseded || m.policy.CancelAbandoned:
		f.over, f.endedAt = true, m.now
		m.forget(f)
		m.endContext(f)
	}
}

// endContext ends a loader's context, which ends one that listens; but not before all has happened that happens at once.
func (m *model) endContext(f *flight) {
	if f.polite && !f.contextEnd {
		m.dying = append(m.dying, f)
	}
	f.contextEnd = true
}

// bury ends the loaders that heard that they should.
func (m *model) bury() {
	for len(m.dying) > 0 {
		f := m.dying[0]
		m.dying = m.dying[1:]
		m.finish(f, ending{})
	}
}

// elapse lets everything happen that is due now.
func (m *model) elapse(now time.Duration) {
	m.now = now
	for key, remembered := range m.failures {
		if remembered.until == now {
			delete(m.failures, key)
		}
	}
	for _, f := range slices.Clone(m.all) {
		switch {
		case slices.Contains(m.queue, f) && f.admitBy == now:
			m.publish(f, refusal("AdmissionTimeout"))
		case running(f) && f.startedAt+m.policy.LoadDeadline == now:
			m.end(f, now, "LoadDeadline")
		case f.known && !f.over && f.publishBy == now:
			m.publish(f, f.ending)
		}
	}
	for _, c := range slices.Clone(m.calls) {
		if c.flight != nil && c.refreshAt == now {
			m.refresh(c)
		}
	}
}

// end ends a load from outside: its callers are told why, and its loader is overdue if it runs on.
func (m *model) end(f *flight, at time.Duration, reason string) {
	if f.over && f.contextEnd {
		f.overdue = true
		return
	}
	f.overdue, f.endedAt = true, at
	m.publish(f, refusal(reason))
	m.endContext(f)
}

// invalidate marks every load of the key.
func (m *model) invalidate(key string) {
	delete(m.flights, key)
	delete(m.failures, key)
	m.invalidated[key]++
	m.ended[key]++
	for _, f := range slices.Clone(m.all) {
		if f.key == key {
			f.superseded = true
			m.giveUp(f)
		}
	}
}

// close refuses what is to come; at once it also ends what runs.
func (m *model) close(atOnce bool) {
	m.closed = true
	clear(m.failures)
	if !atOnce {
		return
	}
	for _, f := range slices.Clone(m.all) {
		if !f.over && !f.started {
			m.publish(f, refusal("Closed"))
		}
	}
	for _, f := range slices.Clone(m.all) {
		if !f.over && running(f) {
			m.end(f, m.now, "Closed")
		}
	}
}
