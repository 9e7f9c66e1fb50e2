package soak_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// right is a port that does what it should, in this process.
func right(t *testing.T) port {
	t.Helper()
	cache, err := memory.New(memory.Config[string, value]{
		TTL:        memory.TTL{Soft: 50 * time.Millisecond, Hard: 3 * time.Second, Negative: 3 * time.Second, Tombstone: 15 * time.Second},
		MaxEntries: 1000,
	})
	if err != nil {
		t.Fatal(err)
	}
	return cache
}

// older answers every lookup that finds something with what it has found first.
type older struct {
	port
	mu    sync.Mutex
	first map[string]cacheaside.Lookup[value]
}

func (o *older) Lookup(ctx context.Context, key string) cacheaside.Lookup[value] {
	found := o.port.Lookup(ctx, key)
	o.mu.Lock()
	defer o.mu.Unlock()
	if was, known := o.first[key]; known {
		return was
	}
	if found.Kind == cacheaside.LookupFresh {
		o.first[key] = found
	}
	return found
}

// mixed answers a lookup now and then with the entry of another key, as a connection does that is one reply behind.
type mixed struct {
	port
	lookups atomic.Int64
}

func (m *mixed) Lookup(ctx context.Context, key string) cacheaside.Lookup[value] {
	if m.lookups.Add(1)%5 == 0 {
		key = keys()[0]
	}
	return m.port.Lookup(ctx, key)
}

// deaf says that it has invalidated.
type deaf struct{ port }

func (deaf) Invalidate(context.Context, string) cacheaside.RecordOutcome {
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}

// sluggish takes its time over a lookup.
type sluggish struct{ port }

func (s sluggish) Lookup(ctx context.Context, key string) cacheaside.Lookup[value] {
	<-time.After(400 * time.Millisecond)
	return s.port.Lookup(ctx, key)
}

// garbled finds entries that cannot be read.
type garbled struct{ port }

func (g garbled) Lookup(ctx context.Context, key string) cacheaside.Lookup[value] {
	found := g.port.Lookup(ctx, key)
	if found.Kind == cacheaside.LookupFresh {
		return cacheaside.Lookup[value]{Kind: cacheaside.LookupUnusable, Entry: cacheaside.EntryCorrupt}
	}
	return found
}

// brief tells of lives that are too short for its loads.
type brief struct{ port }

func (brief) Lifetimes() cacheaside.Lifetimes {
	return cacheaside.Lifetimes{MinHard: time.Millisecond, Tombstone: time.Millisecond}
}

func TestAWrongCacheIsFoundByItsRule(t *testing.T) {
	t.Parallel()
	stuck := func(p port) port { return &older{port: p, first: map[string]cacheaside.Lookup[value]{}} }
	hasty := rules{oldest: time.Hour, reach: time.Hour, longest: 300 * time.Millisecond}
	for _, test := range []struct {
		name  string
		wrong func(port) port
		rules rules
		found string
	}{
		{"older", stuck, soakRules(), ruleInvalidated},
		{"older, uninvalidated", stuck, rules{oldest: 500 * time.Millisecond, reach: time.Hour, longest: time.Minute}, ruleOld},
		{"mixed", func(p port) port { return &mixed{port: p} }, soakRules(), ruleForeign},
		{"deaf", func(p port) port { return deaf{p} }, soakRules(), ruleInvalidated},
		{"sluggish", func(p port) port { return sluggish{p} }, hasty, ruleSlow},
		{"garbled", func(p port) port { return garbled{p} }, soakRules(), ruleError},
		{"brief", func(p port) port { return brief{p} }, soakRules(), ruleWarned},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := newLedger(test.rules, newSource())
			p := started(t, test.wrong(right(t)), l)
			if !livesUntil(p, 10*time.Second, func() bool {
				times, _ := l.broken()
				return times[test.found] > 0
			}) {
				times, first := l.broken()
				t.Errorf("found %v: %v", times, first)
			}
		})
	}
}

func TestARightCacheBreaksNoRule(t *testing.T) {
	t.Parallel()
	l := newLedger(soakRules(), newSource())
	p := started(t, right(t), l)
	livesUntil(p, time.Second, func() bool { return false })
	if times, first := l.broken(); len(times) > 0 {
		t.Errorf("found %v: %v", times, first)
	}
	l.tell(func(s *summary) {
		if s.binding == 0 || s.statuses[cacheaside.StatusFresh] == 0 {
			t.Errorf("nothing happened:\n%s", s)
		}
	})
	if err := await(10*time.Second, func() error { return atRest(p.region) }); err != nil {
		t.Error(err)
	}
	if err := permitsBack(p.region, permits, 10*time.Second); err != nil {
		t.Error(err)
	}
}

