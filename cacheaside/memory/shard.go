package memory

import (
	"sync"

	"github.com/cacheaside/resilience/cacheaside"
)

// shard holds the entries of some of the keys.
type shard[K comparable, V any] struct {
	budget *budget

	mu    sync.Mutex
	nodes map[K]*node[K, V] // guarded by mu
	order recency[K, V]     // guarded by mu; holds the same nodes
}

func newShard[K comparable, V any](shared *budget) *shard[K, V] {
	return &shard[K, V]{budget: shared, nodes: make(map[K]*node[K, V])}
}

// lookup copies the entry out, and counts as a use of it unless it is expired: what nobody can be answered with is evicted first.
func (s *shard[K, V]) lookup(key K, now int64) (found entry[V], present bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nodes[key]
	if !n.holds() {
		return found, false
	}
	if now < n.entry.hard {
		s.order.use(n)
	}
	return n.entry, true
}

// verdict is what became of a store in a shard.
type verdict struct {
	refused cacheaside.RecordReason
	full    bool // the shard has nothing more to evict for it
}

// store checks the condition and puts the entry in one step, evicting what is in the way. A nil requirement asks for nothing.
func (s *shard[K, V]) store(key K, fresh *entry[V], required *requirement, now int64) verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nodes[key]
	if required != nil {
		if reason := refusal(required, n, now); reason != 0 {
			return verdict{refused: reason}
		}
	}
	if n = s.put(key, n, fresh); n == nil {
		return verdict{full: true}
	}
	return verdict{}
}

// put makes room for the entry and places it into the key's node, which is made where it is nil. It returns nil where there is no room. It is called
// with mu held.
func (s *shard[K, V]) put(key K, n *node[K, V], fresh *entry[V]) *node[K, V] {
	if !s.makeRoom(n, fresh.size) {
		return nil
	}
	if n == nil {
		n = &node[K, V]{key: key}
		s.nodes[key] = n
		s.order.add(n)
	} else {
		s.order.use(n)
	}
	n.entry = *fresh
	return n
}

func refusal[K comparable, V any](required *requirement, n *node[K, V], now int64) cacheaside.RecordReason {
	if !n.holds() {
		return required.refuses("", false, false)
	}
	return required.refuses(n.entry.version, true, now >= n.entry.hard)
}

// makeRoom counts an entry of that size in place of the replaced one, which may be nil. It is called with mu held.
func (s *shard[K, V]) makeRoom(replaced *node[K, V], size int64) bool {
	entries := int64(1)
	if replaced != nil {
		entries, size = 0, size-replaced.entry.size
	}
	for !s.budget.take(entries, size) {
		victim := s.order.oldestBut(replaced)
		if victim == nil {
			return false
		}
		s.removeLocked(victim)
	}
	return true
}

// evict removes the least recently used entry and tells whether there was one.
func (s *shard[K, V]) evict() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	victim := s.order.oldest
	if victim == nil {
		return false
	}
	s.removeLocked(victim)
	return true
}

func (s *shard[K, V]) removeLocked(n *node[K, V]) {
	s.order.remove(n)
	delete(s.nodes, n.key)
	s.budget.give(n.entry.size)
}
