package faults_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

type region = cacheaside.Region[string, string]

// newRegion is a region over the cache whose own bounds end nothing here.
func newRegion(t testing.TB, on *cache, change ...func(*cacheaside.RegionConfig[string, string])) *region {
	t.Helper()
	cfg := cacheaside.RegionConfig[string, string]{Name: "faults", Cache: on, Policy: cacheaside.StrictPolicy()}
	cfg.Policy.AdmissionWait, cfg.Policy.LoadDeadline, cfg.Policy.RecordWait = 10*time.Second, 10*time.Second, 10*time.Second
	for _, f := range change {
		f(&cfg)
	}
	r, err := cacheaside.NewRegion(cfg)
	if err != nil {
		t.Fatalf("NewRegion: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := r.Close(ctx); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return r
}

// source gives one value. It counts its calls, and waits at its gate, if it has one, until the test has done what it wants to do in between.
type source struct {
	calls atomic.Int64
	value string
	gate  *gate
}

func (s *source) load(context.Context, string) cacheaside.SourceOutcome[string] {
	s.calls.Add(1)
	if s.gate != nil {
		s.gate.pass()
	}
	return cacheaside.Loaded(s.value, "")
}

// gate stops a goroutine of the library where the test wants to act.
type gate struct{ reached, opened chan struct{} }

func newGate() *gate { return &gate{make(chan struct{}), make(chan struct{})} }

func (g *gate) pass() {
	close(g.reached)
	<-g.opened
}

// answer is how a Get ended.
type answer struct {
	result cacheaside.Result[string]
	err    error
	took   time.Duration
}

// get begins a Get in a goroutine that ends with it.
func get(r *region, load cacheaside.Loader[string, string]) <-chan answer {
	done := make(chan answer, 1)
	go func() {
		begun := time.Now()
		result, err := cacheaside.Get(context.Background(), r, key, load)
		done <- answer{result, err, time.Since(begun)}
	}()
	return done
}

// wantLoaded checks that the caller has the source's value, asked for once.
func (a answer) wantLoaded(t *testing.T, s *source) {
	t.Helper()
	if a.err != nil || a.result.Status != cacheaside.StatusLoaded || a.result.Value != s.value {
		t.Errorf("%v, %v", a.result.Status, a.err)
	}
	if calls := s.calls.Load(); calls != 1 {
		t.Errorf("%d calls of the source", calls)
	}
}

// TestACallerWhoseLookupFailsHasTheSourcesValueWithinOneTimeLimit inflicts each fault on the lookup of a Get. The record that follows is not the
// caller's business any more: whether it can be made is the fault's.
func TestACallerWhoseLookupFailsHasTheSourcesValueWithinOneTimeLimit(t *testing.T) {
	t.Parallel()
	admin := redistest.Start(t, redistest.Options{}).Client()
	loadScripts(t, admin)
	together(t, faults(), func(f fault) string { return string(f) }, func(t *testing.T, f fault) {
		row := rowOf(t, f, lookup)
		p := newPlace(t, admin, row.limit())
		client := newClient(t, "recommended", p.proxy.Addr())
		r := newRegion(t, open(t, client, p.config))
		if err := client.Ping(context.Background()).Err(); err != nil {
			t.Fatal(err)
		}
		p.inject(client, f, lookup.command())
		s := &source{value: string(renewed)}
		a := <-get(r, s.load)
		a.wantLoaded(t, s)
		if a.result.Record.Certainty != cacheaside.RecordNone {
			t.Errorf("the caller waited for the record: %+v", a.result.Record)
		}
		row.checkTime(t, a.took)

		eventually(t, "the record is over", func() bool { return r.Stats().RunningRecords == 0 })
		want, holds := sent{row.sent.ranges, 1, 0}, renewed
		if f == refuse || f == halfOpen { // there is no new connection, or none whose handshake is answered
			want.sets, holds = 0, nothing
		}
		if seen := p.seen(t); seen != want {
			t.Errorf("sent %v, want %v", seen, want)
		}
		p.proxy.Heal()
		if got := heldOf(t, p.direct, s.value); got != holds {
			t.Errorf("the server holds %s, want %s", got, holds)
		}
		wantServedAgain(t, p, r, client)
	})
}

// wantServedAgain goes on over the healed proxy: with the same region, which has a value for its callers, and with a patient one, which must find the
// client in order.
func wantServedAgain(t *testing.T, p *place, r *region, client redis.UniversalClient) {
	t.Helper()
	s := &source{value: string(renewed)}
	if a := <-get(r, s.load); a.err != nil {
		t.Errorf("after the fault: %v %v", a.result.Status, a.err)
	}
	r = newRegion(t, p.next(t, client))
	for range 2 {
		eventually(t, "the entry is not fresh", func() bool {
			return p.direct.Lookup(context.Background(), key).Kind != cacheaside.LookupFresh
		})
		if a := <-get(r, s.load); a.err != nil || a.result.Value != s.value || a.result.Record.Certainty != cacheaside.RecordApplied {
			t.Errorf("after the fault: %v %v, record %+v", a.result.Status, a.err, a.result.Record)
		}
	}
	cell{}.checkPool(t, client)
}

// TestACallerWhoseRecordFailsHasTheValueAndTheRowsCertainty inflicts each fault on each kind of record, between the load and the record.
func TestACallerWhoseRecordFailsHasTheValueAndTheRowsCertainty(t *testing.T) {
	t.Parallel()
	admin := redistest.Start(t, redistest.Options{}).Client()
	loadScripts(t, admin)
	var rows []cell
	for _, row := range matrix() {
		if row.operation != lookup && row.operation != invalidate {
			rows = append(rows, row)
		}
	}
	together(t, rows, name, func(t *testing.T, row cell) {
		p := newPlace(t, admin, row.limit())
		client := newClient(t, "recommended", p.proxy.Addr())
		r := newRegion(t, open(t, client, p.config))
		row.prepare(t, p, client)
		before := p.seen(t)
		s, reached := &source{value: row.operation.value()}, newGate()
		if row.operation == swapLarge {
			client.AddHook(&onCommand{name: "evalsha", do: reached.pass})
		} else {
			s.gate = reached
		}
		ended := get(r, s.load)
		<-reached.reached
		p.inject(client, row.fault, row.operation.command())
		injected := time.Now()
		close(reached.opened)
		a := <-ended
		took := time.Since(injected)
		p.proxy.Heal()

		a.wantLoaded(t, s)
		if got := row.outcomeOf(t, a.result.Record); got != row.outcome {
			t.Errorf("record %s, want %s", got, row.outcome)
		}
		want := row.sent
		want.ranges++ // the lookup
		if seen := p.seen(t).since(before); seen != want {
			t.Errorf("sent %v, want %v", seen, want)
		}
		row.checkTime(t, took)
		row.checkHeld(t, p)
		wantServedAgain(t, p, r, client)
	})
}

// TestACallerWhoseInvalidationFailsIsToldUnlessItIsCertainlyApplied inflicts each fault on an invalidation through the region.
func TestACallerWhoseInvalidationFailsIsToldUnlessItIsCertainlyApplied(t *testing.T) {
	t.Parallel()
	admin := redistest.Start(t, redistest.Options{}).Client()
	loadScripts(t, admin)
	together(t, faults(), func(f fault) string { return string(f) }, func(t *testing.T, f fault) {
		row := rowOf(t, f, invalidate)
		p := newPlace(t, admin, row.limit())
		client := newClient(t, "recommended", p.proxy.Addr())
		r := newRegion(t, open(t, client, p.config))
		row.prepare(t, p, client)
		p.inject(client, f, row.operation.command())
		err := cacheaside.Invalidate(context.Background(), r, key)
		p.proxy.Heal()
		var failed *cacheaside.InvalidateError
		switch certainty, reason := row.outcome.certainty(); {
		case row.outcome == applied:
			if err != nil {
				t.Errorf("applied, and told %v", err)
			}
		case !errors.As(err, &failed) || failed.Certainty != certainty || failed.Reason != reason:
			t.Errorf("told %v, want %s", err, row.outcome)
		default:
			wantFault(t, err, row.cause)
		}
		row.checkHeld(t, p)
		if err := cacheaside.Invalidate(context.Background(), r, key); err != nil {
			t.Errorf("after the fault: %v", err)
		}
		if got := heldOf(t, p.direct, ""); got != tombstone {
			t.Errorf("after the fault: %s", got)
		}
		cell{}.checkPool(t, client)
	})
}
