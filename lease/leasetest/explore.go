package leasetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cacheaside/resilience/lease"
)

// Exploration is an assertion over schedules. Two clients, of which the second's clock is off by half a lease, a lease and ten leases either way, go
// through every schedule of so many steps; three clients go through so many random walks of 40 steps from a seed. A step is a client's next call, or
// half a lease that passes; in a walk also a whole lease, a microsecond, or a lease but for a microsecond. A client asks for the lease, asks again
// with the same request and with another, renews, releases, and then renews what it has released, whatever became of it in between. After each step
// the answer, and what an inspection tells, must be those of the rules. It needs a clock that stands still; a subject without Skewed goes through the
// schedules once.
//
// The schedules are 3 to the power of depth, six times.
func Exploration(depth, walks int, seed uint64) Assertion {
	return Assertion{
		Name: fmt.Sprintf("every schedule of two clients to the depth of %d, and %d walks of three, keep the rules", depth, walks),
		Check: func(t testing.TB, subject Subject) {
			t.Helper()
			p := newProbe(t, subject)
			p.needs(subject.StandsStill, "clock that stands still")
			for _, other := range others(subject) {
				p.exploreAll(other.name, []lease.Store{subject.Store, other.store}, depth)
			}
			p.walkAll(walks, seed)
		},
	}
}

// RunExploration runs [Exploration] as a subtest.
func RunExploration(t *testing.T, newSubject NewSubject, depth, walks int, seed uint64) {
	t.Helper()
	a := Exploration(depth, walks, seed)
	t.Run(a.Name, func(t *testing.T) { a.Check(t, newSubject(t, options())) })
}

type otherClient struct {
	name  string
	store lease.Store
}

// others are the second clients.
func others(s Subject) []otherClient {
	if s.Skewed == nil {
		return []otherClient{{"not off", s.Second}}
	}
	var list []otherClient
	for _, off := range []time.Duration{ttl / 2, ttl, 10 * ttl} {
		list = append(list, otherClient{"off by " + off.String(), s.Skewed(off)}, otherClient{"off by -" + off.String(), s.Skewed(-off)})
	}
	return list
}

// exploreAll counts through the schedules in base 3, each on a key of its own.
func (p *probe) exploreAll(name string, stores []lease.Store, depth int) {
	p.Helper()
	schedules := 1
	for range depth {
		schedules *= 3
	}
	for n := range schedules {
		run := newSchedule(p, fmt.Sprint(name, " ", n), stores)
		for rest, step := n, 0; step < depth; rest, step = rest/3, step+1 {
			if choice := rest % 3; choice < len(stores) {
				run.move(run.clients[choice])
			} else {
				run.pass(ttl / 2)
			}
		}
	}
}

func (p *probe) walkAll(walks int, seed uint64) {
	p.Helper()
	random := rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // a schedule is no secret
	list := others(p.subject)
	passes := []time.Duration{ttl / 2, ttl / 2, ttl, tick, ttl - tick}
	for n := range walks {
		run := newSchedule(p, fmt.Sprint("walk ", n), []lease.Store{p.subject.Store, p.subject.Second, list[n%len(list)].store})
		for range 40 {
			if choice := random.IntN(5); choice < len(run.clients) {
				run.move(run.clients[choice])
			} else {
				run.pass(passes[random.IntN(len(passes))])
			}
		}
	}
}
