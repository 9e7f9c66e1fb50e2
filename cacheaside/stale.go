package cacheaside

import "context"

// excuse is the kind of trouble that a stale value may answer for, if the policy opted in.
type excuse uint8

const (
	excuseNone excuse = iota
	excuseTransient
	excuseRejected
	excuseDeadline
	excuseHeld
)

// excuseOf sorts the bounds under the rules: a remembered failure is still the failure, an overdue load still the deadline. A re-entrant call is a
// fault of the program and a stale answer would hide it.
func excuseOf(reason Reason) excuse {
	switch reason {
	case ReasonKeysFull, ReasonWaitersFull, ReasonAdmissionTimeout, ReasonClosed, ReasonSuperseded:
		return excuseRejected
	case ReasonLoadDeadline, ReasonOverdue:
		return excuseDeadline
	case ReasonSourceBackoff:
		return excuseTransient
	case ReasonHeld:
		return excuseHeld
	case ReasonReentrant, ReasonRefreshPending:
	}
	return excuseNone
}

func (s StaleRules) accept(e excuse) bool {
	switch e {
	case excuseTransient:
		return s.OnTransient
	case excuseRejected:
		return s.OnRejected
	case excuseDeadline:
		return s.OnDeadline
	case excuseHeld:
		return s.OnHeld || s.OnRejected
	case excuseNone:
	}
	return false
}

// answerable tells whether the caller's retained value is still before its hard expiry, at this moment.
func (r *Region[K, V]) answerable(c *call[K, V]) bool {
	return c.step.retain && r.clock.Now().Before(c.found.HardExpiresAt)
}

// stale answers the caller's own retained value for why, unless its hard expiry has come. The value belongs to the caller who looked it up: a
// flight never has one, and callers without one get the failure.
func (r *Region[K, V]) stale(ctx context.Context, c *call[K, V], f *flight[K, V], why error) (Result[V], bool) {
	if c.step.retain && r.endings.invalidatedSince(c.index, c.seen) {
		if r.lookAgain(ctx, c, f); c.found.Kind == LookupFresh {
			return freshResult(c.found), true
		}
	}
	if !r.answerable(c) {
		return Result[V]{}, false
	}
	return Result[V]{
		Value: c.found.Value, Status: StatusStale, Revision: c.found.Revision, Cause: why,
		SoftExpiresAt: c.found.SoftExpiresAt, HardExpiresAt: c.found.HardExpiresAt,
	}, true
}

// lookAgain makes sure that an invalidation which came since the lookup was another key's before the retained value is answered. A cache that
// cannot be asked says nothing: then the value stays, unless the very flight that the caller waited for was superseded.
func (r *Region[K, V]) lookAgain(ctx context.Context, c *call[K, V], f *flight[K, V]) {
	seen := r.endings.seen(c.index)
	found := r.lookup(ctx, c.key)
	switch {
	case found.Kind == LookupStale || found.Kind == LookupFresh:
		c.found, c.seen = found, seen
	case found.Kind != LookupUnavailable || r.isSuperseded(f):
		c.step.retain = false
	}
}

func (r *Region[K, V]) isSuperseded(f *flight[K, V]) bool {
	if f == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return f.superseded
}
