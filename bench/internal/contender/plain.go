package contender

import (
	"context"
	"errors"
	"time"
)

// All gives every contender, in order.
func All() []Contender {
	return []Contender{
		{ID: "P0", Name: "plain cache-aside", Open: openPlain},
		{ID: "P1", Name: "flight on the leader's context", Open: openLeaderFlight},
		{ID: "P2", Name: "detached flight", Open: openDetachedFlight},
		{ID: "P3", Name: "lock convoy", Open: openConvoy},
		{ID: "P4", Name: "SET NX lock and polling", Open: openPolling},
		{ID: "P5", Name: "probabilistic early refresh", Open: openEarly},
		{ID: "P6", Name: "StrictPolicy, stale off", Open: openStrict, Library: true},
		{ID: "P7", Name: "SurvivePolicy", Open: openSurvive, Library: true},
		{ID: "P8", Name: "SurvivePolicy, leases", Open: openFleet, Library: true, Fenced: true},
	}
}

// plain is what P0 to P5 share: a look into the store, a load that is remembered, and the words for what came of it. Absences are remembered too,
// which is more than most such code does.
type plain struct {
	node Node
}

// P0: look, load, set. Every caller that misses loads for itself.
type aside struct{ plain }

func openPlain(node Node) (Reader, error) { return aside{plain{node}}, nil }

func (a aside) Get(ctx context.Context, key uint64) Answer {
	answer, found := a.look(ctx, key)
	if found {
		return answer
	}
	return a.load(ctx, key)
}

// look answers from the store. A store that fails is a miss, as in most such code.
func (p plain) look(ctx context.Context, key uint64) (Answer, bool) {
	entry, found, err := p.node.Store.Get(ctx, key)
	if err != nil || !found {
		return Answer{}, false
	}
	return hit(entry), true
}

func hit(entry Entry) Answer {
	if entry.Row.Version == 0 {
		return Answer{Ending: Absent}
	}
	return Answer{Ending: Hit, Row: entry.Row}
}

// load asks the source on the given context and sets what it gave.
func (p plain) load(ctx context.Context, key uint64) Answer {
	begun := time.Now()
	row, err := p.node.Source.Load(ctx, key)
	ttl := p.node.TTL.Soft
	switch {
	case errors.Is(err, ErrNoRow):
		row, ttl = Row{}, p.node.TTL.Negative
	case err != nil:
		return failed(ctx, err)
	}
	entry := Entry{Row: row, Cost: time.Since(begun), ExpiresAt: time.Now().Add(ttl)}
	_ = p.node.Store.Set(ctx, key, entry, ttl) // the caller has its row; the next one will load again
	answer := hit(entry)
	if answer.Ending == Hit {
		answer.Ending = Loaded
	}
	return answer
}

// failed puts a failure into words: whoever has run out of time has timed out, whatever the error says.
func failed(ctx context.Context, err error) Answer {
	switch {
	case ctx.Err() != nil:
		return Answer{Ending: TimedOut}
	case errors.Is(err, ErrSource):
		return Answer{Ending: Failed, Reason: "source"}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Answer{Ending: Failed, Reason: "another caller's context"}
	default:
		return Answer{Ending: Failed, Reason: "other"}
	}
}

func (p plain) Invalidate(ctx context.Context, key uint64) error {
	return p.node.Store.Delete(ctx, key)
}

func (p plain) Close(context.Context) error { return nil }
