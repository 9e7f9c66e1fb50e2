package servers_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/envelope"
	"github.com/cacheaside/resilience/redisadapter"
)

// swept is what a sweep has seen.
type swept struct{ entries, staged int }

// sweep reads every key of a server raw and parses it without the adapter: each must have an expiry, be whole, and be one that was recorded under its
// name. Traffic may go on meanwhile.
func (tr *trial) sweep(ctx context.Context, server *redis.Client) swept {
	tr.t.Helper()
	s := sweeper{t: tr.t, server: server, naming: newNaming(), entryOf: map[string]*page{}, wares: map[string]string{}}
	for _, p := range tr.book.pages {
		s.entryOf[s.naming.physical(bookRegion, p.key)] = p
	}
	for _, w := range tr.shop.wares {
		s.wares[s.naming.physical(shopRegion, w.key)] = w.key
	}
	var seen swept
	for cursor, first := uint64(0), true; first || cursor != 0; first = false {
		keys, next, err := server.Scan(ctx, cursor, namespace+":*", 1000).Result()
		if err != nil {
			tr.t.Fatalf("sweep: %v", err)
		}
		cursor = next
		for _, name := range keys {
			s.look(ctx, tr.book, name, &seen)
		}
	}
	return seen
}

type sweeper struct {
	t       testing.TB
	server  *redis.Client
	naming  *naming
	entryOf map[string]*page
	wares   map[string]string
}

func (s *sweeper) look(ctx context.Context, b *book, name string, seen *swept) {
	s.t.Helper()
	raw, err := s.server.Get(ctx, name).Bytes()
	left, err2 := s.server.PTTL(ctx, name).Result()
	switch {
	case errors.Is(err, redis.Nil), left == -2*time.Nanosecond: // gone since
		return
	case err != nil || err2 != nil:
		s.t.Fatalf("sweep: %v", errors.Join(err, err2))
	case left <= 0:
		s.t.Errorf("a key of %d bytes has no expiry", len(raw))
	}
	entry := name
	if before, _, staged := strings.Cut(name, "}:t:"); staged {
		entry = before + "}:v"
		seen.staged++
		if left > stagedLife {
			s.t.Errorf("a staged value lives %v", left)
		}
	} else {
		seen.entries++
	}
	e, err := envelope.Parse(raw, entry, s.naming.digester, envelope.Limits{Now: time.Now(), MaxAhead: time.Hour})
	if err != nil {
		s.t.Errorf("%d bytes are no entry of their name: %v", len(raw), err)
		return
	}
	if e.Kind != envelope.KindPositive {
		return
	}
	var value string
	if err := redisadapter.Msgpack[string]().Decode(e.Payload, &value); err != nil {
		s.t.Errorf("a payload of %d bytes: %v", len(e.Payload), err)
		return
	}
	key, id, err := whole(value)
	page := s.entryOf[entry]
	switch {
	case err != nil:
		s.t.Errorf("a value of %d bytes: %v", len(value), err)
	case page == nil && s.wares[entry] != key:
		s.t.Errorf("a value of %q lies under the name of %q", key, s.wares[entry])
	case page != nil && page.key != key:
		s.t.Errorf("a value of %q lies under the name of %q", key, page.key)
	case page != nil && entry == name:
		b.lies(page, numbered(id))
	}
}

// lies notes that a value was seen at a server.
func (b *book) lies(p *page, lies token) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, begun := p.fate[lies]; !begun {
		b.trouble("%s: %s lies there, which nobody recorded", p.key, lies)
	}
	p.seen[lies] = true
}
