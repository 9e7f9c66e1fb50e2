package model_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

var keys = []string{"a", "b", "c"}

// driver does to a region what a program says, and waits each time until nothing moves any more.
type driver struct {
	region *cacheaside.Region[string, string]
	port   *port
	model  *model
	values int
	calls  []*caller            // those of the model, in its order
	ends   []*closer            // those calls of Close that wait, or waited until the region was idle
	stops  []context.CancelFunc // theirs

	mu      sync.Mutex
	loaders []*loader // guarded by mu; in the order in which they were called
}

// caller is one Get under way.
type caller struct {
	cancel context.CancelFunc
	gate   *gate // of its lookup, nil if that is not held

	mu     sync.Mutex
	told   string // guarded by mu; "" until it has returned
	status cacheaside.Status
}

type loader struct {
	key     string
	ctx     context.Context
	outcome chan func() cacheaside.SourceOutcome[string]
}

type closer struct {
	mu   sync.Mutex
	done bool // guarded by mu
}

// begin makes a region whose keys have a counter each. A collision is no fault: it costs one lookup; but here every lookup is counted.
func begin(p program, inner store) (*driver, error) {
	for range 20 {
		d := &driver{port: newPort(inner, p.lives)}
		d.model = newModel(p.policy, d.port)
		region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, string]{
			Name: "proof", Cache: d.port, Policy: p.policy, AbsentErr: errNoRows,
			LoadContext: func(context.Context) context.Context { return context.Background() },
		})
		if err != nil {
			return nil, err
		}
		if d.region = region; d.collides("a", "b", "c") || d.collides("b", "c") {
			continue
		}
		d.port.rehearsed()
		return d, nil
	}
	return nil, errors.New("keys look twice, whatever the region")
}

// rehearsals is how many calls begin makes.
const rehearsals = 2

// collides tells whether a call of the key looks again because other keys were invalidated since its first lookup.
func (d *driver) collides(key string, others ...string) bool {
	before := d.port.lookups(key)
	held := &gate{open: make(chan struct{})}
	go func() {
		_, _ = cacheaside.Get(context.WithValue(context.Background(), heldKey{}, held), d.region, key,
			func(context.Context, string) cacheaside.SourceOutcome[string] {
				return cacheaside.PermanentFailure[string]("", nil)
			})
	}()
	synctest.Wait()
	for _, other := range others {
		_ = cacheaside.Invalidate(context.Background(), d.region, other)
	}
	close(held.open)
	synctest.Wait()
	return d.port.lookups(key) != before+1
}

// launch starts a call of Get.
func (d *driver) launch(ctx context.Context, key string, polite, held bool) {
	c := &caller{}
	ctx, c.cancel = context.WithCancel(ctx)
	if held {
		c.gate = &gate{open: make(chan struct{})}
		ctx = context.WithValue(ctx, heldKey{}, c.gate)
	}
	d.calls = append(d.calls, c)
	go func() {
		var result cacheaside.Result[string]
		var err error
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			if thrown := recover(); thrown != nil {
				c.told, c.status = thrownText(thrown), cacheaside.StatusFailed
				return
			}
			c.told, c.status = told(result, err, d.port.since), result.Status
		}()
		result, err = cacheaside.Get(ctx, d.region, key, d.loader(polite))
	}()
	synctest.Wait()
}

func thrownText(thrown any) string {
	if panicked, ok := thrown.(*cacheaside.LoaderPanic); ok && panicked.Value == "boom" && len(panicked.Stack) > 0 {
		return "Panicked"
	}
	return fmt.Sprintf("%spanic %v", odd, thrown)
}

func (d *driver) loader(polite bool) cacheaside.Loader[string, string] {
	return func(ctx context.Context, key string) cacheaside.SourceOutcome[string] {
		l := &loader{key: key, ctx: ctx, outcome: make(chan func() cacheaside.SourceOutcome[string])}
		d.mu.Lock()
		d.loaders = append(d.loaders, l)
		d.mu.Unlock()
		var ended <-chan struct{}
		if polite {
			ended = ctx.Done()
		}
		select {
		case outcome := <-l.outcome:
			return outcome()
		case <-ended:
			return cacheaside.Unclassified[string](ctx.Err())
		}
	}
}

