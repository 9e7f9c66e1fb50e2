package sim

import (
	"sync"
	"time"
)

// queue is where commands wait for a store that answers one after the other. A command that nobody waits for any more is answered all the same.
type queue struct {
	mu   sync.Mutex
	free time.Time // when the store has answered all that came so far
}

// join gives how long a command takes that comes now, with those before it.
func (q *queue) join(now time.Time, each time.Duration) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.free.Before(now) {
		q.free = now
	}
	q.free = q.free.Add(each)
	return q.free.Sub(now)
}
