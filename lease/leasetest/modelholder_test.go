package leasetest_test

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/lease"
)

// The holder's side of the model.

// lost tells why a token's lease is not live, where it is not.
func (m *model) lost(r modelRecord, token lease.Token, looksAtToken bool) lease.Loss {
	higher := m.fault == higherTokenRenews && token > r.token && token != lease.MaxToken
	if looksAtToken && !higher && (r.token != token || r.owner == "") {
		return lease.LostSuperseded
	}
	switch {
	case r.owner == "":
		return lease.LostSuperseded
	case m.live(r):
		return lease.NotLost
	case r.expires >= r.limit && m.fault != maxHoldAsExpired:
		return lease.LostMaxHold
	}
	return lease.LostExpired
}

func (m *model) Renew(ctx context.Context, key string, token lease.Token, ttl time.Duration) (lease.Renewed, error) {
	if err := lease.CheckRenew(key, ttl, m.maxHold); err != nil && m.fault != argumentsUnchecked {
		return lease.Renewed{}, err
	}
	return step(m, ctx, lease.OpRenew, key, lease.Renewed{Lost: lease.LostExpired}, func() (lease.Renewed, error) {
		return m.extend(key, token, ttl), nil
	})
}

func (m *model) extend(key string, token lease.Token, ttl time.Duration) lease.Renewed {
	r := m.store.get(key)
	looks := m.fault != ignoresToken && m.fault != renewIgnoresToken && m.fault != idiom
	lost := m.lost(r, token, looks)
	switch {
	case m.fault == renewRevives && lost == lease.LostExpired && !r.released:
		lost = lease.NotLost
	case m.fault == renewCreates && r.owner == "":
		r, lost = modelRecord{token: token, owner: "a"}, lease.NotLost
		r.limit = m.clock() + m.maxHold.Microseconds()
	}
	if lost != lease.NotLost {
		return lease.Renewed{Lost: lost}
	}
	now := m.clock()
	if m.fault == maxHoldSinceRenewal {
		r.limit = now + m.maxHold.Microseconds()
	}
	expires := m.deadline() + ttl.Microseconds()
	if m.fault == renewAdds {
		expires = r.expires + ttl.Microseconds()
	}
	if m.fault != noMaxHold && m.fault != renewalPassesMaxHold {
		expires = min(expires, r.limit)
	}
	switch m.fault {
	case renewIdle:
	case renewOnlyExtends:
		expires = max(expires, r.expires)
		r.expires = expires
	case renewShortensInWords:
		r.expires = max(expires, r.expires)
	default:
		r.expires = expires
	}
	if m.fault == renewReissues {
		r.token++
	}
	m.store.put(key, r)
	return lease.RenewedAt(m.told(modelRecord{token: r.token, expires: expires}), m.store.now)
}

func (m *model) Release(ctx context.Context, key string, token lease.Token) (lease.Released, error) {
	if err := lease.CheckKey(lease.OpRelease, key); err != nil && m.fault != argumentsUnchecked {
		return lease.Released{}, err
	}
	return step(m, ctx, lease.OpRelease, key, lease.Released{Lost: lease.LostExpired}, func() (lease.Released, error) {
		return lease.Released{Lost: m.end(key, token)}, nil
	})
}

func (m *model) end(key string, token lease.Token) lease.Loss {
	r := m.store.get(key)
	looks := m.fault != ignoresToken && m.fault != releaseIgnoresToken && m.fault != idiom
	if m.fault == releaseTakesLower && token < r.token {
		looks = false
	}
	if lost := m.lost(r, token, looks); lost != lease.NotLost {
		if m.fault == releaseTwice && lost == lease.LostExpired {
			return lease.NotLost
		}
		return lost
	}
	switch m.fault {
	case deleteOnRelease, idiom:
		m.store.drop(key)
	case releaseWaits:
	default:
		r.expires, r.released = min(m.clock(), r.expires), true
		m.store.put(key, r)
	}
	return lease.NotLost
}
