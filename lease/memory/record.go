package memory

import (
	"errors"
	"time"

	"github.com/cacheaside/resilience/lease"
)

var errNoTokens = errors.New("memory: no token is left below 2^53")

// record is what is known of a key, in microseconds of the store's clock. The zero value is a key that nobody has held.
type record struct {
	token   lease.Token
	owner   string
	request lease.RequestID
	expires int64 // the lease lives before
	limit   int64 // MaxHold after the grant, which expires never passes
}

func (r record) live(now int64) bool { return r.token != 0 && now < r.expires }

// next is the record with the token of the next grant.
func (r record) next(now int64) (granted record, ok bool) {
	r.token = max(r.token+1, lease.Token(max(now, 1)))
	return r, r.token <= lease.MaxToken
}

func (r record) lost(token lease.Token, now int64) lease.Loss {
	switch {
	case r.token != token || token == 0:
		return lease.LostSuperseded
	case r.live(now):
		return lease.NotLost
	case r.expires >= r.limit:
		return lease.LostMaxHold
	}
	return lease.LostExpired
}

// grant counts from the microsecond that was decided on: what is left of now beside it would be more than the store gives. The monotonic reading stays.
func (r record) grant(now time.Time) lease.Grant {
	began := now.Add(-time.Duration(now.Nanosecond()) % time.Microsecond)
	return lease.NewGrant(r.token, time.UnixMicro(r.expires).UTC(), time.UnixMicro(now.UnixMicro()).UTC(), began)
}

func micro(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
