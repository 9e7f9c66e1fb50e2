package linear_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// register is what one key holds: nothing, a value or a tombstone. Every value has a number of its own. A tombstone has none until a lookup has seen
// it and told by which observation it is known.
type register struct {
	value       int
	tombstone   bool
	observation string
	over        bool // all that is certain has happened
}

func (r register) empty() bool { return r.value == 0 && !r.tombstone }

type verb string

const (
	lookup     verb = "lookup"
	record     verb = "record"
	invalidate verb = "invalidate"
	remove     verb = "delete"
	end        verb = "end"
)

// operation is what a client asked for, and its answer.
type operation struct {
	client int
	verb   verb
	key    string
	value  int    // that is recorded
	asked  sight  // what a record asks to be there
	large  bool   // a value that is swapped in from a key of its own
	seen   sight  // by a lookup
	result result // of everything else
	began  time.Duration
	ended  time.Duration
}

// sight is what a lookup saw; the zero value is nothing.
type sight struct {
	value       int
	tombstone   bool
	observation string
}

func (s sight) String() string {
	switch {
	case s.tombstone:
		return fmt.Sprintf("tombstone %.4x", s.observation)
	case s.value > 0:
		return fmt.Sprintf("value %d", s.value)
	}
	return "nothing"
}

func (s sight) none() bool { return s.value == 0 && !s.tombstone }

// result is what became of a write.
type result string

const (
	applied result = "applied"
	refused result = "refused" // something else is there
	gone    result = "gone"    // what was observed is not there any more
	unknown result = "unknown"
	nothing result = "nothing" // it certainly had no effect, and tells nothing about the register; or a lookup that failed
)

func (o operation) String() string {
	what := fmt.Sprintf("%12v %12v client %d %s", o.began, o.ended, o.client, o.verb)
	switch o.verb {
	case lookup:
		return what + ": " + o.seen.String()
	case record:
		return fmt.Sprintf("%s %d over %s (large %t): %s", what, o.value, o.asked, o.large, o.result)
	case invalidate, remove, end:
	}
	return fmt.Sprintf("%s: %s", what, o.result)
}

// holds tells whether a write would have its effect on the register.
func (o operation) holds(r register) bool {
	switch {
	case o.verb != record:
		return true
	case o.asked.tombstone:
		return r.empty() || r.tombstone && r.observation == o.asked.observation
	case o.asked.none():
		return r.empty()
	}
	return !r.tombstone && r.value == o.asked.value
}

func (o operation) after() register {
	switch o.verb {
	case record:
		return register{value: o.value}
	case invalidate:
		return register{tombstone: true}
	case lookup, remove, end:
	}
	return register{}
}

// step tells whether an operation may have had its answer at a moment at which the register was r, and what the register is then.
func step(r register, o operation) (bool, register) {
	switch {
	case o.verb == end:
		r.over = true
		return true, r
	case o.verb == lookup && o.seen.tombstone:
		fits := r.tombstone && (r.observation == "" || r.observation == o.seen.observation)
		r.observation = o.seen.observation
		return fits, r
	case o.verb == lookup:
		return !r.tombstone && r.value == o.seen.value, r
	}
	switch o.result {
	case applied:
		return o.holds(r), o.after()
	case refused:
		return !o.holds(r) && !r.empty(), r
	case gone:
		return r.empty() && !o.holds(r), r
	case unknown:
		// One that never had an effect comes after the end. One that changes nothing is one of those too, and not tried elsewhere: with many of them
		// the checker would never be done.
		if r.over {
			return true, r
		}
		return o.holds(r) && r != o.after(), o.after()
	case nothing:
	}
	return false, r
}

var model = porcupine.Model{
	Init: func() any { return register{} },
	Step: func(state, input, _ any) (bool, any) {
		r, isRegister := state.(register)
		o, isOperation := input.(operation)
		if !isRegister || !isOperation {
			return false, state
		}
		return step(r, o)
	},
}

// history is what happened to all keys.
type history []operation

// judge gives the first thing that no order of the operations explains, or nil.
func (h history) judge(limit time.Duration) error {
	written, byKey := map[string]map[int]bool{}, map[string]history{}
	for _, o := range h {
		if o.verb == record {
			if written[o.key] == nil {
				written[o.key] = map[int]bool{}
			}
			written[o.key][o.value] = true
		}
		if o.result != nothing {
			byKey[o.key] = append(byKey[o.key], o)
		}
	}
	for key, ops := range byKey {
		for _, o := range ops {
			if o.verb == lookup && o.seen.value != 0 && !written[key][o.seen.value] {
				return fmt.Errorf("key %s: a value was read that was never written there: %s", key, o)
			}
		}
		if verdict := porcupine.CheckOperationsTimeout(model, ops.operations(), limit); verdict != porcupine.Ok {
			return fmt.Errorf("key %s: %s\n%s", key, verdict, ops)
		}
	}
	return nil
}

// operations puts a key's history into the checker's words.
func (h history) operations() (all []porcupine.Operation) {
	var last time.Duration
	for _, o := range h {
		op := porcupine.Operation{ClientId: o.client, Input: o, Call: int64(o.began), Return: int64(o.ended)}
		if o.result == unknown {
			op.Return = math.MaxInt64
		}
		last = max(last, o.began, o.ended)
		all = append(all, op)
	}
	return append(all, porcupine.Operation{Input: operation{verb: end}, Call: int64(last) + 1, Return: int64(last) + 2})
}

func (h history) String() string {
	sorted := slices.SortedFunc(slices.Values(h), func(a, b operation) int { return int(a.began - b.began) })
	lines := make([]string, len(sorted))
	for i, o := range sorted {
		lines[i] = o.String()
	}
	return strings.Join(lines, "\n")
}
