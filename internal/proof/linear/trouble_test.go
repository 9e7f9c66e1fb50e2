package linear_test

import (
	"math/rand/v2"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
)

// trouble is what a run does to the clients' connections and to the server, until it is over.
type trouble struct {
	choose  *rand.Rand
	proxies []*redistest.Proxy
	server  *redistest.Server
	kills   int
	events  map[string]int
}

// last goes on until over is closed. Its pace is that of the operations, so that it neither runs out nor leaves no time to get on.
func (t *trouble) last(over <-chan struct{}, made func() int, operations int) {
	pace := time.NewTicker(2 * time.Millisecond)
	defer pace.Stop()
	killed, next := 0, 0
	for {
		select {
		case <-over:
			for _, p := range t.proxies {
				p.Heal()
			}
			return
		case <-pace.C:
		}
		now := made()
		if t.kills > killed && now > (killed+1)*operations/(t.kills+1) {
			killed++
			t.events["kill"]++
			t.server.Kill()
			t.server.Restart()
		}
		if now >= next {
			next = now + 10 + t.choose.IntN(25)
			fault := t.fault()
			t.events[fault.Kind.String()]++
			t.proxies[t.choose.IntN(len(t.proxies))].Inject(fault)
		}
	}
}

// fault draws one that hits a few commands and is over then, so that there is always a reply to be had again.
func (t *trouble) fault() redistest.Fault {
	commands := [][]string{{"SET"}, {"EVALSHA", "EVAL"}, {"SET", "EVALSHA", "EVAL", "DEL"}, {"GETRANGE", "GET"}}[t.choose.IntN(4)]
	kinds := []redistest.Kind{
		redistest.ResetBeforeReply, redistest.ResetBeforeReply, redistest.SwallowAndClose, redistest.SwallowAndKeep, redistest.Delay, redistest.Delay,
		redistest.Hold, redistest.BlackHole, redistest.Cut, redistest.ResetMidRequest, redistest.StallRequest, redistest.ResetMidReply,
		redistest.Truncate, redistest.HalfOpen, redistest.Refuse, redistest.ResetOnConnect,
	}
	f := redistest.Fault{Kind: kinds[t.choose.IntN(len(kinds))], Commands: commands, Times: 1 + t.choose.IntN(3), After: t.choose.IntN(3)}
	switch f.Kind {
	case redistest.Delay:
		f.Delay = time.Duration(1+t.choose.IntN(200)) * time.Millisecond
	case redistest.ResetMidRequest, redistest.StallRequest, redistest.ResetMidReply, redistest.Truncate:
		f.Bytes = t.choose.IntN(60)
	case redistest.HalfOpen, redistest.Refuse, redistest.ResetOnConnect:
		return redistest.Fault{Kind: f.Kind}
	}
	return f
}
