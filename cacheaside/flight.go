package cacheaside

import (
	"context"
	"time"

	"github.com/benbjohnson/clock"
)

// flight is one load and its waiters. Its creator is the leader. Everybody waits on the flight's own channel: singleflight keeps a channel for
// every caller that left, which a blocked flight with a million impatient callers cannot afford.
type flight[K comparable, V any] struct {
	// Written once, before the flight can be seen.
	key       K
	canonical string
	id        string // unique for ever, so that nothing that belongs to an old flight can touch a newer one of its key
	index     int    // of the key's counter in endings
	load      Loader[K, V]
	values    context.Context //nolint:containedctx // what the load may see of its first caller's; never done
	chain     *chainLink      // the loads that the first caller runs inside of
	recheck   bool            // a flight of this key ended between the leader's lookup and its election

	// Guarded by the region's lock until the loader starts, not written from then on.
	step       step
	condition  Condition
	number     uint64     // of the flight, then of its load, among those of the key's hash
	generation Generation // of what was looked up for it
	granted    bool       // this process is the one of its fleet that loads the key
	fence      Fence      // what proves that

	deadline *clock.Timer // written by the flight's own goroutine alone, before the loader starts

	done      chan struct{} // closed when ending may be read
	abandoned chan struct{} // closed when nobody is left before the loader started
	returned  chan struct{} // closed when the loader has returned and its permit is back
	held      chan struct{} // closed when another process is known to load the key; nil where nobody would know

	// Guarded by the region's lock.
	leading    bool // the leader still waits
	waiters    int
	wanted     bool         // a caller took its stale value and left the refresh running: nobody waits, but it is not abandoned
	looking    bool         // the second lookup is on, or yet to come
	overtaken  bool         // somebody waits who saw what is newer than that lookup may be
	started    bool         // the loader was started
	overdue    bool         // the loader runs on past its deadline
	superseded bool         // an invalidation came: its result is answered to those who wait, and not recorded
	outdated   bool         // a newer load of the key recorded: a late result is not
	over       bool         // published or abandoned
	cancelled  bool         // abandoned after the loader started, which may run on without callers
	back       bool         // the loader has returned
	late       bool         // and the flight was over by then
	published  bool         // ending is final
	known      bool         // the loader returned in time for somebody: ending may be read under the lock
	context    *loadContext // of a started loader
	startedAt  time.Time
	endedAt    time.Time // when an overdue load's time was up
	owing      bool      // the fence is to be given back
	ending     ending[V]
}

// role is what a caller is to a flight.
type role uint8

const (
	roleLeader role = iota + 1
	roleWaiter      // counted
	rolePasser      // has a stale value, takes it at once and does not wait
	roleRefused
)

// call is one Get on its way to the source.
type call[K comparable, V any] struct {
	key       K
	load      Loader[K, V]
	canonical string
	index     int
	seen      uint64 // the key's counter before the first lookup
	earlier   uint64 // the flights and loads of the key's hash that had begun before the first lookup
	found     Lookup[V]
	step      step
	values    context.Context //nolint:containedctx // what a load for this call may see
	chain     *chainLink      // the loads that the call runs inside of
}

