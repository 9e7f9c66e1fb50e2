package servers_test

import (
	"slices"
	"strings"

	"github.com/cacheaside/resilience/internal/redistest"
)

// effects is what servers executed on behalf of the book.
type effects struct {
	writes map[string]int // of an entry, by its name
	twice  int            // the same bytes set under the same name
}

// effectsOf counts what the monitors saw change an entry: a SET with bytes that no other SET has, since every entry has a write id, and a RENAME.
func effectsOf(monitors ...*redistest.Monitor) effects {
	e := effects{writes: map[string]int{}}
	set := map[[2]string]bool{}
	for _, m := range monitors {
		for _, command := range m.Commands() {
			args := command.Args
			switch name := command.Name(); {
			case name == "SET" && len(args) > 2 && strings.HasPrefix(args[1], namespace+":"):
				what := [2]string{args[1], args[2]}
				if set[what] {
					e.twice++
				}
				set[what] = true
				if strings.HasSuffix(args[1], "}:v") {
					e.writes[args[1]]++
				}
			case (name == "RENAME" || name == "RENAMENX") && len(args) == 3 && command.InScript():
				e.writes[args[2]]++
			}
		}
	}
	return e
}

// wantEffects fails where a mutation was executed twice, and, where exact, where a page was not changed exactly as often as it was told.
func (tr *trial) wantEffects(exact bool, monitors ...*redistest.Monitor) {
	tr.t.Helper()
	e := effectsOf(monitors...)
	if e.twice > 0 {
		tr.t.Errorf("%d writes were executed twice", e.twice)
	}
	names := newNaming()
	total := 0
	for _, p := range tr.book.pages {
		executed := e.writes[names.physical(bookRegion, p.key)]
		total += executed
		if exact && executed != p.applied {
			tr.t.Errorf("%s: %d mutations were executed, %d told as applied", p.key, executed, p.applied)
		}
	}
	if total == 0 {
		tr.t.Error("the monitors saw nothing")
	}
}

// named tells the counts whose names begin so.
func named(prefixes ...string) func(string) bool {
	return func(what string) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(what, prefix) })
	}
}
