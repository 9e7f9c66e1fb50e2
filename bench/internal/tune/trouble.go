package tune

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/cacheaside/resilience/bench/internal/sim"
)

// trouble is a [[fault]] of a file.
type trouble struct {
	number   int // in the file, from 1
	kind     kind
	amount   float64 // of kinds that have one
	from, to time.Duration
}

// kind is what may go wrong.
type kind struct {
	name   string
	amount string // what the file calls how bad it is: "factor", "part" or ""
	rule   string // of the amount
	fits   func(float64) bool
	moment bool // happens at from and has no to
	alone  bool // leaves nothing for another trouble of its side at the same time
	// One of these.
	store  sim.StoreFaultKind
	source func(f *sim.SourceFault, amount float64)
	hangs  bool
}

func kinds() []kind {
	return []kind{
		{
			name: "source-slow", amount: "factor", rule: "must be more than 1 and at most 1000", fits: func(x float64) bool { return x > 1 && x <= 1000 },
			source: func(f *sim.SourceFault, amount float64) { f.Slower = amount },
		},
		{
			name: "source-capacity", amount: "part", rule: "must be more than 0 and less than 1", fits: func(x float64) bool { return x > 0 && x < 1 },
			source: func(f *sim.SourceFault, amount float64) { f.Capacity = amount },
		},
		{
			name: "source-errors", amount: "part", rule: "must be more than 0 and at most 1", fits: func(x float64) bool { return x > 0 && x <= 1 },
			source: func(f *sim.SourceFault, amount float64) { f.Errors = amount },
		},
		{name: "source-down", alone: true, source: func(f *sim.SourceFault, _ float64) { f.Down = true }},
		{name: "source-hang", alone: true, hangs: true},
		{name: "store-refuse", alone: true, store: sim.Refuse},
		{name: "store-black-hole", alone: true, store: sim.BlackHole},
		{name: "store-slow", alone: true, store: sim.Slow},
		{name: "store-flush", moment: true, store: sim.Flush},
		{name: "store-failover", moment: true, store: sim.Failover},
	}
}

func kindNames() string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

// bars tells why one trouble cannot be while the other is: a source or a store can be in one state at a time. Moments are in nobody's way.
func (t trouble) bars(other trouble) bool {
	if (t.kind.store == 0) != (other.kind.store == 0) || t.kind.moment || other.kind.moment || t.from >= other.to || other.from >= t.to {
		return false
	}
	return t.kind.alone || other.kind.alone || t.kind.name == other.kind.name
}

// String says what it is and when, for parameters and drawings.
func (t trouble) String() string {
	text := t.kind.name
	if t.kind.amount != "" {
		text += fmt.Sprintf(" %s %s", t.kind.amount, plainly(t.amount))
	}
	if t.kind.moment {
		return text + fmt.Sprintf(" at %v", t.from)
	}
	return text + fmt.Sprintf(" from %v to %v", t.from, t.to)
}

// mostFaults is how many a file may hold.
const mostFaults = 100

// troubles reads the faults of a file.
func (r *reader) troubles(at node) {
	if at.tables == nil {
		r.add(at.line, "fault", written(at.value), "must be written as [[fault]], one for each")
		return
	}
	if len(at.tables) > mostFaults {
		r.add(0, "fault", "", fmt.Sprintf("is there %d times, must be at most %d times", len(at.tables), mostFaults))
		return
	}
	for n, table := range placed(r.text, "fault", at.tables) {
		t, ok := r.trouble(fmt.Sprintf("fault[%d]", n+1), table)
		if !ok {
			continue
		}
		t.number = n + 1
		for _, earlier := range r.config.troubles {
			if t.bars(earlier) {
				r.add(table.line, fmt.Sprintf("fault[%d]", n+1), t.String(), fmt.Sprintf("must not be at the same time as fault[%d], %v", earlier.number, earlier))
			}
		}
		r.config.troubles = append(r.config.troubles, t)
	}
}

func (r *reader) trouble(name string, table node) (t trouble, ok bool) {
	before := len(r.list)
	k := r.kind(name, table)
	if k == nil {
		return trouble{}, false
	}
	t.kind = *k
	t.from = r.moment(name, "from", table)
	if t.to = t.from; !k.moment {
		t.to = r.moment(name, "to", table)
	}
	if k.amount != "" {
		t.amount = r.amount(name, table, *k)
	}
	for _, unfit := range []string{"to", "factor", "part"} {
		if given, there := table.fields[unfit]; there && unfit != k.amount && (unfit != "to" || k.moment) {
			r.add(given.line, name+"."+unfit, written(given.value), "must be left out: "+k.name+" has none")
		}
	}
	for field, given := range table.fields {
		if !slices.Contains([]string{"kind", "from", "to", "factor", "part"}, field) {
			r.unknown(given.line, name+"."+toml.Key{field}.String(), "[[fault]]", []string{"kind", "from", "to", "factor", "part"})
		}
	}
	if len(r.list) == before && !k.moment && t.to <= t.from {
		r.add(table.fields["to"].line, name+".to", t.to.String(), fmt.Sprintf("must be later than from (%v)", t.from))
	}
	return t, len(r.list) == before
}

func (r *reader) kind(name string, table node) *kind {
	given, there := table.fields["kind"]
	if !there {
		r.add(table.line, name+".kind", "", "is missing; must be one of "+kindNames())
		return nil
	}
	for _, k := range kinds() {
		if given.value == k.name {
			return &k
		}
	}
	r.add(given.line, name+".kind", written(given.value), "must be one of "+kindNames())
	return nil
}

func (r *reader) moment(name, field string, table node) (at time.Duration) {
	given, there := table.fields[field]
	if !there {
		r.add(table.line, name+"."+field, "", "is missing; "+notDuration+", counted from the end of the warm-up")
		return 0
	}
	limit := r.config.setup.Length
	text, _ := given.value.(string)
	at, err := time.ParseDuration(text)
	switch {
	case err != nil:
		r.add(given.line, name+"."+field, written(given.value), notDuration)
	case at < 0 || at > limit && r.sound("run.length"):
		r.add(given.line, name+"."+field, at.String(), fmt.Sprintf("must be 0s to run.length (%v)", limit))
	}
	return at
}

func (r *reader) amount(name string, table node, k kind) float64 {
	given, there := table.fields[k.amount]
	if !there {
		r.add(table.line, name+"."+k.amount, "", "is missing; "+k.name+" needs it, and it "+k.rule)
		return 0
	}
	amount, isNumber := numeral(given.value)
	if !isNumber || !k.fits(amount) {
		r.add(given.line, name+"."+k.amount, written(given.value), k.rule)
	}
	return amount
}