// join finds or creates the flight of the call's key, checks every bound and counts the caller, in one step and without blocking. It starts
// nothing. A refusal changes nothing, but for what an invalidation by another process has overtaken.
func (r *Region[K, V]) join(c *call[K, V], patient bool) (*flight[K, V], role, *RejectedError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.closed {
		return nil, roleRefused, r.rejected(ReasonClosed, nil)
	}
	if c.found.Generation != 0 {
		r.state.generation = c.found.Generation
	}
	if f := r.state.flights[c.canonical]; f != nil && !r.overtakenLocked(f, c) {
		switch {
		case !patient:
			f.wanted = true
			return f, rolePasser, nil
		case f.waiters >= r.policy.MaxWaitersPerKey:
			return nil, roleRefused, r.rejected(ReasonWaitersFull, nil)
		}
		f.waiters++
		r.state.waiters++
		return f, roleWaiter, nil
	}
	if reason := r.mayStartLocked(c.canonical); reason != 0 {
		return nil, roleRefused, r.rejected(reason, nil)
	}
	if remembered := r.state.failures[c.canonical]; remembered != nil && !r.overtakesFailureLocked(remembered, c) {
		return nil, roleRefused, r.rejected(ReasonSourceBackoff, remembered.cause)
	}
	if r.state.alive >= r.policy.MaxInFlightKeys {
		return nil, roleRefused, r.rejected(ReasonKeysFull, nil)
	}
	f := &flight[K, V]{
		key: c.key, canonical: c.canonical, id: r.nextIDLocked(c.canonical), index: c.index, load: c.load,
		values: c.values, chain: c.chain,
		recheck: r.endings.anySince(c.index, c.seen),
		step:    c.step, condition: conditionFor(c.step, c.found.Observation), number: r.endings.begin(c.index),
		generation: r.state.generation, // what is loaded from now on is of that one at least
		done:       make(chan struct{}), abandoned: make(chan struct{}), returned: make(chan struct{}),
		leading: patient, wanted: !patient,
	}
	f.looking = f.recheck
	if r.fencer != nil {
		f.held = make(chan struct{})
	}
	r.state.flights[c.canonical] = f
	r.state.alive++
	r.ownLocked()
	return f, roleLeader, nil
}

// lead makes a caller who wanted to leave with a stale value the leader of the flight that it began, after all. It returns false if the flight has been
// given up.
func (r *Region[K, V]) lead(f *flight[K, V]) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.leading = !f.over
	return !f.over || f.published
}

// conditionFor is the condition that a lookup justifies: whoever could not look may only fill an absent key.
func conditionFor(next step, seen Observation) Condition {
	if next.unavailable {
		return Condition{}
	}
	return Condition{Observation: seen}
}

// leave takes a caller whose wait is over out of the flight, and gives the flight up if nobody is left who wants it. It returns false, with the
// caller still to be answered from the ending, if the flight's result is known already. refreshing says that the caller leaves with its stale
// value and wants the refresh to go on.
func (r *Region[K, V]) leave(f *flight[K, V], as role, refreshing bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.published {
		return false
	}
	if as == roleLeader {
		f.leading = false
	} else {
		f.waiters--
		r.state.waiters--
	}
	if f.known {
		return false
	}
	f.wanted = f.wanted || refreshing
	r.giveUpLocked(f)
	return true
}

// giveUpLocked ends a flight that nobody waits for, where the policy or an invalidation says that its result is not wanted either. Giving up,
// removing the entry and cancelling are one step, so that the next caller starts a flight of its own instead of joining a dying one.
func (r *Region[K, V]) giveUpLocked(f *flight[K, V]) {
	if f.over || f.leading || f.waiters > 0 || f.wanted && !f.superseded {
		return
	}
	switch {
	case !f.started:
		// The source has not been asked: a caller that left runs no load.
		f.over = true
		r.forgetLocked(f)
		if !f.looking {
			r.state.alive--
		}
		close(f.abandoned)
	case !f.known && f.superseded:
		r.abandonLocked(f, ReasonSuperseded)
	case !f.known && r.policy.CancelAbandoned:
		r.abandonLocked(f, 0)
	}
}

// lookedLocked ends the second lookup of a flight. Nothing can end it early, so that a flight that everybody left stays counted until then: callers
// who leave at once must not make more lookups than there may be flights.
func (r *Region[K, V]) lookedLocked(f *flight[K, V]) {
	if f.looking && f.over && !f.published {
		r.state.alive--
	}
	f.looking = false
}

// abandonLocked cancels a load that nobody wants. Its loader keeps its permit until it returns, and is overdue if it has not by its deadline.
func (r *Region[K, V]) abandonLocked(f *flight[K, V], reason Reason) {
	f.over, f.cancelled = true, true
	f.endedAt = r.clock.Now()
	r.state.alive--
	r.detachLocked(f)
	f.context.end(reason)
}
