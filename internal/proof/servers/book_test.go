package servers_test

import (
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// token is what lies under a key: the number of a value, or one of the three below, which do not tell which of their kind they are.
type token string

const (
	absent    token = "nothing"
	negative  token = "an absence"
	tombstone token = "a tombstone"
)

func numbered(id int64) token { return token(fmt.Sprint("value ", id)) }

// losses is what a server may do to what it has acknowledged.
type losses int

const (
	nothingLost losses = iota
	mayVanish          // evicted, or gone with the process
	mayGoBack          // an older state may return as well: of a disk or a replica that lagged
)

// book knows for every key what may lie there. A key has one writer, so that the writer knows what its last outcome left.
type book struct {
	mu       sync.Mutex // guards everything below, the pages included
	losses   losses
	pages    []*page
	counts   map[string]int
	troubles []string
}

// page is one key.
type page struct {
	key      string
	possible map[token]bool // what a lookup of the writer may find
	ghosts   map[token]bool // of indeterminate outcomes: they may still come
	ever     map[token]bool // whatever was applied or may have been
	fate     map[token]cacheaside.Certainty
	seen     map[token]bool // by anybody
	applied  int            // how many mutations were told so
}

func newBook(keys []string) *book {
	b := &book{counts: map[string]int{}}
	for _, key := range keys {
		b.pages = append(b.pages, &page{
			key: key, possible: map[token]bool{absent: true}, ghosts: map[token]bool{}, ever: map[token]bool{},
			fate: map[token]cacheaside.Certainty{}, seen: map[token]bool{},
		})
	}
	return b
}

// trouble notes what must not be. The first few are enough to tell.
func (b *book) trouble(format string, args ...any) {
	if len(b.troubles) < 20 {
		b.troubles = append(b.troubles, fmt.Sprintf(format, args...))
	}
}

func (b *book) note(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trouble(format, args...)
}

func (b *book) count(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts[what]++
}

// total sums the counts whose names so has been asked for.
func (b *book) total(so func(what string) bool) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for what, count := range b.counts {
		if so(what) {
			n += count
		}
	}
	return n
}

func (b *book) snapshot() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.counts)
}

func (b *book) lose(what losses) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.losses = what
}

// read takes what a lookup told, of the writer or of another reader, and holds it against the page.
func (b *book) read(p *page, found cacheaside.Lookup[string], writer bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts[describeLookup(found)]++
	var lies token
	switch found.Kind {
	case cacheaside.LookupFresh, cacheaside.LookupStale:
		key, id, err := whole(found.Value)
		if err != nil || key != p.key {
			b.trouble("%s: served %d bytes that are of key %q, %v", p.key, len(found.Value), key, err)
			return
		}
		lies = numbered(id)
	case cacheaside.LookupNegative:
		lies = negative
	case cacheaside.LookupMiss:
		if lies = absent; found.Miss == cacheaside.MissInvalidated {
			lies = tombstone
		}
	case cacheaside.LookupUnavailable:
		return
	default:
		b.trouble("%s: %v %v", p.key, found.Kind, found.Entry)
		return
	}
	p.seen[lies] = true
	if writer {
		b.reconcile(p, lies)
	}
}

func (b *book) reconcile(p *page, lies token) {
	may := p.possible[lies] || p.ghosts[lies] ||
		b.losses >= mayVanish && lies == absent || b.losses == mayGoBack && p.ever[lies]
	if !may {
		b.trouble("%s: found %s where only %v can be, or %v yet to come", p.key, lies, keysOf(p.possible), keysOf(p.ghosts))
	}
	if lies != tombstone && p.ghosts[lies] && b.losses == nothingLost { // executed, and it is executed once
		delete(p.ghosts, lies)
		b.counts["late or undecided, found applied"]++
	}
	p.possible = map[token]bool{lies: true}
}

// begin notes a value that is about to be recorded.
func (b *book) begin(p *page, lies token) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.fate[lies] = cacheaside.RecordNone
}

// end takes the outcome of a mutation. Sure says that the writer had just seen the entry which the condition named, so that it must hold.
func (b *book) end(p *page, lies token, out cacheaside.RecordOutcome, sure bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts[describeOutcome(out)]++
	p.fate[lies] = out.Certainty
	switch out.Certainty {
	case cacheaside.RecordApplied:
		p.applied++
		p.ever[lies] = true
		p.possible = map[token]bool{lies: true}
		if b.losses == nothingLost {
			// What comes late meets another entry than it names, and only a tombstone names none.
			maps.DeleteFunc(p.ghosts, func(ghost token, _ bool) bool { return ghost != tombstone })
		}
	case cacheaside.RecordIndeterminate:
		p.ever[lies], p.ghosts[lies], p.possible[lies] = true, true, true
	case cacheaside.RecordNotApplied:
		refused := out.Reason == cacheaside.RecordConditionFailed || out.Reason == cacheaside.RecordObservationGone
		if refused && sure && len(p.ghosts) == 0 && b.losses == nothingLost {
			b.trouble("%s: %v, though nobody else writes and the entry was just seen", p.key, out.Reason)
		}
	default:
		b.trouble("%s: an outcome of %v", p.key, out.Certainty)
	}
}

// audit tells of values that were seen though their records were told as not applied.
func (b *book) audit() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.pages {
		for lies := range p.seen {
			if fate, kept := p.fate[lies]; kept && fate == cacheaside.RecordNotApplied && lies != negative && lies != tombstone {
				b.trouble("%s: %s was seen, and its record told as not applied", p.key, lies)
			}
		}
	}
}

func keysOf(set map[token]bool) (all []token) {
	for lies := range set {
		all = append(all, lies)
	}
	return all
}

func describeLookup(found cacheaside.Lookup[string]) string {
	return fmt.Sprintf("lookup %v%s", found.Kind, faultIn(found.Err))
}

func describeOutcome(out cacheaside.RecordOutcome) string {
	if out.Certainty == cacheaside.RecordApplied {
		return "applied"
	}
	if out.Certainty == cacheaside.RecordIndeterminate {
		return "Indeterminate" + faultIn(out.Err)
	}
	return fmt.Sprintf("%v %v%s", out.Certainty, out.Reason, faultIn(out.Err))
}

func faultIn(err error) string {
	var store *redisadapter.StoreError
	if errors.As(err, &store) {
		return " " + store.Fault.String()
	}
	return ""
}
