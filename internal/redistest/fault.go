package redistest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Fault is one disturbance a [Proxy] inflicts. Only Kind is always needed; a
// field that the kind has no use for must be zero.
type Fault struct {
	Kind Kind
	// Commands are the names of the commands that are hit, in any case; none
	// means every command, the handshake's (HELLO, CLIENT, AUTH) included.
	Commands []string
	// After lets so many of those commands pass first.
	After int
	// Times ends the fault after it has hit so many; 0 means it goes on.
	Times int
	// Bytes is how much of the request or reply is let through.
	Bytes int
	// Delay is how long Delay delays.
	Delay time.Duration
	// Until releases Hold and StallRequest when it is closed; so do the next
	// Inject and Heal, and nil leaves it to them.
	Until <-chan struct{}
}

// FaultError is a fault that makes no sense: which field, and the rule it breaks.
type FaultError struct {
	Field, Rule string
	Value       any
}

func (e *FaultError) Error() string {
	return fmt.Sprintf("redistest: Fault.%s is %v: %s", e.Field, e.Value, e.Rule)
}

func (f Fault) check() error {
	switch k := f.Kind; {
	case !k.known():
		return &FaultError{"Kind", "must be one of the constants", k}
	case k.ofConnections() && len(f.Commands) > 0:
		return &FaultError{"Commands", k.String() + " knows no commands", f.Commands}
	case f.After < 0 || k.ofConnections() && f.After > 0:
		return &FaultError{"After", "must not be negative, nor set for faults of connections", f.After}
	case f.Times < 0 || k.ofConnections() && f.Times > 0:
		return &FaultError{"Times", "must not be negative, nor set for faults of connections", f.Times}
	case f.Bytes < 0 || f.Bytes > 0 && !k.countsBytes():
		return &FaultError{"Bytes", "must not be negative, nor set where nothing is let through", f.Bytes}
	case (f.Delay > 0) != (k == Delay) || f.Delay < 0:
		return &FaultError{"Delay", "must be positive for Delay and zero for every other kind", f.Delay}
	case f.Until != nil && !k.releasable():
		return &FaultError{"Until", "only Hold and StallRequest are released", "set"}
	}
	return nil
}

// plan is what a proxy does until the next Inject or Heal.
type plan struct {
	ended chan struct{} // closed by what follows

	mu    sync.Mutex
	rules []rule // guarded by mu
}

type rule struct {
	fault      Fault
	seen, hits int
}

// newPlan checks and copies faults.
func newPlan(faults []Fault) (*plan, error) {
	p := &plan{ended: make(chan struct{})}
	for _, fault := range faults {
		if err := fault.check(); err != nil {
			return nil, err
		}
		fault.Commands = slices.Clone(fault.Commands)
		for i, name := range fault.Commands {
			fault.Commands[i] = strings.ToUpper(name)
		}
		p.rules = append(p.rules, rule{fault: fault})
	}
	return p, nil
}

// ofConnections returns the first fault of connections, or 0.
func (p *plan) ofConnections() Kind {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.rules {
		if r.fault.Kind.ofConnections() {
			return r.fault.Kind
		}
	}
	return 0
}

// hit decides the fate of one command, by its name in upper case: the first
// fault that is due for it, or nil.
func (p *plan) hit(name string) *hit {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.rules {
		r := &p.rules[i]
		if r.fault.Kind.ofConnections() || len(r.fault.Commands) > 0 && !slices.Contains(r.fault.Commands, name) {
			continue
		}
		r.seen++
		if r.seen <= r.fault.After || r.fault.Times > 0 && r.hits == r.fault.Times {
			continue
		}
		r.hits++
		return &hit{Fault: r.fault, ended: p.ended}
	}
	return nil
}

// hit is a fault that has met its command.
type hit struct {
	Fault
	ended <-chan struct{} // closed when the fault's plan is over
}