// outcome gives one of the ways in which a loader can end, and what they mean to the model.
func (d *driver) outcome(how int) (func() cacheaside.SourceOutcome[string], ending) {
	type given = cacheaside.SourceOutcome[string]
	switch how {
	case 0:
		return func() given { return cacheaside.AuthoritativeAbsent[string]("none", "") }, ending{text: "Absent none", recordable: true}
	case 1:
		return func() given { return cacheaside.TransientFailure[string]("busy", errBusy) },
			ending{text: "Failed transient busy", excuse: transient, remember: true}
	case 2:
		return func() given { return cacheaside.PermanentFailure[string]("broken", errBroken) }, ending{text: "Failed permanent broken"}
	case 3:
		return func() given { return cacheaside.Unclassified[string](errUnclassified) }, ending{text: "Failed unclassified"}
	case 4:
		return func() given { panic("boom") }, ending{text: "Panicked", panicked: true}
	case 5:
		return func() given { runtime.Goexit(); return given{} }, ending{text: "Failed exited"}
	case 6:
		if how := d.values % 2; how == 0 {
			return func() given { return given{} }, ending{text: "Failed no outcome"}
		}
		return func() given { return cacheaside.Cancelled[string](nil) }, ending{text: "Cancelled"}
	}
	value := d.value()
	return func() given { return cacheaside.Loaded(value, revisionOf(value)) }, ending{text: "Loaded " + value, value: value, recordable: true}
}

func (d *driver) value() string {
	d.values++
	return fmt.Sprintf("v%d", d.values)
}

func (d *driver) close(ctx context.Context) *closer {
	c := &closer{}
	go func() {
		err := d.region.Close(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.done = err == nil
	}()
	synctest.Wait()
	return c
}

// pass moves the time to a moment, stopping wherever something is due.
func (d *driver) pass(to time.Duration) {
	for {
		next := to
		for _, due := range d.model.due() {
			next = min(next, due)
		}
		if next < d.model.now {
			d.model.complain("something was due at %v already", next)
			return
		}
		<-time.After(next - d.model.now)
		synctest.Wait()
		d.model.elapse(next)
		d.model.bury()
		if d.check(); next == to || d.fault() != "" {
			return
		}
	}
}

func (d *driver) fault() string {
	if d.model.fault != "" {
		return d.model.fault
	}
	return d.port.fault(nil)
}

// check compares all that can be seen of the region with the model.
func (d *driver) check() {
	m := d.model
	for i, c := range d.calls {
		c.mu.Lock()
		got := c.told
		c.mu.Unlock()
		if want := m.calls[i].legal; got != "" && !slices.Contains(want, got) || got == "" && want != nil {
			m.complain("call %d of %s was told %q, legal are %q", i, m.calls[i].key, got, want)
		}
	}
	d.mu.Lock()
	loaders := slices.Clone(d.loaders)
	d.mu.Unlock()
	for i := range max(len(loaders), len(m.loads)) {
		switch {
		case i >= len(loaders):
			m.complain("load %d of %s was not started", i, m.loads[i].key)
		case i >= len(m.loads):
			m.complain("load %d of %s should not have been started", i, loaders[i].key)
		case loaders[i].key != m.loads[i].key || (loaders[i].ctx.Err() != nil) != m.loads[i].contextEnd:
			m.complain("load %d is of %s with context %v, want %s and ended: %t",
				i, loaders[i].key, loaders[i].ctx.Err(), m.loads[i].key, m.loads[i].contextEnd)
		}
	}
	for _, key := range keys {
		if got := d.port.lookups(key); got != m.looks[key] {
			m.complain("%s was looked up %d times, want %d", key, got, m.looks[key])
		}
	}
	if w, more := d.port.take(); more {
		m.complain("recorded %+v, want no record", w)
	}
	stats := d.region.Stats()
	got := fmt.Sprintf("keys %d waiters %d running %d overdue %d failures %d records %d", stats.InFlightKeys, stats.Waiters, stats.RunningLoads,
		stats.OverdueLoads, stats.RememberedFailures, stats.RunningRecords)
	if want := m.gauges(); got != want {
		m.complain("gauges show %s, want %s", got, want)
	}
	for i, c := range d.ends {
		c.mu.Lock()
		if c.done != m.idle() {
			m.complain("Close %d has returned: %t, and the region is idle: %t", i, c.done, m.idle())
		}
		c.mu.Unlock()
	}
	if fault := d.port.fault(keys); fault != "" {
		m.complain("%s", fault)
	}
}
