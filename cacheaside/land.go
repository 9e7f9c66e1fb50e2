package cacheaside

// land records a result and publishes it. The permit is back already.
func (r *Region[K, V]) land(f *flight[K, V]) {
	result := f.ending
	if !result.recordable() || !r.recorded(f) {
		return // published when the loader returned
	}
	if f.step.unavailable {
		r.landUnavailable(f, result)
		return
	}
	pending := result
	result.record = RecordOutcome{}
	if refused := r.landing(f); refused != 0 {
		result.record = RecordOutcome{Certainty: RecordNotApplied, Reason: refused}
		r.publish(f, result)
		return
	}
	defer r.endRecord()
	if r.policy.RecordWait == 0 {
		r.publish(f, pending)
	} else {
		timer := r.clock.AfterFunc(r.policy.RecordWait, func() { r.publish(f, pending) })
		defer timer.Stop()
	}
	recorded, took := r.record(f, entryOf(f, result))
	result.record = recorded
	r.publish(f, result)
	r.tellRecord(recorded, took, false)
}

// landUnavailable releases the callers first: the lookup has cost them one time limit already, and the record may cost another.
func (r *Region[K, V]) landUnavailable(f *flight[K, V], result ending[V]) {
	r.publish(f, result)
	r.mu.Lock()
	refused := f.superseded || !r.reserveRecordLocked(f)
	r.mu.Unlock()
	if refused {
		return
	}
	defer r.endRecord()
	recorded, took := r.record(f, entryOf(f, result))
	r.tellRecord(recorded, took, true)
}

// knowLocked takes the ending of a loader that returned. What is not to be recorded is published in this very step, so that nobody joins a load
// that has failed already. A result that is to be recorded is known from now on: a caller whose context ends meanwhile is not cancelled any more.
func (r *Region[K, V]) knowLocked(f *flight[K, V], known ending[V]) {
	f.known = true
	if !known.recordable() || !r.recorded(f) {
		if known.recordable() && f.step.write {
			known.record = RecordOutcome{Certainty: RecordNotApplied, Reason: RecordUnfenced}
		}
		r.publishLocked(f, known)
		return
	}
	f.ending = known
	if !f.step.unavailable {
		f.ending.record = RecordOutcome{Certainty: RecordIndeterminate, Reason: RecordPending}
	}
}

// landing counts the record, or returns why it must not be made.
func (r *Region[K, V]) landing(f *flight[K, V]) RecordReason {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.superseded {
		return RecordSuperseded
	}
	if !r.reserveRecordLocked(f) {
		return RecordNeverSent
	}
	return 0
}

// reserveRecordLocked counts a record and makes the key's older loads outdated. Records that hang in the store are bounded, like everything else:
// past the bound no more are made.
func (r *Region[K, V]) reserveRecordLocked(f *flight[K, V]) bool {
	if r.state.records >= 2*r.policy.MaxInFlightKeys {
		return false
	}
	r.state.records++
	if group := r.state.detached[f.canonical]; group != nil {
		for other := range group.flights {
			if other != f {
				other.outdated = true
			}
		}
	}
	return true
}

func (r *Region[K, V]) endRecord() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.records--
}

// entryOf is what a flight records of an ending.
func entryOf[K comparable, V any](f *flight[K, V], result ending[V]) Entry[V] {
	return Entry[V]{Negative: result.status == StatusAbsent, Value: result.value, Revision: result.revision, Generation: f.generation}
}

// publish ends the flight: in one step the ending can be read, the entry is gone, the failure is remembered and the bounds are free again. Only
// the first call of a flight has any effect. It tells whether nobody was left to be answered.
func (r *Region[K, V]) publish(f *flight[K, V], result ending[V]) (alone bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.publishLocked(f, result)
}

// publishAnyway is the flight's last act. It leaves nobody waiting, whatever happened on the way: a cache may exit the goroutine. A result that is
// known by then is answered. And it lets nothing that was thrown on the way end the process.
func (r *Region[K, V]) publishAnyway(f *flight[K, V]) {
	last := ending[V]{status: StatusFailed, err: ErrCacheExited}
	if thrown := recover(); thrown != nil {
		panicked := newLoaderPanic(thrown)
		last = ending[V]{status: StatusFailed, err: panicked, panicked: panicked}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lookedLocked(f)
	if f.known {
		last = f.ending
	}
	r.publishLocked(f, last)
}

func (r *Region[K, V]) publishLocked(f *flight[K, V], result ending[V]) (alone bool) {
	if f.over {
		return false
	}
	if result.record.Certainty != RecordNone {
		result.soft, result.hard = result.record.SoftExpiresAt, result.record.HardExpiresAt
	}
	alone = !f.leading && f.waiters == 0
	f.over, f.published, f.ending = true, true, result
	r.state.alive--
	r.state.waiters -= f.waiters
	f.waiters, f.leading = 0, false
	if !f.overdue {
		r.forgetLocked(f)
	}
	if result.remember && !f.superseded {
		r.rememberLocked(f, result.err)
	} else if result.recordable() {
		r.forgetFailureLocked(f.canonical)
	}
	r.endings.flightEnded(f.index)
	close(f.done)
	return alone
}
