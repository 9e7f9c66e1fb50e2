package redisadapter_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

func TestNothingIsReadBackWhileTheBreakerIsOpen(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	proxy := redistest.StartProxy(t, server.Addr())
	c := open(t, newClient(t, redistest.ClientOptions(proxy.Addr())), patient(base()))
	wantKind(t, c.Lookup(context.Background(), "k"), cacheaside.LookupMiss)
	proxy.Inject(
		redistest.Fault{Kind: redistest.SwallowAndClose, Commands: []string{"SET"}},
		redistest.Fault{Kind: redistest.Cut, Commands: []string{"GETRANGE"}},
	)
	before := proxy.Count("GETRANGE")
	// The first record and its read-back are two failures, the second record is the third.
	for _, key := range []string{"a", "b"} {
		wantOutcome(t, c.Record(context.Background(), key, value("v"), ifAbsent), cacheaside.RecordIndeterminate, 0)
	}
	if n := proxy.Count("GETRANGE") - before; n != 1 {
		t.Errorf("%d read-backs, want the first record's only", n)
	}
	if got := c.Lookup(context.Background(), "k"); !errors.Is(got.Err, redisadapter.ErrBreakerOpen) {
		t.Errorf("error %v", got.Err)
	}
}

func TestTheProbeAsksForOneByteOfTheKeyThatFailed(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	s := &sick{t: t, proxy: redistest.StartProxy(t, server.Addr()), mock: mockNow()}
	s.Cache = s.another()
	s.open()
	seen := server.Monitor()
	s.proxy.Heal()
	eventually(t, "recovery", func() bool {
		s.mock.Add(time.Second)
		return s.look().Kind == cacheaside.LookupMiss
	})
	var asked [][]string
	for _, command := range seen.Commands() {
		if command.Name() == "GETRANGE" {
			asked = append(asked, command.Args[1:])
		}
	}
	if len(asked) < 2 || asked[0][0] != asked[len(asked)-1][0] || !slices.Equal(asked[0][1:], []string{"0", "0"}) {
		t.Errorf("asked %q", asked)
	}
}

func TestHoweverManyCallsFailTogetherThereIsOneProbe(t *testing.T) {
	s := newSick(t)
	s.silence()
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() { s.look() })
	}
	wg.Wait()
	s.wantOpen()
	s.proxy.Inject(redistest.Fault{Kind: redistest.Hold, Commands: []string{"GETRANGE"}})
	sent := s.proxy.Count("GETRANGE")
	s.mock.Add(time.Second)
	s.proxy.WaitForCommand("GETRANGE", sent+1)
	s.mock.Add(time.Second - 1)
	if n := s.proxy.Count("GETRANGE") - sent; n != 1 {
		t.Errorf("%d probes", n)
	}
}

func TestAfterRecoveryItTakesThreeFailuresAgain(t *testing.T) {
	s := newSick(t)
	s.open()
	s.proxy.Heal()
	// The probe alone closes the breaker: a caller who has left asks nothing, but learns whether it is open.
	left, cancel := context.WithCancel(context.Background())
	cancel()
	eventually(t, "a probe that is answered", func() bool {
		s.mock.Add(time.Second)
		return !errors.Is(s.Lookup(left, "k").Err, redisadapter.ErrBreakerOpen)
	})
	s.open()
}
