package leasetest

import (
	"fmt"
	"time"

	"github.com/cacheaside/resilience/lease"
)

// client is one of those that take turns. It goes on to its next call whatever became of the last.
type client struct {
	name    string
	store   lease.Store
	next    int
	request lease.RequestID
	token   lease.Token
}

// schedule is one run on one key, with what must be true of it by the rules: the highest token, whose it is, and until when, in the time that passed.
type schedule struct {
	*probe
	key     string
	clients []*client
	trail   []step

	now, expires, limit time.Duration
	token               lease.Token
	owner               string
	request             lease.RequestID
}

// step is a call of a client, or time that passes.
type step struct {
	who, does string
	passed    time.Duration
}

func (s step) String() string {
	if s.who == "" {
		return s.passed.String() + " pass"
	}
	return s.who + " " + s.does
}

func newSchedule(p *probe, key string, stores []lease.Store) *schedule {
	s := &schedule{probe: p, key: key}
	for i, store := range stores {
		s.clients = append(s.clients, &client{name: string(rune('a' + i)), store: store})
	}
	return s
}

func (s *schedule) live() bool { return s.now < s.expires }

func (s *schedule) pass(d time.Duration) {
	s.trail = append(s.trail, step{passed: d})
	s.advance(d)
	s.now += d
}

// move makes a client's next call, and holds the answer, and what it sees afterwards, to the rules.
func (s *schedule) move(c *client) {
	s.Helper()
	calls := [...]struct {
		name string
		call func(*client)
	}{{"asks", s.ask}, {"asks again", s.acquire}, {"asks anew", s.askAnew}, {"renews", s.renew}, {"releases", s.release}, {"renews", s.renew}}
	at := c.next
	s.trail = append(s.trail, step{who: c.name, does: calls[at].name})
	c.next = (at + 1) % len(calls)
	calls[at].call(c)

	want := lease.Inspection{Token: s.token}
	if s.live() {
		want = lease.Inspection{Live: true, Token: s.token, Owner: s.owner, Remaining: s.expires - s.now}
	}
	seen, err := c.store.Inspect(s.Context(), s.key)
	s.want(err == nil && seen == want, seen, err, want)
}

// want ends the assertion with the way that led to what is wrong.
func (s *schedule) want(fine bool, got any, err error, want any) {
	s.Helper()
	if !fine {
		s.Fatalf("%s: %v: it is told %+v, %v, want %+v", s.key, s.trail, got, err, want)
	}
}

func (s *schedule) ask(c *client) {
	s.Helper()
	c.request = lease.NewRequestID()
	s.acquire(c)
	if s.request != c.request {
		c.next = 0 // it asks until it has been granted
	}
}

// askAnew is another request of the same owner, who may hold the lease.
func (s *schedule) askAnew(c *client) {
	s.Helper()
	before := c.request
	c.request = lease.NewRequestID()
	s.acquire(c)
	if s.request != c.request {
		c.request = before
	}
}

func (s *schedule) acquire(c *client) {
	s.Helper()
	began := time.Now()
	a, err := c.store.Acquire(s.Context(), s.key, c.name, c.request, ttl)
	if a.Kind == lease.Late && s.mayBeLate(began) {
		a.Kind = lease.Granted
	}
	switch {
	case s.live() && s.request != c.request:
		want := lease.Acquired{Kind: lease.Held, Owner: s.owner, Remaining: s.expires - s.now}
		s.want(err == nil && a == want, a, err, want)
		return
	case s.live():
		s.want(err == nil && a.Kind == lease.Granted && a.Grant.Token == s.token, a, err, fmt.Sprint("its own token, ", s.token))
	default:
		s.want(err == nil && a.Kind == lease.Granted && a.Grant.Token > s.token, a, err, fmt.Sprint("a token above ", s.token))
		s.token, s.owner, s.request = a.Grant.Token, c.name, c.request
		s.expires, s.limit = s.now+ttl, s.now+s.opt.MaxHold
		c.token = s.token
	}
	left := s.expires - s.now
	s.want(a.Grant.Expires.Sub(a.Grant.Now) == left, a, err, left)
}

// mayBeLate tells whether an answer took longer than what is left of the lease: a client's own clock does not stand still.
func (s *schedule) mayBeLate(began time.Time) bool {
	left := s.expires - s.now
	if !s.live() {
		left = ttl
	}
	return time.Since(began) >= left
}

// loss is what the rules say of a token.
func (s *schedule) loss(token lease.Token) lease.Loss {
	switch {
	case token != s.token || token == 0:
		return lease.LostSuperseded
	case s.live():
		return lease.NotLost
	case s.expires >= s.limit:
		return lease.LostMaxHold
	}
	return lease.LostExpired
}

func (s *schedule) renew(c *client) {
	s.Helper()
	want := s.loss(c.token)
	began := time.Now()
	r, err := c.store.Renew(s.Context(), s.key, c.token, ttl)
	if r.Lost == lease.LostLate && want == lease.NotLost && time.Since(began) >= min(ttl, s.limit-s.now) {
		r.Lost = lease.NotLost
	}
	s.want(err == nil && r.Lost == want, r, err, want)
	if want == lease.NotLost {
		s.expires = min(s.now+ttl, s.limit)
		left := s.expires - s.now
		s.want(r.Grant.Token == s.token && r.Grant.Expires.Sub(r.Grant.Now) == left, r, err, left)
	}
}

func (s *schedule) release(c *client) {
	s.Helper()
	want := s.loss(c.token)
	r, err := c.store.Release(s.Context(), s.key, c.token)
	s.want(err == nil && r.Lost == want, r, err, want)
	if want == lease.NotLost {
		s.expires = 0
	}
}
