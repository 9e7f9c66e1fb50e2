package model_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// do carries out one action, on the region and then on the model, and compares.
func (d *driver) do(a action) {
	for d.model.tied() {
		d.pass(d.model.now + time.Microsecond)
	}
	key := keys[a.which%2]
	switch a.does {
	case get:
		d.get(key, a.how, a.mark, a.special)
	case arrive:
		pick(d.model.calls, a.which, func(c *call) bool { return c.parked }, d.arrive)
	case cancel:
		pick(d.model.calls, a.which, func(c *call) bool { return c.legal == nil && !c.cancelled }, d.cancel)
	case finish:
		pick(d.model.loads, a.which, running, func(i int) { d.finish(i, a.how) })
	case step:
		d.step(a.which, a.how)
	case wait:
		d.pass(d.model.now + time.Duration(1+a.how*a.how*a.how)*time.Millisecond)
	case invalidate:
		d.invalidate(key)
	case elsewhere:
		d.elsewhere(key, a.how)
	case ripen:
		d.elsewhere(key, 0)
		d.pass(d.model.now + time.Duration(d.port.plain.lives.soft)*time.Millisecond)
	case spoil:
		d.port.spoil(key, cacheaside.EntryKind(1+a.how%int(cacheaside.EntryForeign)))
	case reenter:
		pick(d.model.loads, a.which, func(*flight) bool { return true }, d.reenter)
	case trouble:
		d.port.setOutage(outage(a.how % 3))
	case hold:
		d.model.holding = a.mark
		d.port.setHolding(a.mark)
	case letRecord:
		pick(d.model.held, a.which, func(r making) bool { return !r.made }, d.letRecord)
	case closing:
		d.closing(a.mark, a.special)
	}
	synctest.Wait()
	d.model.bury()
	d.check()
}

// pick chooses one of those that fit, by its place among them, and gives its place among all.
func pick[T any](all []T, which int, fits func(T) bool, do func(int)) {
	var places []int
	for i, one := range all {
		if fits(one) {
			places = append(places, i)
		}
	}
	if len(places) > 0 {
		do(places[which%len(places)])
	}
}

func (d *driver) get(key string, how int, polite, held bool) {
	ctx := context.Background()
	// Where no flight waits for a permit, one that is given back in the same moment may come in time or not.
	polite = polite && d.model.policy.AdmissionWait > 0
	c := &call{key: key, polite: polite, cancelled: how == 9}
	if c.cancelled {
		ended, cancel := context.WithCancel(ctx)
		cancel()
		ctx = ended
	}
	d.launch(ctx, key, polite, held)
	d.model.get(c, held)
}

func (d *driver) arrive(i int) {
	close(d.calls[i].gate.open)
	synctest.Wait()
	d.model.arrive(d.model.calls[i])
}

func (d *driver) cancel(i int) {
	d.calls[i].cancel()
	synctest.Wait()
	d.model.cancel(d.model.calls[i])
}

func (d *driver) finish(i, how int) {
	outcome, means := d.outcome(how)
	d.mu.Lock()
	l := d.loaders[i]
	d.mu.Unlock()
	l.outcome <- outcome
	synctest.Wait()
	d.model.finish(d.model.loads[i], means)
}

// step moves the time to, or by a millisecond around, the next moments at which something becomes different.
func (d *driver) step(which, how int) {
	moments := slices.Concat(d.model.due(), d.port.ends())
	slices.Sort(moments)
	pick(moments, which, func(t time.Duration) bool { return t > d.model.now+time.Millisecond }, func(i int) {
		d.pass(moments[i] + time.Duration(how%3-1)*time.Millisecond)
	})
}

func (d *driver) invalidate(key string) {
	err := cacheaside.Invalidate(context.Background(), d.region, key)
	synctest.Wait()
	got := "applied"
	var failed *cacheaside.InvalidateError
	if errors.As(err, &failed) {
		got = failed.Certainty.String()
	} else if err != nil {
		got = err.Error()
	}
	if want := [...]string{"applied", "NotApplied", "Indeterminate"}[d.port.outage()]; got != want {
		d.model.complain("invalidation was %s, want %s", got, want)
	}
	d.model.invalidate(key)
}

