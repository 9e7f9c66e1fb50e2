package soak_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"
)

const (
	callersEach = 8  // of a process
	burst       = 14 // callers of one key at once, more than may wait
)

// keys are few, so that callers meet.
func keys() []string { return named("key-", 24) }

// seldomKeys are asked for so seldom that entries expire unseen, and are old if they do not.
func seldomKeys() []string { return named("seldom-", 60) }

func named(prefix string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, prefix+strconv.Itoa(i))
	}
	return all
}

// pick prefers the first few.
func (p *process) pick(dice *rand.Rand) string {
	if dice.IntN(2) == 0 {
		return p.keys[dice.IntN(4)]
	}
	return p.keys[dice.IntN(len(p.keys))]
}

// run lets the callers of the process come and go until stop is closed, and returns when the last has left.
func (p *process) run(stop <-chan struct{}) {
	var all sync.WaitGroup
	for range callersEach {
		dice := p.dice()
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(between(dice, 1, 12)):
					p.act(dice)
				}
			}
		})
	}
	all.Wait()
}

// act is one thing that somebody does.
func (p *process) act(dice *rand.Rand) {
	key := p.pick(dice)
	switch n := dice.IntN(1000); {
	case n < 20:
		p.get(context.Background(), p.seldom[dice.IntN(len(p.seldom))])
	case n < 40:
		p.update(dice, p.seldom[dice.IntN(len(p.seldom))])
	case n < 880:
		ctx, leave := patience(dice)
		defer leave()
		p.get(ctx, key)
	case n < 920:
		p.update(dice, key)
	case n < 965:
		p.update(dice, key)
		p.invalidate(context.Background(), key)
		p.get(context.Background(), key) // whoever writes reads what it has written
	case n < 990:
		p.invalidate(context.Background(), key)
	default:
		p.burst(dice, key)
	}
}

func (p *process) update(dice *rand.Rand, key string) {
	p.source.update(key, dice.IntN(6) == 0)
	p.ledger.tell(func(s *summary) { s.updates++ })
}

// burst is many callers at once, each with a patience of its own.
func (p *process) burst(dice *rand.Rand, key string) {
	var all sync.WaitGroup
	for range burst {
		ctx, leave := patience(dice)
		all.Go(func() {
			defer leave()
			p.get(ctx, key)
		})
	}
	all.Wait()
}

// patience is how long a caller stays: mostly to the end, else to a deadline, until it is called away, or it has left already.
func patience(dice *rand.Rand) (ctx context.Context, leave func()) {
	switch n := dice.IntN(100); {
	case n < 75:
		return context.Background(), func() {}
	case n < 88:
		return context.WithTimeout(context.Background(), between(dice, 1, 150))
	case n < 98:
		ctx, cancel := context.WithCancel(context.Background())
		called := time.AfterFunc(between(dice, 0, 100), cancel)
		return ctx, func() {
			called.Stop()
			cancel()
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx, cancel
}
