package cacheaside

import (
	"hash/maphash"
	"sync/atomic"
)

// endings remembers, without remembering keys, whether a flight of a key ended or the key was invalidated since a caller's lookup, and how many
// flights and loads had begun by then: a fixed array of counters, shared by the keys of one hash. A collision costs one lookup.
type endings struct {
	seed     maphash.Seed
	counters [1024]counter
}

// counter is what is counted of the keys of one hash.
type counter struct {
	// The low half counts what ended a flight or invalidated a key, the high half invalidations alone, so that one load on the way of a hit
	// takes both.
	endings atomic.Uint64

	begun atomic.Uint64 // flights, and loaders
}

func (e *endings) index(hash uint64) int { return int(hash % uint64(len(e.counters))) }

func (e *endings) seen(index int) uint64 { return e.counters[index].endings.Load() }

// begun tells how many flights and loads have begun, so that one of them can be told from what begins later.
func (e *endings) begun(index int) uint64 { return e.counters[index].begun.Load() }

// begin counts a flight or a load and gives its number.
func (e *endings) begin(index int) uint64 { return e.counters[index].begun.Add(1) }

func (e *endings) flightEnded(index int) {
	// A compare-and-swap keeps the low half from carrying, so that four thousand million flights are not an invalidation.
	for {
		old := e.counters[index].endings.Load()
		if e.counters[index].endings.CompareAndSwap(old, old&^0xffffffff|uint64(uint32(old)+1)) {
			return
		}
	}
}

func (e *endings) invalidated(index int) {
	for {
		old := e.counters[index].endings.Load()
		if e.counters[index].endings.CompareAndSwap(old, (old>>32+1)<<32|uint64(uint32(old)+1)) {
			return
		}
	}
}

func (e *endings) allInvalidated() {
	for index := range e.counters {
		e.invalidated(index)
	}
}

// anySince tells whether a flight ended or an invalidation came since seen.
func (e *endings) anySince(index int, seen uint64) bool { return e.seen(index) != seen }

// invalidatedSince tells whether an invalidation came since seen.
func (e *endings) invalidatedSince(index int, seen uint64) bool { return e.seen(index)>>32 != seen>>32 }