func (d *driver) elsewhere(key string, how int) {
	switch {
	case how < 5:
		value := d.value()
		d.port.replace(key, cacheaside.Entry[string]{Value: value, Revision: revisionOf(value)})
	case how < 7:
		d.port.replace(key, cacheaside.Entry[string]{Negative: true})
	default:
		d.port.bury(context.Background(), key)
	}
}

// reenter calls Get on the context of a load of that very key, as the loader itself may, and as one does that has kept the context too long.
func (d *driver) reenter(i int) {
	f := d.model.loads[i]
	d.mu.Lock()
	ctx := d.loaders[i].ctx
	d.mu.Unlock()
	d.launch(ctx, f.key, false, false)
	d.model.get(&call{key: f.key, inside: f}, false)
}

func (d *driver) letRecord(i int) {
	d.port.letRecord(i)
	synctest.Wait()
	d.model.held[i].made = true
	d.model.recorded(d.model.held[i])
}

// closing ends the region, seldom: a closed one has little to show. At once is with a context that is done, or that ends while Close waits.
func (d *driver) closing(atOnce, really bool) {
	if !really {
		return
	}
	wasIdle, waits := d.model.idle(), len(d.ends)-1
	if atOnce && waits >= 0 && !wasIdle {
		d.stops[waits]()
		synctest.Wait()
		if d.ends[waits].done {
			d.model.complain("Close returned nil when its context ended, and the region was not idle")
		}
		d.ends, d.stops = d.ends[:waits], d.stops[:waits]
		d.model.close(true)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	if atOnce {
		cancel()
	}
	c := d.close(ctx)
	d.model.close(atOnce)
	if !atOnce {
		d.ends, d.stops = append(d.ends, c), append(d.stops, cancel)
		return
	}
	cancel()
	if c.done != wasIdle {
		d.model.complain("Close with a done context returned nil: %t, and the region was idle: %t", c.done, wasIdle)
	}
}

// settle lets everything end, and wants nothing to be left then.
func (d *driver) settle() {
	d.do(action{does: hold})
	for d.fault() == "" {
		m := d.model
		switch {
		case slices.ContainsFunc(m.calls, func(c *call) bool { return c.parked }):
			d.do(action{does: arrive})
		case slices.ContainsFunc(m.held, func(r making) bool { return !r.made }):
			d.do(action{does: letRecord})
		case m.count(running) > 0:
			d.do(action{does: finish, how: 9})
		case len(m.due()) > 0:
			d.pass(slices.Min(m.due()))
		default:
			d.rest()
			return
		}
	}
}

func (d *driver) rest() {
	d.do(action{does: closing, special: true})
	if got, want := d.model.gauges(), (&model{}).gauges(); got != want {
		d.model.complain("at rest the gauges are %s", got)
	}
	want := map[cacheaside.Status]uint64{cacheaside.StatusFailed: rehearsals}
	for i, c := range d.calls {
		if d.model.calls[i].legal == nil {
			d.model.complain("call %d was never answered", i)
		}
		want[c.status]++
	}
	if got := fmt.Sprint(d.region.Stats().ByStatus); got != fmt.Sprint(want) {
		d.model.complain("calls by status are %s, want %v", got, want)
	}
}

// abort lets everything go that a history that failed has left behind.
func (d *driver) abort() {
	d.port.abort()
	for i, c := range d.calls {
		c.cancel()
		if c.gate != nil && d.model.calls[i].parked {
			close(c.gate.open)
		}
	}
	for range 100 {
		synctest.Wait()
		d.mu.Lock()
		for _, l := range d.loaders {
			select {
			case l.outcome <- func() cacheaside.SourceOutcome[string] { return cacheaside.PermanentFailure[string]("", nil) }:
			default:
			}
		}
		d.mu.Unlock()
		if stats := d.region.Stats(); stats.InFlightKeys+stats.RunningLoads+stats.RunningRecords == 0 {
			break
		}
		<-time.After(time.Second)
	}
	for _, stop := range d.stops {
		stop()
	}
	synctest.Wait()
}
