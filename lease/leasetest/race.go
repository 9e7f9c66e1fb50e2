package leasetest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cacheaside/resilience/lease"
)

const (
	takers = 16
	rounds = 10

	patience = 30 * time.Second // of a race that does not end
)

func raceAssertions() []Assertion {
	return []Assertion{
		assertion(14, "of sixteen concurrent takers exactly one is granted, at rest, at the instant of expiry and at the instant of release", checkRace),
	}
}

func checkRace(p *probe) {
	for round := range rounds {
		key := fmt.Sprint("raced ", round)
		p.race(key, "at rest", func() {})
		p.take(p.subject.Store, key+" expiring", "old")
		p.race(key+" expiring", "at the instant of expiry", func() { p.advance(ttl) })
		old := p.take(p.subject.Store, key+" released", "old")
		p.race(key+" released", "at the instant of release", func() {
			p.release(p.subject.Second, key+" released", old.Token, lease.NotLost)
		})
	}
}

// race lets the takers ask over both clients until one of them is granted the key. Each asks once; those that find it held by the old owner ask again,
// and again, while the event happens.
func (p *probe) race(key, when string, event func()) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), patience)
	defer cancel()
	results := make([]lease.Acquired, takers)
	errs := make([]error, takers)
	ask := func(i int) {
		results[i], errs[i] = p.both()[i%2].Acquire(ctx, key, fmt.Sprint("taker-", i), lease.NewRequestID(), ttl)
	}
	start, happening := make(chan struct{}), make(chan struct{})
	var running, asked sync.WaitGroup
	asked.Add(takers)
	for i := range takers {
		running.Go(func() {
			<-start
			ask(i)
			asked.Done()
			<-happening
			for errs[i] == nil && results[i].Owner == "old" {
				ask(i)
			}
		})
	}
	close(start)
	asked.Wait()
	close(happening)
	event()
	running.Wait()
	p.wantOneWinner(key, when, results, errs)
}

func (p *probe) wantOneWinner(key, when string, results []lease.Acquired, errs []error) {
	p.Helper()
	winner, granted := 0, 0
	for i, result := range results {
		if errs[i] != nil {
			p.Fatalf("%s a taker is told %v", when, errs[i])
		}
		if result.Kind != lease.Held {
			winner = i
			granted++
		}
	}
	if granted != 1 {
		p.Fatalf("%s %d of %d takers are granted the key, want 1", when, granted, takers)
	}
	for _, result := range results {
		if name := fmt.Sprint("taker-", winner); result.Kind == lease.Held && result.Owner != name {
			p.Fatalf("%s a taker is told of the owner %q, want %q", when, result.Owner, name)
		}
	}
	p.wantLive(key, fmt.Sprint("taker-", winner), results[winner].Grant.Token)
}
