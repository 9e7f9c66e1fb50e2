package explore

import (
	"errors"
	"fmt"
	"time"
)

// ErrUngranted is in the chain of a violation in which what was loaded without a grant is stored.
var ErrUngranted = errors.New("explore: what was loaded without a grant is stored")

// ErrTwoGrants is in the chain of a violation in which a grant is given while another one is live.
var ErrTwoGrants = errors.New("explore: two grants are live")

// ErrGrantKept is in the chain of a violation in which a grant was not given back.
var ErrGrantKept = errors.New("explore: nobody loads, and the grant was not given back")

// ErrLowToken is in the chain of a violation in which a token is not above the one before it.
var ErrLowToken = errors.New("explore: a token is not above the last")

// ErrLoadedTwice is in the chain of a violation in which a fleet loads what one of it loads already, or what it has.
var ErrLoadedTwice = errors.New("explore: the fleet loads twice")

// strict tells whether every promise of a fleet is checked, and not that about old values alone.
func (f *Fills) strict() bool { return f.fences != nil && (f.cfg.Strict || f.cfg.Fence.sound()) }

// checkGrant holds a fill that was accepted against the grant of its load.
func (f *Fills) checkGrant(l *load, what recording) {
	if f.strict() && l.number > 0 && (l.fence.Token == 0 || l.fence != what.fence) {
		f.broken = append(f.broken, fmt.Errorf("%w: %s under %v, its grant is %v", ErrUngranted, what.entry.Value.Load, what.fence, l.fence))
	}
}

// noteTrouble notes whether anything has happened for which a fleet may load more than once.
func (f *Fills) noteTrouble() {
	c, was := f.cfg, f.left
	was.timeSteps = c.TimeSteps
	f.upset = f.upset || was != budgets{c.Updates, c.Faults, c.Crashes, c.Leaves, c.Evictions, c.TimeSteps, c.Losses}
	for _, l := range f.loads {
		f.upset = f.upset || l.late || !l.returned && time.Since(l.begun) >= c.Policy.LoadDeadline
	}
}

// mayStay notes that a grant may outlive whoever it was given to: by what became of a call without its answer, or with a crash.
func (f *Fills) mayStay(call *Parked) {
	f.astray = f.astray || call.Kind == kindRelease || call.Kind == kindAcquire && !told(call).done
}

// checkGivenBack wants no grant to be live when nobody loads any more, but those that went astray.
func (f *Fills) checkGivenBack() {
	if f.strict() && !f.astray && f.fences.record.live(f.fences.now()) {
		f.broken = append(f.broken, fmt.Errorf("%w: it lives for another %s", ErrGrantKept, f.fences.record.expires.Sub(f.fences.now())))
	}
}

// checkOneLoad wants a load that begins to be the only one of the fleet, and needed, where everything works.
func (f *Fills) checkOneLoad(begun *load) {
	if !f.strict() {
		return
	}
	f.noteTrouble()
	if f.upset {
		return
	}
	for name, l := range f.loads {
		if l != begun && !l.returned {
			f.broken = append(f.broken, fmt.Errorf("%w: a%d loads while %s is on", ErrLoadedTwice, begun.actor.index, name))
		}
	}
	for _, call := range f.parking.Waiting() {
		if call.Kind == kindRecord && !told(call).done {
			f.broken = append(f.broken, fmt.Errorf("%w: a%d loads while %s is on", ErrLoadedTwice, begun.actor.index, call.Name()))
		}
	}
	if s := f.store; s.holds.Load != "" && time.Now().Add(begun.actor.clock.skew).Before(s.soft) {
		f.broken = append(f.broken, fmt.Errorf("%w: a%d loads what the store holds", ErrLoadedTwice, begun.actor.index))
	}
}

// brokenFences gives the promises that the store broke.
func (f *Fills) brokenFences() []error {
	if !f.strict() {
		return nil
	}
	return f.fences.watch.broken
}

// coordinating bounds what the coordination of a fleet adds to a call: its wait for others, the questions that are on when that ends, and those
// that are put again at once where the entry changes.
func (f *Fills) coordinating() time.Duration {
	if f.fences == nil {
		return 0
	}
	lease := leaseUnder(f.cfg.Policy)
	wait := f.cfg.Policy.HeldWait
	if wait == 0 {
		wait = 2 * lease
	}
	return max(wait, 0) + 4*(acquireTimeout+lookupTimeout)
}
