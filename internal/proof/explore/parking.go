package explore

import (
	"cmp"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Parking is where the calls of a system's actors wait until the explorer lets them go on. The zero value is empty. [Parking.Park] is for the
// actors' goroutines, everything else for the explorer at a quiescent point.
type Parking struct {
	mu     sync.Mutex
	calls  map[string]*Parked
	counts map[string]int
	closed bool
}

// Parked is one call that waits.
type Parked struct {
	Actor  int
	Issuer string    // the operation of the actor that makes the call
	Kind   string    // what is called
	Since  time.Time // when it came
	Until  time.Time // when whoever made it gives it up; zero is never
	What   any       // the arguments

	// Told is the system's own: what became of the call so far.
	Told any

	name  string
	reply chan any
}

// Name is the same in every run in which the same choices were made: the actor, the issuer, the kind, and how many such calls there were before.
func (c *Parked) Name() string { return c.name }

// Park waits for the explorer's reply. It returns nil at once where the parking is closed.
func (p *Parking) Park(call *Parked) (reply any) {
	call.reply = make(chan any, 1)
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	if p.calls == nil {
		p.calls, p.counts = make(map[string]*Parked), make(map[string]int)
	}
	kind := "a" + strconv.Itoa(call.Actor) + " " + call.Issuer + " " + call.Kind
	p.counts[kind]++
	call.name = kind + strconv.Itoa(p.counts[kind])
	p.calls[call.name] = call
	p.mu.Unlock()
	return <-call.reply
}

// Waiting gives the calls that wait, by name.
func (p *Parking) Waiting() []*Parked {
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := make([]*Parked, 0, len(p.calls))
	for _, call := range p.calls {
		calls = append(calls, call)
	}
	slices.SortFunc(calls, func(a, b *Parked) int { return cmp.Compare(a.name, b.name) })
	return calls
}

// Release lets a call go on with a reply.
func (p *Parking) Release(call *Parked, reply any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls[call.name] == call {
		delete(p.calls, call.name)
		call.reply <- reply
	}
}

// Strand takes a call out without a reply: whoever made it waits until [Parking.Close] and beyond, as in a process that is gone. It gives what lets
// the call go at last.
func (p *Parking) Strand(call *Parked) (release func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.calls, call.name)
	return sync.OnceFunc(func() { call.reply <- nil })
}

// Close lets everything go on with a nil reply, now and from now on.
func (p *Parking) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, call := range p.calls {
		call.reply <- nil
	}
	clear(p.calls)
}
