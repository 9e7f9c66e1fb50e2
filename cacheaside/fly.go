package cacheaside

import (
	"errors"
	"time"

	"github.com/cacheaside/resilience/internal/bulkhead"
)

// launch hands the flight to singleflight, which elects: the id is the flight's own, so an old flight can never be joined, forgotten or ended in
// the name of a newer one of its key. The result comes through the flight's own channel.
func (r *Region[K, V]) launch(f *flight[K, V]) {
	r.group.DoChan(f.id, func() (any, error) {
		r.fly(f)
		return nil, nil
	})
}

// fly is the course of one flight, in a goroutine of its own: look once more, get the fleet's grant, take a permit, run the loader, record, publish.
// It ends at the load deadline at the latest, but for the record, which has its own limit.
func (r *Region[K, V]) fly(f *flight[K, V]) {
	defer r.disown()
	defer r.giveFenceBack(f, false)
	defer r.publishAnyway(f)

	if f.recheck && r.recheckEnds(f) {
		return
	}
	if !r.coordinate(f) {
		return
	}
	permit, err := r.bulkhead.Acquire(r.policy.AdmissionWait, f.abandoned)
	if err != nil {
		if errors.Is(err, bulkhead.ErrTimeout) {
			r.publish(f, r.refusal(r.rejected(ReasonAdmissionTimeout, nil)))
		}
		return
	}
	if !r.start(f) {
		permit.Release()
		return
	}
	f.deadline = r.clock.AfterFunc(r.policy.LoadDeadline, func() { r.deadlinePassed(f) })
	go r.runLoader(f, permit)
	select {
	case <-f.returned:
	case <-f.context.Done():
		if r.release(f) {
			return
		}
	}
	r.land(f)
}

// recheckEnds looks once more where a flight of the key ended since the leader's lookup: what that one recorded is an answer, and what the leader
// saw is no condition any more. It is no answer to callers who began after that lookup did and saw a tombstone: they are answered by the load.
func (r *Region[K, V]) recheckEnds(f *flight[K, V]) bool {
	if !r.lookingAgain(f) {
		return true
	}
	found := r.lookup(f.values, f.key)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lookedLocked(f)
	if f.over {
		return true
	}
	if found.Kind == LookupUnavailable {
		// What was seen before justifies its condition still; but the store is in trouble, and has cost the callers one time limit already.
		f.step.unavailable = true
		return false
	}
	if f.overtaken {
		return false
	}
	next := decide(found.Kind, found.Entry, found.Observation != "", r.policy)
	switch next.action {
	case actionAnswer:
		r.publishLocked(f, ending[V]{
			status: StatusFresh, value: found.Value, revision: found.Revision, soft: found.SoftExpiresAt, hard: found.HardExpiresAt,
		})
		return true
	case actionAbsence:
		r.publishLocked(f, ending[V]{status: StatusNegativeHit, err: r.absent("", true), hard: found.HardExpiresAt})
		return true
	case actionRefuse:
		r.publishLocked(f, ending[V]{status: StatusFailed, err: &EntryError{Region: r.name, Kind: found.Entry}})
		return true
	case actionLoad:
	}
	f.step, f.condition, f.generation = next, conditionFor(next, found.Observation), found.Generation
	return false
}

// lookingAgain begins a second lookup, unless everybody has left. What callers saw before it does not overtake it.
func (r *Region[K, V]) lookingAgain(f *flight[K, V]) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case f.over:
		r.lookedLocked(f)
		return false
	case !f.looking:
		f.looking, f.overtaken = true, false
	}
	return true
}

// start counts the loader as running, unless everybody left between the grant of the permit and now.
func (r *Region[K, V]) start(f *flight[K, V]) bool {
	now := r.clock.Now()
	var deadline time.Time
	if r.realClock {
		deadline = now.Add(r.policy.LoadDeadline)
	}
	link := &chainLink{region: r, key: f.canonical, parent: f.chain}
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.over {
		return false
	}
	f.started, f.startedAt, f.number = true, now, r.endings.begin(f.index)
	f.context = newLoadContext(f.values, deadline, link)
	r.state.running++
	r.ownLocked()
	return true
}

// deadlinePassed ends the load. One that was abandoned before is overdue from now on.
func (r *Region[K, V]) deadlinePassed(f *flight[K, V]) {
	r.mu.Lock()
	if f.cancelled && !f.overdue && !f.back {
		r.overdueLocked(f)
	}
	r.mu.Unlock()
	f.context.end(ReasonLoadDeadline)
}

// release ends the wait of a flight whose load the library has ended: unless the loader has returned by now, its callers are let go and the loader
// is overdue, in one step. It returns false if there is an outcome to land.
func (r *Region[K, V]) release(f *flight[K, V]) bool {
	reason, _ := f.context.ended()
	r.mu.Lock()
	if f.known {
		r.mu.Unlock()
		return false
	}
	if !f.over {
		f.endedAt = f.startedAt.Add(r.policy.LoadDeadline)
		if reason != ReasonLoadDeadline {
			f.endedAt = r.clock.Now()
		}
		r.overdueLocked(f)
		r.publishLocked(f, r.refusal(r.rejected(reason, nil)))
	}
	r.mu.Unlock()
	if r.observer != nil {
		r.emit(Event{Kind: EventOverdue, Reason: reason})
	}
	return true
}
