package soak_test

import (
	"fmt"
	"sync"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// mostKept is how many breaches are told in full.
const mostKept = 20

// ledger is what is known of a run. It is safe for concurrent use.
type ledger struct {
	rules  rules
	source *source

	mu          sync.Mutex // guards what follows; held across no wait
	invalidated map[string][]invalidation
	losses      []loss
	sharing     map[int64]*sharers // by load
	breaches    map[string]int     // by rule
	kept        []breach
	summary     summary
}

// sharers are the callers that one load answered.
type sharers struct{ leaders, waiters int }

func newLedger(r rules, s *source) *ledger {
	return &ledger{
		rules: r, source: s,
		invalidated: make(map[string][]invalidation), sharing: make(map[int64]*sharers), breaches: make(map[string]int), summary: newSummary(),
	}
}

// answered judges one call. mostWaiters is the bound of its region.
func (l *ledger) answered(a answer, mostWaiters int) {
	rows := l.source.history(a.key)
	l.mu.Lock()
	defer l.mu.Unlock()
	breaches, binding := l.rules.judge(a, rows, l.invalidated[a.key], l.losses)
	for _, b := range breaches {
		l.breachLocked(b.rule, b.text)
	}
	l.summary.add(a, rows, binding)
	// Whoever leaves when the loader has returned takes the value along, and makes room for another: those were not there together.
	if a.status != cacheaside.StatusLoaded || a.early {
		return
	}
	by := l.sharing[a.value.Load]
	if by == nil {
		by = new(sharers)
		l.sharing[a.value.Load] = by
	}
	if a.shared {
		by.waiters++
	} else {
		by.leaders++
	}
	l.summary.mostShared = max(l.summary.mostShared, by.waiters)
	if by.leaders > 1 || by.waiters > mostWaiters {
		l.breachLocked(ruleWaiters, fmt.Sprintf("load %d answered %d leaders, %d waiters, at most %d", a.value.Load, by.leaders, by.waiters, mostWaiters))
	}
}

// invalidatedBy notes an invalidation that was applied.
func (l *ledger) invalidatedBy(key string, by invalidation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.invalidated[key] = append(l.invalidated[key], by)
	l.summary.invalidated++
}

// lose notes that the server loses what it has while do runs.
func (l *ledger) lose(do func() error) error {
	l.mu.Lock()
	at := len(l.losses)
	// It is open until it is over: until then everything may be lost.
	l.losses = append(l.losses, loss{begun: time.Now(), ended: time.Now().Add(time.Hour)})
	l.mu.Unlock()
	err := do()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.losses[at].ended = time.Now()
	return err
}

// breach notes a broken promise.
func (l *ledger) breach(rule, format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.breachLocked(rule, fmt.Sprintf(format, args...))
}

func (l *ledger) breachLocked(rule, text string) {
	l.breaches[rule]++
	if len(l.kept) < mostKept {
		l.kept = append(l.kept, breach{rule, text})
	}
}

// broken are the rules that were broken, how often, and the first breaches in full.
func (l *ledger) broken() (times map[string]int, first []breach) {
	l.mu.Lock()
	defer l.mu.Unlock()
	times = make(map[string]int, len(l.breaches))
	for rule, n := range l.breaches {
		times[rule] = n
	}
	return times, append(first, l.kept...)
}

// tell changes the summary.
func (l *ledger) tell(change func(*summary)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.summary)
}
