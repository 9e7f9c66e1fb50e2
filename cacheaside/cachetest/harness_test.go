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
		store := newModelStore(still)
		beside := store
		if wrong == instancesApart {
			beside = newModelStore(still)
		}
		if opt.Fenced {
			return newFencedModel(store, beside, still, opt, wrong)
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

func newModelStore(c clock.Clock) *modelStore {
	return &modelStore{items: map[string]modelItem{}, fences: map[string]modelFence{}, generation: 1, clock: c, rivals: newRendezvous(20)}
}

// newFencedModel is a subject that is built for fenced fills, beside one of the same region that is not.
func newFencedModel(store, beside *modelStore, still *stillClock, opt cachetest.Options, wrong fault) cachetest.Subject {
	plainOpt := opt
	plainOpt.Fenced = false
	plainStore := newModelStore(still)
	if wrong == modesShareEntries {
		plainStore = store
	}
	plain := &model{store: plainStore, clock: still, opt: plainOpt, fault: wrong}
	at := func(s *modelStore, c clock.Clock) *fencedModel {
		return &fencedModel{model: &model{store: s, clock: c, opt: opt, fault: wrong}, plain: plain}
	}
	first := at(store, still)
	return cachetest.Subject{
		Cache: first, Second: at(beside, still), OtherMode: &plainModel{model: plain, fenced: first},
		Now: still.Now, Advance: still.advance,
		Drop: store.drop, DropFence: store.dropFence,
		Skewed: func(off time.Duration) cacheaside.Cache[string, cachetest.Document] {
			return at(store, offClock{Clock: still, off: off})
		},
		Break: store.fail, BoundsSize: true, Plant: store.plants(),
	}
}

// offClock differs from another by so much.
type offClock struct {
	clock.Clock
	off time.Duration
}

func (c offClock) Now() time.Time { return c.Clock.Now().Add(c.off) }

func (s *modelStore) dropFence(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.fences, key)
}

func (s *modelStore) drop(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.items, key)
}

func storeOf(cache cacheaside.Cache[string, cachetest.Document]) *modelStore {
	if m, ok := cache.(*fencedModel); ok {
		return m.store
	}
	return cache.(*model).store
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
