package soak_test

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
)

// trouble is something that goes wrong for a while.
type trouble struct {
	name string
	// kind is of a fault on the way of some of the processes; 0 = it is the server's own.
	kind redistest.Kind
	// harm is what befalls the server.
	harm func(w *world, lasting time.Duration) error
}

// longestTrouble bounds each. What is stalled on its way meanwhile may arrive when it ends.
const longestTrouble = 500 * time.Millisecond

func troubles() []trouble {
	all := []trouble{
		{name: "Kill", harm: (*world).kill},
		{name: "Pause", harm: (*world).pause},
		{name: "FlushAll", harm: (*world).flush},
		{name: "ScriptFlush", harm: (*world).flushScripts},
	}
	for _, kind := range []redistest.Kind{
		redistest.Refuse, redistest.ResetOnConnect, redistest.HalfOpen,
		redistest.BlackHole, redistest.Cut, redistest.ResetMidRequest, redistest.StallRequest,
		redistest.Delay, redistest.Hold, redistest.ResetBeforeReply, redistest.ResetMidReply, redistest.Truncate,
		redistest.SwallowAndClose, redistest.SwallowAndKeep,
	} {
		all = append(all, trouble{name: kind.String(), kind: kind})
	}
	return all
}

// disturb lets one trouble follow the other, each kind once before any comes again, with time to recover in between. It belongs to the goroutine of
// the test.
func (w *world) disturb(until <-chan time.Time, dice *rand.Rand) {
	var deck []trouble
	for {
		select {
		case <-until:
			return
		case <-time.After(between(dice, 100, 500)):
		}
		if len(deck) == 0 {
			deck = troubles()
			dice.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		}
		now := deck[0]
		deck = deck[1:]
		lasting := between(dice, 80, int(longestTrouble.Milliseconds()))
		if now.kind == 0 {
			if err := now.harm(w, lasting); err != nil {
				w.t.Errorf("%s: %v", now.name, err)
				return
			}
		} else {
			w.inject(now.kind, lasting, dice)
		}
		w.ledger.tell(func(s *summary) { s.troubles[now.name]++ })
		if times, _ := w.ledger.broken(); len(times) > 0 {
			return
		}
	}
}

// inject inflicts a fault on one process, or on all.
func (w *world) inject(kind redistest.Kind, lasting time.Duration, dice *rand.Rand) {
	victims := w.proxies
	if dice.IntN(3) > 0 {
		victims = w.proxies[dice.IntN(len(w.proxies)):][:1]
	}
	for _, proxy := range victims {
		proxy.Inject(faultOf(kind, dice))
	}
	<-time.After(lasting)
	for _, proxy := range victims {
		proxy.Heal()
	}
}

// faultOf is a fault of a kind, the rest of it drawn.
func faultOf(kind redistest.Kind, dice *rand.Rand) redistest.Fault {
	f := redistest.Fault{Kind: kind}
	switch kind {
	case redistest.Refuse, redistest.ResetOnConnect, redistest.HalfOpen:
		return f
	case redistest.Delay:
		f.Delay = between(dice, 20, 300)
	case redistest.ResetMidRequest, redistest.StallRequest:
		f.Bytes = dice.IntN(300)
	case redistest.ResetMidReply, redistest.Truncate:
		f.Bytes = 1 + dice.IntN(30)
	}
	f.Commands = [][]string{nil, {"GETRANGE"}, {"SET"}, {"EVALSHA", "EVAL"}, {"SET", "EVALSHA", "EVAL"}}[dice.IntN(5)]
	f.After = dice.IntN(3)
	return f
}

// kill takes the server away, and all that it had, and brings an empty one back.
func (w *world) kill(lasting time.Duration) error {
	return w.ledger.lose(func() error {
		w.server.Kill()
		<-time.After(lasting)
		w.server.Restart()
		return nil
	})
}

// pause lets the server stand still. Nothing is lost by that.
func (w *world) pause(lasting time.Duration) error {
	w.server.Pause()
	<-time.After(lasting)
	w.server.Resume()
	return nil
}

func (w *world) flush(time.Duration) error {
	return w.ledger.lose(func() error { return w.admin.FlushAll(context.Background()).Err() })
}

func (w *world) flushScripts(time.Duration) error {
	return w.admin.ScriptFlush(context.Background()).Err()
}
