package cacheaside

import (
	"runtime"
	"runtime/debug"
	"time"

	"github.com/cacheaside/resilience/internal/bulkhead"
)

// runLoader runs the loader in a goroutine of its own and brings its outcome home, whatever way it ends: by returning, by a panic, by exiting the
// goroutine, in time or long after everybody left.
func (r *Region[K, V]) runLoader(f *flight[K, V], permit *bulkhead.Permit) {
	defer r.disown()
	outcome := SourceOutcome[V]{kind: outcomeExited, err: ErrLoaderExited}
	defer func() { r.loaderEnded(f, permit, outcome) }()
	outcome = r.callLoader(f)
}

func (r *Region[K, V]) callLoader(f *flight[K, V]) (outcome SourceOutcome[V]) {
	returned := false
	defer func() {
		if thrown := recover(); thrown != nil {
			outcome = panicOutcome[V](newLoaderPanic(thrown))
		} else if !returned {
			// A panic with nil, in a program that still allows it; or an exit, after which nobody is left to read this.
			outcome = panicOutcome[V](newLoaderPanic(new(runtime.PanicNilError)))
		}
	}()
	outcome = f.load(f.context, f.key)
	returned = true
	return outcome
}

func panicOutcome[V any](panicked *LoaderPanic) SourceOutcome[V] {
	return SourceOutcome[V]{kind: outcomePanicked, err: panicked}
}

func newLoaderPanic(thrown any) *LoaderPanic {
	return &LoaderPanic{Value: thrown, Stack: debug.Stack()}
}

// loaderEnded gives the permit back and hands what the loader's outcome means to the flight, or, where the flight is over, deals with it here.
func (r *Region[K, V]) loaderEnded(f *flight[K, V], permit *bulkhead.Permit, outcome SourceOutcome[V]) {
	f.context.link.returned.Store(true)
	now := r.clock.Now()
	f.deadline.Stop()
	reason, ended := f.context.ended()
	if !ended {
		reason = ReasonLoadDeadline
	}
	known := r.interpret(outcome, reason, ended || now.Sub(f.startedAt) >= r.policy.LoadDeadline)
	r.mu.Lock()
	r.state.running--
	f.back = true
	permit.Release() // never blocks, and whoever is answered below may call again at once
	late := f.over
	f.late = late
	alone := !f.leading && f.waiters == 0
	if late {
		r.forgetLocked(f)
	} else {
		r.knowLocked(f, known)
	}
	r.mu.Unlock()
	f.context.end(0) // what the loader has left waiting for it ends too
	close(f.returned)

	if late {
		r.recordLate(f, outcome, now)
	}
	if r.observer == nil {
		return
	}
	event := Event{Kind: EventLoad, Source: sourceKind(outcome.kind), Code: r.codes.fold(outcome.code), Late: late, Duration: now.Sub(f.startedAt)}
	if alone && known.panicked != nil {
		event.Stack = string(known.panicked.Stack)
	}
	r.emit(event)
}

// recordLate keeps finished work that came too late for its callers, under its original condition, where nothing has happened since that it could
// undo, and no longer than if it had come in time.
func (r *Region[K, V]) recordLate(f *flight[K, V], outcome SourceOutcome[V], now time.Time) {
	defer r.giveFenceBack(f, true)
	result := r.interpret(outcome, 0, false)
	if !result.recordable() || !r.recorded(f) || now.Sub(f.endedAt) > r.policy.LoadDeadline {
		return
	}
	r.mu.Lock()
	refused := f.superseded || f.outdated || r.state.closed || !r.reserveRecordLocked(f)
	r.mu.Unlock()
	if refused {
		return
	}
	defer r.endRecord()
	entry := entryOf(f, result)
	entry.LoadedAt = f.endedAt
	recorded, took := r.record(f, entry)
	r.tellRecord(recorded, took, true)
}
