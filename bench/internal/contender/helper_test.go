package contender_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

const (
	soft     = 10 * time.Second
	hard     = time.Minute
	negative = 5 * time.Second
	loadTime = 100 * time.Millisecond
)

// store is a contender.Store in memory, on the real clock.
type store struct {
	down atomic.Bool

	mu      sync.Mutex
	entries map[uint64]contender.Entry
	expire  map[uint64]time.Time
	locks   map[uint64]time.Time
	unlocks int
}

var errDown = errors.New("store: down")

func newStore() *store {
	return &store{entries: make(map[uint64]contender.Entry), expire: make(map[uint64]time.Time), locks: make(map[uint64]time.Time)}
}

func (s *store) enter(ctx context.Context) (leave func(), err error) {
	if s.down.Load() {
		return nil, errDown
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.mu.Lock()
	return s.mu.Unlock, nil
}

func (s *store) Get(ctx context.Context, key uint64) (contender.Entry, bool, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return contender.Entry{}, false, err
	}
	defer leave()
	entry, found := s.entries[key]
	return entry, found && time.Now().Before(s.expire[key]), nil
}

func (s *store) Set(ctx context.Context, key uint64, entry contender.Entry, ttl time.Duration) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	s.entries[key], s.expire[key] = entry, time.Now().Add(ttl)
	return nil
}

func (s *store) Delete(ctx context.Context, key uint64) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	delete(s.entries, key)
	return nil
}

func (s *store) Lock(ctx context.Context, key uint64, ttl time.Duration) (bool, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	if time.Now().Before(s.locks[key]) {
		return false, nil
	}
	s.locks[key] = time.Now().Add(ttl)
	return true, nil
}

func (s *store) Unlock(ctx context.Context, key uint64) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	delete(s.locks, key)
	s.unlocks++
	return nil
}

// source takes loadTime for each load, or less where the context ends.
type source struct {
	calls atomic.Int64
	err   atomic.Pointer[error]
	last  atomic.Uint64 // the version of every row
}

func (s *source) fail(err error) { s.err.Store(&err) }

func (s *source) Load(ctx context.Context, key uint64) (contender.Row, error) {
	s.calls.Add(1)
	row := contender.Row{Version: s.last.Load() + 1, ReadAt: time.Now().UnixMicro(), Body: []byte{byte(key)}}
	timer := time.NewTimer(loadTime)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return contender.Row{}, ctx.Err()
	}
	if err := s.err.Load(); err != nil && *err != nil {
		return contender.Row{}, *err
	}
	if key%20 == 19 {
		return contender.Row{}, contender.ErrNoRow
	}
	return row, nil
}

// open opens the contender with the ID in a bubble, on a store and a source of their own.
func open(t *testing.T, id string, change ...func(*contender.Node)) (contender.Reader, *source, *store) {
	t.Helper()
	behind, kept := new(source), newStore()
	node := contender.Node{
		Source: behind, TTL: contender.TTL{Soft: soft, Hard: hard, Negative: negative}, Random: func() float64 { return 0 },
		Policy: func(p *cacheaside.Policy) { p.MaxWaitersPerKey = 1000 },
	}
	for _, c := range contender.All() {
		if c.ID != id {
			continue
		}
		if c.Library {
			cache, err := memory.New(memory.Config[uint64, contender.Row]{
				MaxEntries: 100, TTL: memory.TTL{Soft: soft, Hard: hard, Negative: negative}, Fenced: c.Fenced,
			})
			if err != nil {
				t.Fatal(err)
			}
			node.Cache = cache
		} else {
			node.Store = kept
		}
		for _, f := range change {
			f(&node)
		}
		reader, err := c.Open(node)
		if err != nil {
			t.Fatal(err)
		}
		return reader, behind, kept
	}
	t.Fatalf("there is no contender %s", id)
	return nil, nil, nil
}

// closed closes a reader after the loads that may have outlived their callers.
func closed(t *testing.T, reader contender.Reader) {
	t.Helper()
	pass(loadTime)
	if err := reader.Close(t.Context()); err != nil {
		t.Errorf("closed: %v", err)
	}
}

// pass lets a bubble's time pass.
func pass(d time.Duration) { <-time.After(d) }

// together has so many callers read one key at once, and gives how each was answered.
func together(ctx context.Context, reader contender.Reader, callers int, key uint64) map[contender.Ending]int {
	var mu sync.Mutex
	endings := make(map[contender.Ending]int)
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			answer := reader.Get(ctx, key)
			mu.Lock()
			defer mu.Unlock()
			endings[answer.Ending]++
		})
	}
	all.Wait()
	return endings
}

// ids are those of all contenders.
func ids() []string {
	var list []string
	for _, c := range contender.All() {
		list = append(list, c.ID)
	}
	return list
}
