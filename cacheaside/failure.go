package cacheaside

// rememberLocked remembers a key's transient failure for FailureBackoff. At most MaxInFlightKeys keys are remembered; past that the failure is
// told and not remembered, which costs calls of the source and no memory.
func (r *Region[K, V]) rememberLocked(f *flight[K, V], cause error) {
	canonical := f.canonical
	if r.policy.FailureBackoff == 0 || r.state.closed {
		return
	}
	r.forgetFailureLocked(canonical)
	if len(r.state.failures) >= r.policy.MaxInFlightKeys {
		return
	}
	remembered := &failure{cause: cause, number: f.number, condition: f.condition, generation: f.generation}
	r.state.failures[canonical] = remembered
	// The timer is made under the lock, which its function takes: it cannot fire before it is known.
	remembered.timer = r.clock.AfterFunc(r.policy.FailureBackoff, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.state.failures[canonical] == remembered {
			delete(r.state.failures, canonical)
		}
	})
}

func (r *Region[K, V]) forgetFailureLocked(canonical string) {
	if remembered := r.state.failures[canonical]; remembered != nil {
		remembered.timer.Stop()
		delete(r.state.failures, canonical)
	}
}
