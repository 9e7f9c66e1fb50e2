package memory

// node is what is stored for one key, in its shard's order of use: an entry, or none (of no kind), and beside it a fence record, or none.
type node[K comparable, V any] struct {
	key          K
	entry        entry[V]
	fence        fence
	newer, older *node[K, V]
}

// recency orders the nodes of one shard by their last use. The zero value is empty. It is guarded by the shard's lock.
type recency[K comparable, V any] struct{ newest, oldest *node[K, V] }

func (r *recency[K, V]) add(n *node[K, V]) {
	n.newer, n.older = nil, r.newest
	if r.newest != nil {
		r.newest.newer = n
	} else {
		r.oldest = n
	}
	r.newest = n
}

func (r *recency[K, V]) remove(n *node[K, V]) {
	if n.newer != nil {
		n.newer.older = n.older
	} else {
		r.newest = n.older
	}
	if n.older != nil {
		n.older.newer = n.newer
	} else {
		r.oldest = n.newer
	}
	n.newer, n.older = nil, nil
}

func (r *recency[K, V]) use(n *node[K, V]) {
	if r.newest != n {
		r.remove(n)
		r.add(n)
	}
}

// oldestBut is the least recently used node that is not kept, or nil.
func (r *recency[K, V]) oldestBut(kept *node[K, V]) *node[K, V] {
	if r.oldest != nil && r.oldest == kept {
		return kept.newer
	}
	return r.oldest
}
