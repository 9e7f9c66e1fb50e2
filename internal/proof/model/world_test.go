package model_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// model is what the contract says of a region, step by step and with nothing at the same time. It asks the port for what the store holds; it knows
// nothing of how the region goes about anything.
type model struct {
	policy cacheaside.Policy
	port   *port
	now    time.Duration

	sequence    int                // counts lookups, flights and loads
	flights     map[string]*flight // that callers may join
	all         []*flight          // every flight that was ever made
	queue       []*flight          // waiting for a permit, in order
	dying       []*flight          // whose loaders have just heard that their contexts ended
	loads       []*flight          // every load that was ever started
	calls       []*call
	failures    map[string]failure
	invalidated map[string]int // invalidations of a key in this region
	ended       map[string]int // flights and records that ended, and invalidations
	looks       map[string]int // lookups that should have been made
	records     int            // being made
	holding     bool
	held        []making // records that the port holds, all that ever were
	closed      bool

	fault string // the first thing that the region should not have done
}

// call is one Get. What it was legally told is not one text where the contract leaves the order of two bounds open.
type call struct {
	key         string
	polite      bool
	inside      *flight // whose loader makes the call
	cancelled   bool
	parked      bool // its lookup is held
	seen        glimpse
	retained    bool // it has a stale value
	at          int  // in the sequence, of its lookup
	ended       int  // those counts at its lookup
	invalidated int
	flight      *flight // that it waits for
	refreshAt   time.Duration
	legal       []string // nil until it is answered
}

// flight is one load, from the moment that a caller asks for it.
type flight struct {
	key                string
	leader             *call
	waiters            []*call
	wanted             bool // somebody took a stale value and left the refresh running
	began              int  // in the sequence: the flight, then its load
	write, unavailable bool
	condition          condition
	polite             bool // the loader ends when its context does

	over       bool    // answered or given up
	told       *ending // what its callers were told, if it was answered
	superseded bool
	outdated   bool // something newer was recorded
	started    bool
	contextEnd bool // the loader's
	known      bool // the loader has returned with what is being recorded
	back       bool // the loader has returned
	overdue    bool // it runs on past its end

	admitBy, startedAt, endedAt, publishBy time.Duration
	ending                                 ending
}

type failure struct {
	began     int
	condition condition
	until     time.Duration
}

func newModel(policy cacheaside.Policy, p *port) *model {
	return &model{
		policy: policy, port: p, flights: map[string]*flight{}, failures: map[string]failure{},
		invalidated: map[string]int{}, ended: map[string]int{}, looks: map[string]int{},
	}
}

func (m *model) complain(format string, args ...any) {
	if m.fault == "" {
		m.fault = fmt.Sprintf(format, args...)
	}
}

func (m *model) look(key string) glimpse {
	m.looks[key]++
	return m.port.glimpse(key, m.now)
}

// way is what a lookup leads to: to the source, or to an answer.
type way struct {
	text                     string
	load, write, unavailable bool
}

func (m *model) way(g glimpse) way {
	switch g.kind {
	case cacheaside.LookupFresh:
		return way{text: freshText(g)}
	case cacheaside.LookupNegative:
		return way{text: fmt.Sprintf("NegativeHit 0/%d", g.hard)}
	case cacheaside.LookupUnavailable:
		return way{load: true, write: true, unavailable: true}
	case cacheaside.LookupUnusable:
		rule := m.policy.Corrupt
		switch g.entry {
		case cacheaside.EntryRetired, cacheaside.EntryPayload:
			rule = m.policy.Incompatible
		case cacheaside.EntryFuture:
			rule = m.policy.Future
		case cacheaside.EntryCorrupt, cacheaside.EntryOversize, cacheaside.EntryForeign:
		}
		if rule == cacheaside.FailFast {
			return way{text: "Failed entry " + g.entry.String()}
		}
		return way{load: true, write: rule == cacheaside.QuarantineAndReload}
	case cacheaside.LookupStale, cacheaside.LookupMiss:
	}
	return way{load: true, write: true}
}

func freshText(g glimpse) string { return fmt.Sprintf("Fresh %s %d/%d", g.value, g.soft, g.hard) }

// alive are the flights whose callers wait.
func (m *model) alive() int {
	return m.count(func(f *flight) bool { return !f.over })
}

func (m *model) count(that func(*flight) bool) (n int) {
	for _, f := range m.all {
		if that(f) {
			n++
		}
	}
	return n
}

func running(f *flight) bool { return f.started && !f.back }

// gauges are what Stats shows.
func (m *model) gauges() string {
	waiters := 0
	for _, f := range m.all {
		waiters += len(f.waiters)
	}
	overdue := m.count(func(f *flight) bool { return f.overdue && !f.back })
	return fmt.Sprintf("keys %d waiters %d running %d overdue %d failures %d records %d",
		m.alive(), waiters, m.count(running), overdue, len(m.failures), m.records)
}

// idle tells whether nothing is under way but calls that hold no flight.
func (m *model) idle() bool { return len(m.queue) == 0 && m.count(running) == 0 && m.records == 0 }

// due are the moments at which something happens by itself.
func (m *model) due() (moments []time.Duration) {
	for _, f := range m.all {
		switch {
		case slices.Contains(m.queue, f):
			moments = append(moments, f.admitBy)
		case running(f) && (!f.contextEnd || f.over && !f.overdue):
			moments = append(moments, f.startedAt+m.policy.LoadDeadline)
		case f.known && !f.over && f.publishBy > 0:
			moments = append(moments, f.publishBy)
		}
	}
	for _, c := range m.calls {
		if c.flight != nil && c.refreshAt > 0 {
			moments = append(moments, c.refreshAt)
		}
	}
	for _, failure := range m.failures {
		moments = append(moments, failure.until)
	}
	return moments
}

// tied tells whether something that starts now could be due together with something that is pending: all durations are whole milliseconds.
func (m *model) tied() bool {
	return slices.ContainsFunc(m.due(), func(t time.Duration) bool { return (t-m.now)%time.Millisecond == 0 })
}
