package contender

import (
	"context"
	"sync"
	"time"
)

// P3: callers of a key in one process take turns behind a lock, and each looks once more when its turn has come. After a failure there is nothing
// to find, so that each waits for all before it and then loads for itself.
type convoy struct {
	plain
	mu    *sync.Mutex
	turns map[uint64]*turn
}

type turn struct {
	free    chan struct{} // holds one token
	callers int
}

func openConvoy(node Node) (Reader, error) {
	return convoy{plain{node}, new(sync.Mutex), make(map[uint64]*turn)}, nil
}

func (c convoy) Get(ctx context.Context, key uint64) Answer {
	if answer, found := c.look(ctx, key); found {
		return answer
	}
	t := c.enter(key)
	defer c.leave(key, t)
	select {
	case <-t.free:
	case <-ctx.Done():
		return Answer{Ending: TimedOut}
	}
	defer func() { t.free <- struct{}{} }()
	if answer, found := c.look(ctx, key); found {
		return answer
	}
	return c.load(ctx, key)
}

func (c convoy) enter(key uint64) *turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.turns[key]
	if t == nil {
		t = &turn{free: make(chan struct{}, 1)}
		t.free <- struct{}{}
		c.turns[key] = t
	}
	t.callers++
	return t
}

func (c convoy) leave(key uint64, t *turn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.callers--; t.callers == 0 {
		delete(c.turns, key)
	}
}

const (
	lockTTL   = 5 * time.Second
	pollEvery = 50 * time.Millisecond
)

// P4: one process of the fleet holds a lock in the store while it loads; the others look again every 50 ms. The lock is given back by a plain DEL,
// whoever holds it by then, and nothing refuses the late fill of a holder whose lock has run out.
type polling struct{ plain }

func openPolling(node Node) (Reader, error) { return polling{plain{node}}, nil }

func (p polling) Get(ctx context.Context, key uint64) Answer {
	for {
		if answer, found := p.look(ctx, key); found {
			return answer
		}
		if ctx.Err() != nil {
			return Answer{Ending: TimedOut}
		}
		held, err := p.node.Store.Lock(ctx, key, lockTTL)
		if held {
			return p.holding(ctx, key)
		}
		if err != nil { // without a store there is nobody to wait for
			return p.load(ctx, key)
		}
		wait := time.NewTimer(pollEvery)
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return Answer{Ending: TimedOut}
		}
	}
}

// holding looks once more, since the last holder may have set the row after the look and before the lock, and else loads.
func (p polling) holding(ctx context.Context, key uint64) Answer {
	defer p.unlock(ctx, key)
	if answer, found := p.look(ctx, key); found {
		return answer
	}
	return p.load(ctx, key)
}

// unlock gives the lock back even where its holder has run out of time, for at most as long as the lock would live by itself.
func (p polling) unlock(ctx context.Context, key uint64) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTTL)
	defer cancel()
	_ = p.node.Store.Unlock(ctx, key)
}
