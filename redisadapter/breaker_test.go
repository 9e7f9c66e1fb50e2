package redisadapter_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// sick is a cache on a server that can be made not to answer.
type sick struct {
	*redisadapter.Cache[string, string]
	t     *testing.T
	proxy *redistest.Proxy
	mock  *clock.Mock
}

func newSick(t *testing.T, change ...func(*config)) *sick {
	t.Helper()
	server := redistest.Start(t, redistest.Options{})
	s := &sick{t: t, proxy: redistest.StartProxy(t, server.Addr()), mock: mockNow()}
	s.Cache = s.another(change...)
	wantKind(t, s.look(), cacheaside.LookupMiss)
	return s
}

// another is a further cache on the same server and clock.
func (s *sick) another(change ...func(*config)) *redisadapter.Cache[string, string] {
	cfg := base()
	cfg.Clock, cfg.LookupTimeout, cfg.RecordTimeout = s.mock, 250*time.Millisecond, 250*time.Millisecond
	for _, f := range change {
		f(&cfg)
	}
	return open(s.t, newClient(s.t, redistest.ClientOptions(s.proxy.Addr())), cfg)
}

func (s *sick) look() cacheaside.Lookup[string] { return s.Lookup(context.Background(), "k") }

func (s *sick) silence() {
	s.proxy.Inject(redistest.Fault{Kind: redistest.BlackHole, Commands: []string{"GETRANGE", "SET", "EVALSHA"}})
}

// open makes three lookups fail and shows that the fourth is answered at once.
func (s *sick) open() {
	s.t.Helper()
	s.silence()
	for range 3 {
		wantFaultOf(s.t, wantKind(s.t, s.look(), cacheaside.LookupUnavailable).Err, redisadapter.FaultTimeout)
	}
	s.wantOpen()
}

func (s *sick) wantOpen() {
	s.t.Helper()
	got := wantKind(s.t, s.look(), cacheaside.LookupUnavailable)
	if !errors.Is(got.Err, redisadapter.ErrBreakerOpen) {
		s.t.Fatalf("error %v, want the breaker's", got.Err)
	}
}

// eventually fails unless so becomes true, which it tries again and again.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for !so() {
		if ctx.Err() != nil {
			t.Fatalf("%s: did not come to pass", what)
		}
	}
}

func TestThreeFailuresInARowOpenTheBreakerAndNothingIsSentWhileItIsOpen(t *testing.T) {
	s := newSick(t)
	s.open()
	sent := s.proxy.Counts()
	ctx := context.Background()
	within(t, "a hundred of each", 0, func() {
		for range 100 {
			s.wantOpen()
			for _, out := range []cacheaside.RecordOutcome{s.Record(ctx, "k", value("v"), ifAbsent), s.Invalidate(ctx, "k")} {
				wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
				if !errors.Is(out.Err, redisadapter.ErrBreakerOpen) {
					t.Fatalf("error %v", out.Err)
				}
			}
		}
	})
	for name, n := range s.proxy.Counts() {
		if n != sent[name] {
			t.Errorf("%d %s were sent", n-sent[name], name)
		}
	}
}

func TestAnAnswerStartsTheCountAnew(t *testing.T) {
	s := newSick(t)
	for range 3 {
		s.silence()
		for range 2 {
			wantKind(t, s.look(), cacheaside.LookupUnavailable)
		}
		s.proxy.Heal()
		wantKind(t, s.look(), cacheaside.LookupMiss)
	}
}

func TestFailedWritesCountAndRefusedOnesDoNot(t *testing.T) {
	s := newSick(t)
	ctx := context.Background()
	for range 5 {
		mustApplyOrRefuse(t, s.Record(ctx, "k", value("v"), ifAbsent))
	}
	wantKind(t, s.look(), cacheaside.LookupFresh)
	s.silence()
	for range 3 {
		wantOutcome(t, s.Record(ctx, "k", value("v"), ifAbsent), cacheaside.RecordIndeterminate, 0)
	}
	s.wantOpen()
}

func mustApplyOrRefuse(t *testing.T, out cacheaside.RecordOutcome) {
	t.Helper()
	if out.Certainty != cacheaside.RecordApplied && out.Reason != cacheaside.RecordConditionFailed {
		t.Fatalf("%v %v (%v)", out.Certainty, out.Reason, out.Err)
	}
}

func TestTheCallersOwnDeadlineOpensNoBreaker(t *testing.T) {
	s := newSick(t, func(c *config) { c.LookupTimeout, c.RecordTimeout = time.Second, time.Second })
	s.silence()
	for range 5 {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		wantFaultOf(t, wantKind(t, s.Lookup(ctx, "k"), cacheaside.LookupUnavailable).Err, redisadapter.FaultCancelled)
		out := s.Record(ctx, "k", value("v"), ifAbsent)
		if out.Certainty == cacheaside.RecordApplied || errors.Is(out.Err, redisadapter.ErrBreakerOpen) {
			t.Fatalf("record %v %v (%v)", out.Certainty, out.Reason, out.Err)
		}
		cancel()
	}
	s.proxy.Heal()
	wantKind(t, s.look(), cacheaside.LookupMiss)
}

