package leasetest_test

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/cacheaside/resilience/lease"
)

// model is a client of a model's store: the port as it should be, or with one fault.
type model struct {
	store   *modelStore
	fault   fault
	maxHold time.Duration
	off     time.Duration // of the client's own clock
	counter lease.Token   // of the client that counts for itself; guarded by the store's lock
}

// clock is what decisions are made on, in microseconds.
func (m *model) clock() int64 {
	if m.fault == callersClock {
		return m.store.now.Add(m.off).UnixMicro()
	}
	return m.store.now.UnixMicro()
}

// deadline is what an expiry is counted from.
func (m *model) deadline() int64 {
	if m.fault == callersDeadline {
		return m.store.now.Add(m.off).UnixMicro()
	}
	return m.clock()
}

// step runs one operation at the store, or fails as the store does.
func step[A any](m *model, ctx context.Context, op lease.Op, key string, whenDown A, decide func() (A, error)) (A, error) {
	var nothing A
	if err := ctx.Err(); err != nil && m.fault != contextIgnored {
		return nothing, m.failure(lease.NoDecision(op, err), key)
	}
	m.store.mu.Lock()
	defer m.store.mu.Unlock()
	if m.store.down {
		switch m.fault {
		case failureAsHeld, failureAsUnheld:
			return whenDown, nil
		case failureAmbiguous:
			return nothing, lease.Indeterminate(op, errDown)
		case answerBesideFailure:
			return whenDown, lease.NoDecision(op, errDown)
		}
		return nothing, m.failure(lease.NoDecision(op, errDown), key)
	}
	answer, err := decide()
	if m.store.loseOne {
		m.store.loseOne = false
		if m.fault == lostAsLost && op != lease.OpInspect {
			return whenDown, nil
		}
		if m.fault == lostAsNoDecision || op == lease.OpInspect {
			return nothing, lease.NoDecision(op, errDown)
		}
		return nothing, lease.Indeterminate(op, errDown)
	}
	return answer, err
}

func (m *model) failure(err *lease.Error, key string) error {
	switch m.fault {
	case errorNamesKey:
		err.Cause = errors.Join(err.Cause, errors.New("key "+key))
	case errorUntyped:
		return errors.Join(lease.ErrNoDecision, err.Cause)
	}
	return err
}

func (m *model) Acquire(ctx context.Context, key, owner string, request lease.RequestID, ttl time.Duration) (lease.Acquired, error) {
	if err := lease.CheckAcquire(key, owner, request, ttl, m.maxHold); err != nil && m.fault != argumentsUnchecked {
		return lease.Acquired{}, err
	}
	whenDown := lease.Acquired{Kind: lease.Held, Owner: "somebody", Remaining: ttl}
	if m.fault == readThenWrite {
		m.store.mu.Lock()
		seen := m.store.get(key)
		m.store.mu.Unlock()
		for range 200 {
			runtime.Gosched()
		}
		return step(m, ctx, lease.OpAcquire, key, whenDown, func() (lease.Acquired, error) { return m.grant(seen, key, owner, request, ttl), nil })
	}
	return step(m, ctx, lease.OpAcquire, key, whenDown, func() (lease.Acquired, error) {
		return m.grant(m.store.get(key), key, owner, request, ttl), nil
	})
}

func (m *model) live(r modelRecord) bool {
	now := m.clock()
	switch {
	case r.owner == "" && r.token == 0 && r.expires == 0:
		return false
	case m.fault == neverExpires && !r.released:
		return true
	case m.fault == closedExpiry && !r.released:
		return now <= r.expires
	case m.fault == earlyExpiry:
		return now+1 < r.expires
	}
	return now < r.expires
}

func (m *model) grant(seen modelRecord, key, owner string, request lease.RequestID, ttl time.Duration) lease.Acquired {
	now := m.clock()
	if m.live(seen) {
		own := seen.request == request && m.fault != repeatRefused || m.fault == reentrant && seen.owner == owner
		if !own {
			left := time.Duration(seen.expires-now) * time.Microsecond
			if m.fault == remainingWhole {
				left = ttl
			}
			return lease.Acquired{Kind: lease.Held, Owner: seen.owner, Remaining: left}
		}
		switch m.fault {
		case repeatReissues:
			seen.token++
			m.store.put(key, seen)
		case repeatProlongs:
			seen.expires = now + ttl.Microseconds()
			m.store.put(key, seen)
		}
		return m.granted(seen)
	}
	next := modelRecord{token: m.next(seen, now), owner: owner, request: request, granted: now}
	if m.fault == repeatForEver && seen.request == request {
		next.token = seen.token
	}
	if m.fault == ownerDropped {
		next.owner = "somebody"
	}
	next.expires, next.limit = m.deadline()+ttl.Microseconds(), now+m.maxHold.Microseconds()
	m.store.put(key, next)
	return m.granted(next)
}

func (m *model) next(seen modelRecord, now int64) lease.Token {
	switch m.fault {
	case idiom:
		return 1 // it has none
	case tokenZero:
		if seen.owner == "" {
			return 0
		}
	case inProcessCounter:
		m.counter++
		return m.counter
	case tokenCounts:
		return seen.token + 1
	case tokenStays:
		if seen.token != 0 {
			return seen.token
		}
	}
	return max(seen.token+1, lease.Token(now))
}

func (m *model) granted(r modelRecord) lease.Acquired {
	return lease.AcquiredAt(m.told(r), m.store.now)
}

// told is a record as its holder is told of it.
func (m *model) told(r modelRecord) lease.Grant {
	now := m.clock()
	if m.fault == expiryNow {
		r.expires = now
	}
	began := m.store.now.Truncate(time.Microsecond)
	if m.fault == validAmid {
		began = m.store.now
	}
	return lease.NewGrant(r.token, time.UnixMicro(r.expires), time.UnixMicro(now), began)
}

func (m *model) Inspect(ctx context.Context, key string) (lease.Inspection, error) {
	if err := lease.CheckKey(lease.OpInspect, key); err != nil && m.fault != argumentsUnchecked {
		return lease.Inspection{}, err
	}
	return step(m, ctx, lease.OpInspect, key, lease.Inspection{}, func() (lease.Inspection, error) { return m.look(key) })
}

func (m *model) look(key string) (lease.Inspection, error) {
	r := m.store.get(key)
	live := m.live(r)
	switch {
	case m.fault == inspectNoneFails && r.owner == "":
		return lease.Inspection{}, lease.NoDecision(lease.OpInspect, errDown)
	case m.fault == expiredLooksLive && r.owner != "" && !r.released:
		live = true
	case m.fault == inspectRenews && live:
		r.expires = m.clock() + (10 * time.Second).Microseconds()
		m.store.put(key, r)
	case m.fault == inspectFrees && !live:
		m.store.drop(key)
	case m.fault == inspectGrows && !live && r.owner != "":
		r.token++
		m.store.put(key, r)
	}
	seen := lease.Inspection{Live: live, Token: r.token}
	if live {
		seen.Owner, seen.Remaining = r.owner, max(time.Duration(r.expires-m.clock())*time.Microsecond, 1)
	}
	if m.fault == inspectDropsToken || m.fault == expiredLooksEmpty && !live || m.fault == idiom {
		seen.Token = 0
	}
	if m.fault == inspectDropsOwner {
		seen.Owner = ""
	}
	return seen, nil
}
