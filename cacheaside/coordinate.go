package cacheaside

import (
	"encoding/binary"
	"io"
	"time"
)

const (
	firstPoll = 10 * time.Millisecond
	lastPoll  = 100 * time.Millisecond

	// recordTimeUnknown stands in for the time limit of a record that a cache does not tell.
	recordTimeUnknown = time.Second

	// refillsInARow is how often a flight looks again at once where it is told that the entry has changed. Past that it waits as if it were held, so
	// that an entry that changes all the time costs no more than one that is being loaded.
	refillsInARow = 2
)

// leaseOf is how long a grant must live at least: nobody renews it, and what was loaded under it has to be recorded before another takes over.
func leaseOf(policy Policy, lives Lifetimes) time.Duration {
	record := lives.Record
	if record == 0 {
		record = recordTimeUnknown
	}
	return policy.AdmissionWait + policy.LoadDeadline + 2*record
}

// heldWaitOf is how long a flight waits for other processes: by default two grants, so that it sees the second one out where a holder died.
func heldWaitOf(policy Policy, lease time.Duration) time.Duration {
	switch policy.HeldWait {
	case 0:
		return 2 * lease
	case DontWait:
		return 0
	}
	return policy.HeldWait
}

// coordinate makes the flight the one of its fleet that loads its key, or sees another's load out. It returns false where the flight has ended: by
// what another process recorded, by a refusal, or since nobody wants it any more. Where the store gives no answer, the load goes on within the
// bounds of this process, and is not recorded.
func (r *Region[K, V]) coordinate(f *flight[K, V]) bool {
	if r.fencer == nil {
		return true
	}
	begun := r.begin()
	goOn, last := r.seekGrant(f)
	if r.observer != nil && last != 0 {
		r.emit(Event{Kind: EventAcquire, Grant: last, Duration: r.clock.Since(begun)})
	}
	return goOn
}

func (r *Region[K, V]) seekGrant(f *flight[K, V]) (goOn bool, last GrantKind) {
	request := r.newRequest()
	until := r.clock.Now().Add(r.heldWait)
	poll := firstPoll
	for refills := 0; ; {
		grant, asked := r.acquire(f, request)
		if !asked {
			return r.stillWanted(f), last
		}
		last = grant.Kind
		pause := r.spread(request, poll)
		switch last {
		case GrantGranted:
			return r.stillWanted(f), last
		case GrantAlreadyFilled:
			if refills++; refills <= refillsInARow {
				if r.recheckEnds(f) {
					return false, last
				}
				continue
			}
		case GrantHeld:
			refills = 0
			f.tellHeld()
			pause = min(pause, max(grant.Remaining, 0)+time.Millisecond)
		case GrantUnavailable, GrantIndeterminate:
			return r.stillWanted(f), last
		}
		left := until.Sub(r.clock.Now())
		if left > 0 && !r.pause(f, min(pause, left)) {
			return false, last
		}
		// After the pause and not before it: an entry that changes more often than that would never be what was seen of it.
		if last == GrantAlreadyFilled && r.recheckEnds(f) {
			return false, last
		}
		if left <= 0 {
			return r.heldOut(f), last
		}
		poll = min(2*poll, lastPoll)
	}
}

// acquire asks once. It returns false if there is nothing to ask for: the flight is over, or what it loads is not to be recorded.
func (r *Region[K, V]) acquire(f *flight[K, V], request RequestID) (Grant, bool) {
	for {
		seen, ok := r.beginAcquire(f)
		if !ok {
			return Grant{}, false
		}
		grant := r.askForGrant(f, request, seen)
		if !r.endAcquire(f, request, grant) {
			return grant, true
		}
	}
}

// beginAcquire counts the question like a second lookup: callers who leave meanwhile must not make more of them than there may be flights.
func (r *Region[K, V]) beginAcquire(f *flight[K, V]) (seen Observation, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.over || f.superseded || !f.step.write || f.step.unavailable {
		return "", false // a grant of a superseded flight would be of no use, and would hold back those that come after the invalidation
	}
	f.looking, f.overtaken, f.granted = true, false, false
	return f.condition.Observation, true
}

