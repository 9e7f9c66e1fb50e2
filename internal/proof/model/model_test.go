package model_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// opener makes a store in the bubble; close ends what the store has started there.
type opener func(t *testing.T, l lives) (inner store, close func())

// run carries a program out and gives the first thing that was not legal, with what led to it.
func (p program) run(t *testing.T, open opener) (fault error) {
	synctest.Test(t, func(t *testing.T) {
		inner, close := open(t, p.lives)
		defer close()
		d, err := begin(p, inner)
		if err != nil {
			fault = err
			return
		}
		defer d.abort()
		for i, a := range p.actions {
			if d.do(a); d.fault() != "" {
				fault = fmt.Errorf("after action %d at %v: %s", i, d.model.now, d.fault())
				return
			}
		}
		if d.settle(); d.fault() != "" {
			fault = fmt.Errorf("at the end, at %v: %s", d.model.now, d.fault())
		}
	})
	return fault
}

// historiesAreLegal is the property.
func historiesAreLegal(t *testing.T, open opener) func(*rapid.T) {
	return func(r *rapid.T) {
		p := programs().Draw(r, "program")
		if fault := p.run(t, open); fault != nil {
			r.Fatalf("%v\n%s", fault, p)
		}
	}
}

func TestAnyHistoryOnMemoryIsLegal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, historiesAreLegal(t, openMemory))
}

// memoryStore is the in-process cache, with what cannot happen to it.
type memoryStore struct {
	*memory.Cache[string, string]

	marks map[string]mark
	made  int
}

type mark struct {
	kind        cacheaside.EntryKind
	observation cacheaside.Observation
}

func openMemory(t *testing.T, l lives) (store, func()) {
	cache, err := memory.New(memory.Config[string, string]{TTL: ttl(l), MaxEntries: 16})
	if err != nil {
		t.Fatal(err)
	}
	return &memoryStore{Cache: cache, marks: map[string]mark{}}, func() {}
}

func ttl(l lives) memory.TTL {
	duration := func(millis int64) time.Duration { return time.Duration(millis) * time.Millisecond }
	return memory.TTL{Soft: duration(l.soft), Hard: duration(l.hard), Negative: duration(l.negative), Tombstone: duration(l.tombstone)}
}
