package model_test

import (
	"fmt"
	"slices"

	"github.com/cacheaside/resilience/cacheaside"
)

// get is a call of Get; a held one stops after its lookup, until arrive.
func (m *model) get(c *call, held bool) {
	m.calls = append(m.calls, c)
	if c.inside != nil && c.inside.contextEnd {
		c.cancelled = true
	}
	if c.cancelled {
		c.legal = []string{"Cancelled"}
		return
	}
	m.sequence++
	c.at, c.ended, c.invalidated = m.sequence, m.ended[c.key], m.invalidated[c.key]
	c.seen = m.look(c.key)
	if c.parked = held; !held {
		m.arrive(c)
	}
}

// arrive is a call whose lookup has told what it saw.
func (m *model) arrive(c *call) {
	c.parked = false
	w := m.way(c.seen)
	c.retained = c.seen.kind == cacheaside.LookupStale
	switch {
	case !w.load:
		c.legal = []string{w.text}
		return
	case c.cancelled:
		c.legal = []string{"Cancelled"}
		return
	case c.inside != nil && !c.inside.back:
		c.legal = []string{"Rejected Reentrant"}
		return
	}
	impatient := m.policy.ServeStale.RefreshWait == cacheaside.DontWait
	if impatient && m.answerable(c) {
		flights := len(m.all)
		f, refused := m.join(c, w, false)
		if refused != nil {
			m.refuse(c, refused)
			return
		}
		if text, ok := m.stale(c, f, "Rejected RefreshPending"); ok {
			c.legal = []string{text}
			return
		}
		// It has lost its value, and waits like everybody, for its own flight as its leader.
		switch own := len(m.all) > flights; {
		case own && f.told != nil:
			m.tell(c, f, *f.told, false)
			return
		case own && !f.over:
			f.leader, c.flight = c, f
			return
		}
	}
	if c.retained && m.policy.ServeStale.RefreshWait > 0 {
		c.refreshAt = m.now + m.policy.ServeStale.RefreshWait
	}
	if _, refused := m.join(c, w, true); refused != nil {
		m.refuse(c, refused)
	}
}

// join counts a caller into the flight of its key, and starts one where there is none, within the bounds. Where more than one bound refuses, any of
// them may be named.
func (m *model) join(c *call, w way, waits bool) (*flight, []string) {
	if m.closed {
		return nil, []string{"Closed"}
	}
	if f := m.flights[c.key]; f != nil && !m.overtaken(f, c, w) {
		switch {
		case !waits:
			f.wanted = true
		case len(f.waiters) >= m.policy.MaxWaitersPerKey:
			return nil, []string{"WaitersFull"}
		default:
			f.waiters = append(f.waiters, c)
			c.flight = f
		}
		return f, nil
	}
	if reasons := m.bounds(c); reasons != nil {
		return nil, reasons
	}
	m.sequence++
	f := &flight{
		key: c.key, began: m.sequence, write: w.write, unavailable: w.unavailable, condition: c.seen.condition, polite: c.polite, wanted: !waits,
	}
	if waits {
		f.leader, c.flight = c, f
	}
	m.all = append(m.all, f)
	m.flights[c.key] = f
	m.launch(f, c.ended != m.ended[c.key])
	return f, nil
}

// bounds are the reasons to start no flight.
func (m *model) bounds(c *call) (reasons []string) {
	beside := func(f *flight) bool {
		return f.key == c.key && f != m.flights[c.key] && !f.back && (f.started || !f.over)
	}
	overdue := m.count(func(f *flight) bool { return beside(f) && f.overdue })
	superseded := m.count(func(f *flight) bool { return beside(f) && f.superseded })
	switch loads := m.count(beside); {
	case overdue >= m.policy.MaxOverduePerKey:
		reasons = append(reasons, "Overdue")
	case loads < max(m.policy.MaxOverduePerKey, 2):
	case superseded == loads:
		reasons = append(reasons, "Superseded")
	default:
		reasons = append(reasons, "Overdue")
	}
	if remembered, there := m.failures[c.key]; there {
		switch {
		case !c.overtakes(remembered.began, remembered.condition):
			reasons = append(reasons, "SourceBackoff")
		case reasons == nil:
			delete(m.failures, c.key)
		}
	}
	if m.alive() >= m.policy.MaxInFlightKeys {
		reasons = append(reasons, "KeysFull")
	}
	return reasons
}