// endAcquire keeps what is to be given back one day. It returns true if the question must be put again: a caller who has joined meanwhile saw an
// invalidation that the grant may be from before, and then what is loaded under it could not be recorded.
func (r *Region[K, V]) endAcquire(f *flight[K, V], request RequestID, grant Grant) (again bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lookedLocked(f)
	switch grant.Kind {
	case GrantGranted:
		f.fence, f.granted, f.owing = grant.Fence, true, true
		again = f.overtaken && !f.over
	case GrantIndeterminate:
		f.fence, f.owing = Fence{Request: request}, true
	case GrantHeld, GrantAlreadyFilled, GrantUnavailable:
	}
	f.overtaken = false
	return again
}

func (r *Region[K, V]) askForGrant(f *flight[K, V], request RequestID, seen Observation) (grant Grant) {
	returned := false
	defer func() {
		if thrown := recover(); thrown != nil {
			grant = Grant{Kind: GrantIndeterminate, Err: ErrCachePanicked}
		} else if !returned {
			r.endAcquire(f, request, Grant{Kind: GrantIndeterminate}) // it exits the goroutine, after which nobody would
		}
	}()
	grant = r.fencer.Acquire(f.values, f.key, request, seen, r.lease)
	returned = true
	if grant.Kind < GrantGranted || grant.Kind > GrantIndeterminate {
		grant.Kind = GrantIndeterminate // of a broken cache
	}
	return grant
}

func (r *Region[K, V]) stillWanted(f *flight[K, V]) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !f.over
}

// heldOut ends the wait for other processes.
func (r *Region[K, V]) heldOut(f *flight[K, V]) bool {
	if r.policy.Held == HeldLoad {
		return r.stillWanted(f)
	}
	r.publish(f, r.refusal(r.rejected(ReasonHeld, nil)))
	return false
}

// pause waits on the region's clock. It returns false if the flight was given up.
func (r *Region[K, V]) pause(f *flight[K, V], wait time.Duration) bool {
	over := make(chan struct{})
	timer := r.clock.AfterFunc(wait, func() { close(over) })
	defer timer.Stop()
	select {
	case <-over:
		return true
	case <-f.abandoned:
		return false
	}
}

// newRequest draws the name of a request. Where the region's randomness fails, which the system's does not, requests are told apart by nothing, and
// the store by its tokens alone.
func (r *Region[K, V]) newRequest() (request RequestID) {
	_, _ = io.ReadFull(r.random, request[:])
	return request
}

// spread draws a wait of half to one and a half times the given one, so that the processes that wait for one load do not ask in step. The luck
// is that of the request.
func (r *Region[K, V]) spread(request RequestID, wait time.Duration) time.Duration {
	return time.Duration(float64(wait) * (0.5 + float64(binary.BigEndian.Uint16(request[:2]))/(1<<16)))
}

// tellHeld lets callers with a stale value go, once. It is called by the flight's own goroutine alone.
func (f *flight[K, V]) tellHeld() {
	select {
	case <-f.held:
	default:
		close(f.held)
	}
}

// recorded tells whether what f loads may be recorded at all: not if the entry that was found must stay, and in a fleet not without a grant.
func (r *Region[K, V]) recorded(f *flight[K, V]) bool {
	return f.step.write && (r.fencer == nil || f.granted)
}

// giveFenceBack ends the grant of a flight whose load came to nothing or was not recorded, unless its loader still runs and may yet bring a result, or
// has brought one so late that it is the loader's goroutine that records it, and gives back what is left then. Releases that hang in the store are
// bounded like records: past the bound the grant runs out by itself.
func (r *Region[K, V]) giveFenceBack(f *flight[K, V], recordedLate bool) {
	r.mu.Lock()
	due := f.owing && (!f.started || f.back && f.late == recordedLate) && r.state.records < 2*r.policy.MaxInFlightKeys
	if due {
		f.owing = false
		r.state.records++
	}
	r.mu.Unlock()
	if !due {
		return
	}
	defer r.endRecord()
	defer func() {
		// A cache that panics here has lost its own grant for a lease; nobody waits for this.
		_ = recover()
	}()
	r.fencer.Release(f.values, f.key, f.fence)
}
