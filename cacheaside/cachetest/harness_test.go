package cachetest_test

import (
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/cachetest"
)

// stillClock stands still but for advance. Nothing here sets a timer, so it needs no scheduler to settle as a mock does.
type stillClock struct {
	clock.Clock

	mu  sync.Mutex
	now time.Time // guarded by mu
}

func newStillClock() *stillClock {
	return &stillClock{Clock: clock.New(), now: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
}

func (c *stillClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *stillClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func newModel(wrong fault) cachetest.NewSubject {
	return func(_ testing.TB, opt cachetest.Options) cachetest.Subject {
		still := newStillClock()
		store := &modelStore{items: map[string]modelItem{}, rivals: newRendezvous(20)}
		beside := store
		if wrong == instancesApart {
			beside = &modelStore{items: map[string]modelItem{}}
		}
		return cachetest.Subject{
			Cache:      &model{store: store, clock: still, opt: opt, fault: wrong},
			Second:     &model{store: beside, clock: still, opt: opt, fault: wrong},
			Now:        still.Now,
			Advance:    still.advance,
			Drop:       store.drop,
			Break:      store.fail,
			BoundsSize: true,
			Plant:      store.plants(),
		}
	}
}

func (s *modelStore) drop(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.items, key)
}

// forget drops what is over, as a store does that expires by itself.
func (s *modelStore) forget(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.items, func(_ string, item modelItem) bool { return item.unusable == 0 && !now.Before(item.hard) })
}

func (s *modelStore) fail() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = true
}

func (s *modelStore) plants() map[cacheaside.EntryKind]func(string) {
	plants := map[cacheaside.EntryKind]func(string){}
	for kind := cacheaside.EntryRetired; kind <= cacheaside.EntryForeign; kind++ {
		plants[kind] = func(key string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.items[key] = modelItem{unusable: kind, version: s.nextVersion()}
		}
	}
	return plants
}

// rendezvous lets a number of goroutines go on only when all have come.
type rendezvous struct {
	missing sync.WaitGroup
}

func newRendezvous(count int) *rendezvous {
	r := &rendezvous{}
	r.missing.Add(count)
	return r
}

func (r *rendezvous) wait() {
	r.missing.Done()
	r.missing.Wait()
}

// plain hides what a cache can do beyond the port.
type plain struct {
	cacheaside.Cache[string, cachetest.Document]
}
