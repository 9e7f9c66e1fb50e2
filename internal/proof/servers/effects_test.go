package servers_test

import (
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
)

// effects is what servers executed on behalf of a trial, as monitors saw it.
type effects struct {
	monitors []*redistest.Monitor
	writes   map[string]int // of an entry, by its name
	set      map[[sha256.Size]byte]bool
	twice    int            // the same bytes set under the same name
	commands map[string]int // that clients sent, by their names
}

func watch(servers ...*redistest.Server) *effects {
	e := &effects{writes: map[string]int{}, set: map[[sha256.Size]byte]bool{}, commands: map[string]int{}}
	for _, server := range servers {
		e.monitors = append(e.monitors, server.Monitor())
	}
	return e
}

// take counts what the monitors saw since the last time and lets them forget it: an entry changes by a SET, of bytes that no other SET has since every
// entry has a write id, and by a RENAME. The traffic is held meanwhile, so that nothing comes between.
func (e *effects) take(tr *trial) {
	tr.t.Helper()
	tr.gate.Lock()
	defer tr.gate.Unlock()
	for _, m := range e.monitors {
		for _, command := range m.Commands() {
			e.add(command)
		}
		m.Reset()
	}
}

func (e *effects) add(command redistest.Command) {
	args := command.Args
	if !command.InScript() {
		e.commands[command.Name()]++
	}
	switch name := command.Name(); {
	case name == "SET" && len(args) > 2 && strings.HasPrefix(args[1], namespace+":"):
		what := sha256.Sum256([]byte(args[1] + "\n" + args[2]))
		if e.set[what] {
			e.twice++
		}
		e.set[what] = true
		if strings.HasSuffix(args[1], "}:v") {
			e.writes[args[1]]++
		}
	case (name == "RENAME" || name == "RENAMENX") && len(args) == 3 && command.InScript():
		e.writes[args[2]]++
	}
}

// judge fails where a mutation was executed twice, and, where exact, where a page was not changed exactly as often as it was told.
func (e *effects) judge(tr *trial, exact bool) {
	tr.t.Helper()
	e.take(tr)
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

func TestAWriteThatIsExecutedTwiceIsSeen(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	tr := newTrial(t, server.Client(), setup{})
	e := watch(server)
	name := newNaming().physical(bookRegion, tr.book.pages[0].key)
	for _, value := range []string{"a", "b", "a"} {
		if err := server.Client().Set(t.Context(), name, value, life).Err(); err != nil {
			t.Fatal(err)
		}
	}
	e.take(tr)
	if e.twice != 1 || e.writes[name] != 3 {
		t.Errorf("%d of %d writes were seen twice; want 1 of 3", e.twice, e.writes[name])
	}
}
