package explore

import (
	"fmt"
	"strings"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// event is one thing that an actor learned. All that goes on in a process is determined by what it was told, and when: two processes of one history
// are in the same state, whatever the others did meanwhile. A process at rest starts a new history.
type event struct {
	at         time.Time
	what       string
	write      int // what was observed
	soft, hard time.Time
	fence      cacheaside.Fence // that it was granted
}

func (a *actor) happened(what string) {
	a.history = append(a.history, event{at: time.Now(), what: what})
}

// State implements [System]: the store, the source, what is on its way, the promises made so far, and the histories of the actors, with every time
// relative to now and every write of the store named by where it is met first.
func (f *Fills) State() string {
	f.takeIn()
	t := &stateText{now: time.Now(), names: map[int]int{0: 0}, asked: map[cacheaside.RequestID]int{{}: 0}, past: -2 * FillSkew}
	f.rankLoads(t)
	fmt.Fprintf(t, "row %d settled %d/%d left %v ending %d writing", f.version, f.floor, t.rank(f.newer), f.left, f.ending)
	if w := f.writing; w != nil {
		fmt.Fprintf(t, " %d %d %t %t", w.version, t.rank(w.loads), w.on, w.applied)
	}
	s := f.store
	fmt.Fprintf(t, "\nstore %d %d %t %s %s", t.name(s.current), s.holds.Version, s.tomb, t.until(s.soft), t.until(s.hard))
	f.fenceText(t)
	for _, a := range f.actors {
		fmt.Fprintf(t, "\nactor %d %t", len(a.gets), a.crashed)
		if a.crashed {
			continue
		}
		for _, g := range a.gets {
			if !g.done {
				fmt.Fprintf(t, " (get%d %s %d/%d %s %t %t)", g.number, t.since(g.begun), g.floor, t.rank(g.newer), t.since(g.looked), g.blind, g.tomb)
			}
		}
		for _, e := range a.history {
			fmt.Fprintf(t, "\n  %s %s %d %s %s", t.since(e.at), e.what, t.name(e.write), t.until(e.soft), t.until(e.hard))
			f.proofText(t, e.fence)
		}
	}
	for _, call := range f.parking.Waiting() {
		p := told(call)
		fmt.Fprintf(t, "\ncall %s %s %t", call.Name(), t.since(call.Since), p.done)
		switch call.Kind {
		case kindLookup:
			fmt.Fprintf(t, " %d/%d %d %d %s %s", p.found.Kind, p.found.Miss, p.found.Value.Version, t.name(p.write),
				t.until(p.found.SoftExpiresAt), t.until(p.found.HardExpiresAt))
		case kindAcquire, kindRelease, kindCheck, kindPut:
			f.askText(t, call.What)
			fmt.Fprintf(t, " %d %s %t %d/%d", p.grant.Kind, p.grant.Remaining, p.passed, p.outcome.Certainty, p.outcome.Reason)
			f.proofText(t, p.grant.Fence)
		case kindLoad:
			fmt.Fprintf(t, " %d %t %d", p.row.Version, p.load.marked, t.rank(p.load.number))
		default:
			f.writeText(t, call.What)
			fmt.Fprintf(t, " %d/%d %s %s", p.outcome.Certainty, p.outcome.Reason, t.until(p.outcome.SoftExpiresAt), t.until(p.outcome.HardExpiresAt))
		}
	}
	for _, g := range f.ghosts {
		fmt.Fprintf(t, "\nghost a%d %s", g.actor.index, t.until(g.until))
		f.writeText(t, g.what)
	}
	return t.String()
}

func (f *Fills) writeText(t *stateText, what any) {
	if record, ok := what.(recording); ok {
		seen := f.store.seen[record.condition.Observation]
		fmt.Fprintf(t, " v%d %s over %d %t denied %t", record.entry.Value.Version, t.since(record.entry.LoadedAt), t.name(seen.write), seen.orGone,
			f.loads[record.entry.Value.Load].denied)
		f.proofText(t, record.fence)
		return
	}
	f.askText(t, what)
}

// rankLoads notes the loads whose failure may still be an answer.
func (f *Fills) rankLoads(t *stateText) {
	mayFail := f.left.faults > 0 && !f.cfg.Blind
	for _, l := range f.loads {
		if mayFail && !l.returned || l.failed && len(l.actor.history) > 0 {
			t.loads = append(t.loads, l.number)
		}
	}
}

// stateText builds the text of a state.
type stateText struct {
	strings.Builder

	now   time.Time
	names map[int]int
	asked map[cacheaside.RequestID]int
	loads []int         // the numbers of those whose failure may still be an answer
	past  time.Duration // what is further in the past than this is over for everybody, however long
}

// name gives the writes numbers in the order in which the text names them.
func (t *stateText) name(write int) int {
	if _, named := t.names[write]; !named {
		t.names[write] = len(t.names)
	}
	return t.names[write]
}

// rank tells how many of those loads have a number up to this one: all that matters of it.
func (t *stateText) rank(number int) (rank int) {
	for _, load := range t.loads {
		if load <= number {
			rank++
		}
	}
	return rank
}

func (t *stateText) since(then time.Time) string {
	if then.IsZero() {
		return "-"
	}
	return t.now.Sub(then).String()
}

func (t *stateText) until(then time.Time) string {
	if then.IsZero() {
		return "-"
	}
	return max(then.Sub(t.now), t.past).String()
}
