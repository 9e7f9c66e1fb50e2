package cacheaside

import "context"

// Close refuses new loads ([ReasonClosed]), waits for the running ones, overdue ones included, and drops results that come after their flight.
// Hits are still served, and Invalidate still works. If ctx ends first, the loads that still run are told to end, their callers get
// [ReasonClosed], and Close returns a [*CancelledError]. It is idempotent and safe for concurrent use; every call waits.
func (r *Region[K, V]) Close(ctx context.Context) error {
	if err := checkCall(ctx, r, true); err != nil {
		return err
	}
	r.mu.Lock()
	r.state.closed = true
	for canonical := range r.state.failures {
		r.forgetFailureLocked(canonical)
	}
	r.idleLocked()
	r.mu.Unlock()
	select {
	case <-r.state.idle:
		return nil
	case <-ctx.Done():
	}
	select {
	case <-r.state.idle:
		return nil
	default:
	}
	r.endLoads()
	return newCancelledError(r.name, ctx.Err(), context.Cause(ctx))
}

func (r *Region[K, V]) endLoads() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.state.flights {
		r.endLoadLocked(f)
	}
	for _, group := range r.state.detached {
		for f := range group.flights {
			r.endLoadLocked(f)
		}
	}
}

// endLoadLocked also answers the callers of a load that has not started, which would otherwise start after Close has returned.
func (r *Region[K, V]) endLoadLocked(f *flight[K, V]) {
	switch {
	case f.over:
	case f.started:
		f.context.end(ReasonClosed)
	default:
		r.publishLocked(f, r.refusal(r.rejected(ReasonClosed, nil)))
		close(f.abandoned)
	}
}