// overtaken tells whether another process has invalidated the key between the beginning of the flight and that of the call, which must then not have
// the flight's answer. A load that is yet to begin is late enough.
func (m *model) overtaken(f *flight, c *call, w way) bool {
	switch {
	case !c.overtakes(f.began, f.condition):
		return false
	case !f.started:
		f.write, f.unavailable, f.condition = w.write, w.unavailable, c.seen.condition
		return false
	}
	delete(m.flights, f.key)
	f.superseded = true
	m.giveUp(f)
	return true
}

// overtakes tells whether the call saw a mark that what began before it has not seen.
func (c *call) overtakes(began int, saw condition) bool {
	mark := c.seen.miss == cacheaside.MissInvalidated || c.seen.kind == cacheaside.LookupUnusable && c.seen.condition.version != 0
	return mark && began < c.at && c.seen.condition != saw
}

// answerable tells whether the call's stale value may be answered at this moment.
func (m *model) answerable(c *call) bool { return c.retained && millis(m.now) < c.seen.hard }

// stale answers with the stale value that the caller looked up itself, while that is before its hard expiry and was not invalidated here.
func (m *model) stale(c *call, f *flight, why string) (string, bool) {
	if c.retained && c.invalidated != m.invalidated[c.key] {
		switch g := m.look(c.key); {
		case g.kind == cacheaside.LookupFresh:
			return freshText(g), true
		case g.kind == cacheaside.LookupStale:
			c.seen, c.invalidated = g, m.invalidated[c.key]
		case g.kind != cacheaside.LookupUnavailable || f != nil && f.superseded:
			c.retained = false
		}
	}
	if !m.answerable(c) {
		return "", false
	}
	return fmt.Sprintf("Stale %s %d/%d for %s", c.seen.value, c.seen.soft, c.seen.hard, why), true
}

// refuse tells a caller one of the reasons. Which one decides whether it may have its stale value, and so whether that is looked at once more.
func (m *model) refuse(c *call, reasons []string) {
	before, looked := m.looks[c.key], m.port.lookups(c.key)
	var legal []string
	var looks []int
	for _, reason := range reasons {
		told := *c // by this reason alone
		m.looks[c.key] = before
		legal, looks = append(legal, m.answer(&told, nil, refusal(reason), false)), append(looks, m.looks[c.key])
	}
	c.legal = legal
	if slices.Contains(looks, looked) {
		m.looks[c.key] = looked
	}
}

// cancel is the end of a caller's context.
func (m *model) cancel(c *call) {
	c.cancelled = true
	f := c.flight
	if f == nil {
		return
	}
	shared := m.leave(c)
	if f.known {
		m.tell(c, f, f.ending, shared)
		return
	}
	c.legal = []string{"Cancelled"}
	m.giveUp(f)
}

// refresh is the end of a caller's wait for the refresh of its stale value.
func (m *model) refresh(c *call) {
	c.refreshAt = 0
	f := c.flight
	text, ok := m.stale(c, f, "Rejected RefreshPending")
	if !ok {
		return
	}
	shared := m.leave(c)
	if f.known {
		m.tell(c, f, f.ending, shared)
		return
	}
	c.legal = []string{text}
	f.wanted = true
	m.giveUp(f)
}

// leave takes a caller out of its flight and tells whether it was a waiter.
func (m *model) leave(c *call) (waiter bool) {
	f := c.flight
	c.flight = nil
	if f.leader == c {
		f.leader = nil
		return false
	}
	f.waiters = slices.DeleteFunc(f.waiters, func(w *call) bool { return w == c })
	return true
}