func TestAServerThatAnswersNobodyOpensTheBreakerAlsoWhereCallersQueueForConnections(t *testing.T) {
	s := newSick(t)
	s.silence()
	options := redistest.ClientOptions(s.proxy.Addr())
	options.PoolSize = 2
	cfg := base()
	cfg.LookupTimeout, cfg.Clock = 50*time.Millisecond, s.mock
	c := open(t, newClient(t, options), cfg)
	eventually(t, "an open breaker", func() bool {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() { c.Lookup(context.Background(), "k") })
		}
		wg.Wait()
		return errors.Is(c.Lookup(context.Background(), "k").Err, redisadapter.ErrBreakerOpen)
	})
}

func TestOneProbeASecondFindsOutWhetherTheServerIsBack(t *testing.T) {
	s := newSick(t)
	s.open()
	sent := s.proxy.Count("GETRANGE")
	s.mock.Add(time.Second - 1)
	s.wantOpen()
	if n := s.proxy.Count("GETRANGE") - sent; n != 0 {
		t.Fatalf("%d probes within the first second", n)
	}
	s.mock.Add(1)
	s.proxy.WaitForCommand("GETRANGE", sent+1)
	s.wantOpen()

	// Until the probe has failed no other one starts; then one does for each second.
	s.proxy.Heal()
	eventually(t, "a probe of the healed server", func() bool {
		s.mock.Add(time.Second)
		return s.look().Kind == cacheaside.LookupMiss
	})
	wantKind(t, s.look(), cacheaside.LookupMiss)
}

func TestThereIsOneProbeAtATime(t *testing.T) {
	s := newSick(t, func(c *config) { c.LookupTimeout = time.Second })
	s.proxy.Inject(redistest.Fault{Kind: redistest.Refuse})
	for range 3 {
		wantKind(t, s.look(), cacheaside.LookupUnavailable)
	}
	s.wantOpen()
	release := make(chan struct{})
	s.proxy.Inject(redistest.Fault{Kind: redistest.Hold, Commands: []string{"GETRANGE"}, Until: release})
	sent := s.proxy.Count("GETRANGE")
	s.mock.Add(time.Second)
	s.proxy.WaitForCommand("GETRANGE", sent+1)
	s.mock.Add(time.Minute)
	if n := s.proxy.Count("GETRANGE") - sent; n != 1 {
		t.Errorf("%d probes", n)
	}
	close(release)
	eventually(t, "the probe's answer", func() bool { return s.look().Kind == cacheaside.LookupMiss })
}

func TestRegionsOfOneClientLearnFromOneAnother(t *testing.T) {
	shared := new(redisadapter.Breaker)
	t.Cleanup(func() { _ = shared.Close() })
	share := func(c *config) { c.Breaker = shared }
	s := newSick(t, share)
	other := s.another(share, func(c *config) { c.Region = "other" })
	s.open()
	if got := other.Lookup(context.Background(), "k"); !errors.Is(got.Err, redisadapter.ErrBreakerOpen) {
		t.Errorf("the other region: %v", got.Err)
	}
	if err := other.Close(); err != nil { // which is not to end what it does not own
		t.Fatal(err)
	}
	s.wantOpen()
	s.proxy.Heal()
	eventually(t, "recovery of both", func() bool {
		s.mock.Add(time.Second)
		return other.Lookup(context.Background(), "k").Kind == cacheaside.LookupMiss
	})
	wantKind(t, s.look(), cacheaside.LookupMiss)
}

func TestClosingEndsTheProbeAndLetsCallsThrough(t *testing.T) {
	for _, probing := range []bool{false, true} {
		s := newSick(t)
		s.open()
		if probing {
			sent := s.proxy.Count("GETRANGE")
			s.mock.Add(time.Second)
			s.proxy.WaitForCommand("GETRANGE", sent+1)
		}
		done := make(chan error, 3)
		for range cap(done) {
			go func() { done <- s.Close() }()
		}
		for range cap(done) {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
		sent := s.proxy.Count("GETRANGE")
		s.mock.Add(time.Hour)
		if n := s.proxy.Count("GETRANGE") - sent; n != 0 {
			t.Errorf("%d probes after Close", n)
		}
		for range 5 {
			if got := s.look(); errors.Is(got.Err, redisadapter.ErrBreakerOpen) {
				t.Fatal("a closed breaker answers")
			}
		}
		s.proxy.Heal()
		wantKind(t, s.look(), cacheaside.LookupMiss)
	}
}

func TestAfterARealOutageTheCacheIsBackWithinTwoSeconds(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	c := open(t, newClient(t, redistest.ClientOptions(server.Addr())), base())
	ctx := context.Background()
	eventually(t, "the first answer", func() bool { return c.Lookup(ctx, "k").Kind == cacheaside.LookupMiss })
	server.Kill()
	slow := 0
	for range 50 {
		began := time.Now()
		wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupUnavailable)
		if time.Since(began) > 50*time.Millisecond {
			slow++
		}
	}
	if slow > 5 {
		t.Errorf("%d of 50 lookups waited for a dead server", slow)
	}
	server.Restart()
	back := time.Now()
	eventually(t, "recovery", func() bool { return c.Lookup(ctx, "k").Kind == cacheaside.LookupMiss })
	if took := time.Since(back); took > 2*time.Second+grace {
		t.Errorf("it took %v", took)
	}
}