// started is a process that ends with the test.
func started(t *testing.T, on port, l *ledger) *process {
	t.Helper()
	p, err := newProcess(0, on, policies()[0], l, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return p
}

var errNotYet = errors.New("not yet")

// livesUntil lets the callers of one process come until something is so, and tells whether it came to that.
func livesUntil(p *process, patience time.Duration, so func() bool) bool {
	stop := make(chan struct{})
	var callers sync.WaitGroup
	callers.Go(func() { p.run(stop) })
	err := await(patience, func() error {
		if !so() {
			return errNotYet
		}
		return nil
	})
	close(stop)
	callers.Wait()
	return err == nil
}

// TestALeakedPermitIsMissed leaves a loader hanging, which holds a permit as a leak would.
func TestALeakedPermitIsMissed(t *testing.T) {
	t.Parallel()
	l := newLedger(soakRules(), newSource())
	p := started(t, right(t), l)
	hung, over := make(chan struct{}), make(chan struct{})
	_, err := cacheaside.Get(context.Background(), p.region, "hung", func(context.Context, string) outcome {
		defer close(over)
		<-hung
		return outcome{}
	})
	if err == nil {
		t.Error("a loader that hangs was answered")
	}
	if err := await(100*time.Millisecond, func() error { return atRest(p.region) }); err == nil {
		t.Error("a region whose loader hangs is at rest")
	}
	if err := permitsBack(p.region, permits, 100*time.Millisecond); err == nil {
		t.Error("all permits are back while a loader hangs")
	}
	if err := permitsBack(p.region, permits-1, 10*time.Second); err != nil {
		t.Errorf("the other permits: %v", err)
	}
	close(hung)
	<-over
	if err := permitsBack(p.region, permits, 10*time.Second); err != nil {
		t.Errorf("after its end: %v", err)
	}
	if err := await(10*time.Second, func() error { return atRest(p.region) }); err != nil {
		t.Errorf("after its end: %v", err)
	}
}

// TestEachBoundThatIsPassedIsFound feeds what no right region gives.
func TestEachBoundThatIsPassedIsFound(t *testing.T) {
	t.Parallel()
	policy := policies()[0]
	full := cacheaside.Stats{
		InFlightKeys: policy.MaxInFlightKeys, Waiters: policy.MaxWaitersPerKey * policy.MaxInFlightKeys,
		RunningLoads: policy.SourceConcurrency, OverdueLoads: policy.SourceConcurrency, RememberedFailures: policy.MaxInFlightKeys,
	}
	gauges := func(change func(*cacheaside.Stats)) func(*process) {
		return func(p *process) {
			s := full
			change(&s)
			p.checkGauges(s)
		}
	}
	shared := func(n int, leads, early bool) func(*process) {
		return func(p *process) {
			for range n {
				now := time.Now()
				p.ledger.answered(answer{
					key: "key-0", begun: now, ended: now, status: cacheaside.StatusLoaded, shared: !leads, early: early,
					value: value{Key: "key-0", Version: 1, Since: p.source.read("key-0").since.UnixNano(), Load: 1, Padding: padding(1)},
				}, policy.MaxWaitersPerKey)
			}
		}
	}
	for name, test := range map[string]struct {
		feed   func(*process)
		broken string
	}{
		"all gauges full":    {gauges(func(*cacheaside.Stats) {}), ""},
		"a key too many":     {gauges(func(s *cacheaside.Stats) { s.InFlightKeys++ }), ruleGauges},
		"a waiter too many":  {gauges(func(s *cacheaside.Stats) { s.Waiters++ }), ruleGauges},
		"a load too many":    {gauges(func(s *cacheaside.Stats) { s.RunningLoads++ }), ruleGauges},
		"more overdue":       {gauges(func(s *cacheaside.Stats) { s.OverdueLoads++ }), ruleGauges},
		"a failure too many": {gauges(func(s *cacheaside.Stats) { s.RememberedFailures++ }), ruleGauges},
		"below zero":         {gauges(func(s *cacheaside.Stats) { s.Waiters = -1 }), ruleGauges},

		"as many as may share":      {shared(policy.MaxWaitersPerKey, false, false), ""},
		"one more":                  {shared(policy.MaxWaitersPerKey+1, false, false), ruleWaiters},
		"one more, but not at once": {shared(policy.MaxWaitersPerKey+1, false, true), ""},
		"two leaders of one load":   {shared(2, true, false), ruleWaiters},

		"a full pool":             {func(p *process) { p.ledger.checkPool(0, &redis.PoolStats{TotalConns: poolSize}, poolSize) }, ""},
		"a connection too many":   {func(p *process) { p.ledger.checkPool(0, &redis.PoolStats{TotalConns: poolSize + 1}, poolSize) }, rulePool},
		"as many loads at once":   {func(p *process) { loadTogether(p, permits) }, ""},
		"one more load at once":   {func(p *process) { loadTogether(p, permits+1) }, ruleLoads},
		"an error beside a value": {func(p *process) { checkFit(p, cacheaside.StatusFresh, cacheaside.ErrAbsent) }, ruleError},
		"no error beside none":    {func(p *process) { checkFit(p, cacheaside.StatusRejected, nil) }, ruleError},
		"a status that is none":   {func(p *process) { checkFit(p, 0, nil) }, ruleError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLedger(soakRules(), newSource())
			test.feed(started(t, right(t), l))
			times, first := l.broken()
			if test.broken == "" && len(times) > 0 || test.broken != "" && (len(times) != 1 || times[test.broken] == 0) {
				t.Errorf("found %v, want %q", first, test.broken)
			}
		})
	}
}

// loadTogether runs so many loaders past the region that all of them run at once.
func loadTogether(p *process, n int) {
	var here, all sync.WaitGroup
	here.Add(n)
	p.manners = []manner{{name: "together", weight: 1, end: heldTogether(&here)}}
	for range n {
		all.Go(func() { p.load(context.Background(), keys()[0]) })
	}
	all.Wait()
}

func checkFit(p *process, status cacheaside.Status, err error) {
	if !fits(answer{status: status}, context.Background(), err) {
		p.ledger.breach(ruleError, "%v with %v", status, err)
	}
}
