package memory

import "sync"

// budget counts what all shards hold together, so that the bounds hold for their sum at every moment. Its lock is taken while a shard's is held,
// never the other way round.
type budget struct {
	maxEntries, maxBytes int64

	mu             sync.Mutex
	entries, bytes int64 // guarded by mu
}

// take counts what is to be added, unless that exceeds a bound. A replacement that does not grow always fits.
func (b *budget) take(entries, bytes int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if entries > b.maxEntries-b.entries || bytes > 0 && bytes > b.maxBytes-b.bytes {
		return false
	}
	b.entries += entries
	b.bytes += bytes
	return true
}

// give counts an entry that was removed.
func (b *budget) give(bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.entries--
	b.bytes -= bytes
}

func (b *budget) held() (entries, bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.entries, b.bytes
}
