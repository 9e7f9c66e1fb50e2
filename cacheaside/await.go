package cacheaside

import (
	"context"
	"fmt"
)

// await waits for the flight's ending on the caller's own context, and no longer than the caller with a stale value wants to wait for its refresh.
func (r *Region[K, V]) await(ctx context.Context, c *call[K, V], f *flight[K, V], as role) (Result[V], error) {
	refresh, stop := r.refreshTimer(c)
	defer stop()
	var held <-chan struct{}
	if c.step.retain && r.policy.ServeStale.OnHeld {
		held = f.held
	}
	for {
		select {
		case <-f.done:
			return r.answer(ctx, c, f, f.ending, as != roleLeader)
		case <-ctx.Done():
			if r.leave(f, as, false) {
				return r.cancelled(ctx)
			}
			return r.answer(ctx, c, f, r.endingOf(f), as != roleLeader)
		case <-refresh:
			refresh = nil
			if result, ok, err := r.leaveWithStale(ctx, c, f, as, ReasonRefreshPending); ok {
				return result, err
			}
		case <-held:
			held = nil
			if r.loadsItself(f) {
				continue // the other's grant has ended since
			}
			if result, ok, err := r.leaveWithStale(ctx, c, f, as, ReasonHeld); ok {
				return result, err
			}
		}
	}
}

// loadsItself tells whether this process is by now the one of its fleet that loads the flight's key.
func (r *Region[K, V]) loadsItself(f *flight[K, V]) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return f.granted
}

// leaveWithStale lets a caller go with its retained value while the flight goes on. It returns false if the value is over: then the caller waits on.
func (r *Region[K, V]) leaveWithStale(
	ctx context.Context, c *call[K, V], f *flight[K, V], as role, why Reason,
) (result Result[V], gone bool, err error) {
	if result, gone = r.stale(ctx, c, f, r.rejected(why, nil)); !gone || r.leave(f, as, true) {
		return result, gone, nil
	}
	result, err = r.answer(ctx, c, f, r.endingOf(f), as != roleLeader)
	return result, true, err
}

// endingOf reads the ending of a flight whose result is known, though its record may still be running.
func (r *Region[K, V]) endingOf(f *flight[K, V]) ending[V] {
	r.mu.Lock()
	defer r.mu.Unlock()
	return f.ending
}

// refreshTimer gives the channel that ends the wait of a caller with a stale value; nil, which never ends it, for everybody else.
func (r *Region[K, V]) refreshTimer(c *call[K, V]) (<-chan struct{}, func()) {
	if !c.step.retain || r.policy.ServeStale.RefreshWait <= 0 {
		return nil, func() {}
	}
	refresh := make(chan struct{})
	timer := r.clock.AfterFunc(r.policy.ServeStale.RefreshWait, func() { close(refresh) })
	return refresh, func() { timer.Stop() }
}

// answer gives one caller its own result of an ending that it may share with others. f is the flight that it waited for, nil if none would take it.
func (r *Region[K, V]) answer(ctx context.Context, c *call[K, V], f *flight[K, V], e ending[V], shared bool) (Result[V], error) {
	if r.policy.ServeStale.accept(e.excuse) {
		if result, ok := r.stale(ctx, c, f, e.err); ok {
			return result, nil
		}
	}
	if e.panicked != nil {
		return Result[V]{Status: StatusFailed, Shared: shared}, &thrownPanic{e.panicked}
	}
	result := Result[V]{
		Status: e.status, Revision: e.revision, Record: e.record, SoftExpiresAt: e.soft, HardExpiresAt: e.hard, Shared: shared,
	}
	if e.err == nil {
		result.Value = e.value
		if r.clone != nil {
			result.Value = r.clone(e.value)
		}
	}
	return result, e.err
}

func (r *Region[K, V]) cancelled(ctx context.Context) (Result[V], error) {
	return Result[V]{Status: StatusCancelled}, newCancelledError(r.name, ctx.Err(), context.Cause(ctx))
}

// checkCall refuses what would panic later, in a goroutine where nobody could catch it.
func checkCall[K comparable, V any](ctx context.Context, region *Region[K, V], loads bool) error {
	switch {
	case ctx == nil:
		return &FieldError{Field: "ctx", Value: "nil", Rule: "is required"}
	case region == nil || region.cache == nil:
		return &FieldError{Field: "region", Value: fmt.Sprintf("%T", region), Rule: "must be made by NewRegion"}
	case !loads:
		return &FieldError{Field: "load", Value: "nil", Rule: "is required"}
	}
	return nil
}
