package memory_test

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/memory"
)

func newStore(t *testing.T, cfg memory.Config) *memory.Store {
	t.Helper()
	store, err := memory.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func grant(t *testing.T, store *memory.Store, owner string, request lease.RequestID, ttl time.Duration) lease.Grant {
	t.Helper()
	a, err := store.Acquire(context.Background(), "k", owner, request, ttl)
	if err != nil || a.Kind != lease.Granted {
		t.Fatalf("%s is answered %+v, %v, want a grant", owner, a, err)
	}
	return a.Grant
}

func TestTheZeroTokenIsOfNoLeaseEvenOfAKeyThatNobodyHasHeld(t *testing.T) {
	store := newStore(t, memory.Config{Clock: clock.NewMock()})
	ctx := context.Background()
	if r, err := store.Renew(ctx, "never", 0, time.Second); err != nil || r.Lost != lease.LostSuperseded {
		t.Errorf("a renewal is %+v, %v, want superseded", r, err)
	}
	if r, err := store.Release(ctx, "never", 0); err != nil || r.Lost != lease.LostSuperseded {
		t.Errorf("a release is %+v, %v, want superseded", r, err)
	}
}

func TestALeaseEndsAtMaxHoldAfterItsOwnGrantWhereTheClockWentBackBeforeIt(t *testing.T) {
	mock := clock.NewMock()
	mock.Set(time.Unix(1e9, 0))
	store := newStore(t, memory.Config{Clock: mock, MaxHold: time.Minute})
	ctx := context.Background()
	first := grant(t, store, "a", lease.NewRequestID(), time.Minute)
	if r, err := store.Release(ctx, "k", first.Token); err != nil || r.Lost != lease.NotLost {
		t.Fatalf("a release is %+v, %v", r, err)
	}
	mock.Set(mock.Now().Add(-time.Hour))
	second := grant(t, store, "b", lease.NewRequestID(), time.Minute)
	mock.Add(59 * time.Second)
	if r, err := store.Renew(ctx, "k", second.Token, time.Minute); err != nil || r.Lost != lease.NotLost {
		t.Fatalf("a renewal before MaxHold is %+v, %v", r, err)
	}
	mock.Add(time.Second)
	if i, err := store.Inspect(ctx, "k"); err != nil || i.Live {
		t.Errorf("at MaxHold after its grant the lease is %+v, %v, want over", i, err)
	}
}

// The request is what tells who asks: an owner is a name for people, and two processes may have the same one, or one a new one by now.
func TestARequestThatIsRepeatedByAnotherOwnerGetsItsGrantAgainAndChangesNothing(t *testing.T) {
	store := newStore(t, memory.Config{Clock: clock.NewMock()})
	request := lease.NewRequestID()
	first := grant(t, store, "a", request, time.Second)
	if again := grant(t, store, "b", request, time.Minute); again.Token != first.Token || !again.Expires.Equal(first.Expires) {
		t.Errorf("the repeated request has %+v, want %+v", again, first)
	}
	if i, err := store.Inspect(context.Background(), "k"); err != nil || i.Owner != "a" || i.Token != first.Token {
		t.Errorf("the lease is %+v, %v, want that of a", i, err)
	}
}

// slowClock lets the first who reads it go on only when somebody else reads it too, or waits for a lock to do so.
type slowClock struct {
	clock.Clock
	begun, reading, overlaps atomic.Bool
}

func (c *slowClock) Now() time.Time {
	if c.reading.Load() {
		c.overlaps.Store(true)
	}
	if c.begun.CompareAndSwap(false, true) {
		c.reading.Store(true)
		for !c.overlaps.Load() && !waitsForTheStore() {
			runtime.Gosched()
		}
		c.reading.Store(false)
	}
	return c.Clock.Now()
}

func waitsForTheStore() bool {
	stacks := make([]byte, 1<<20)
	for goroutine := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		header, calls, _ := strings.Cut(goroutine, "\n")
		if strings.Contains(header, "[sync.Mutex.Lock") && strings.Contains(calls, "memory.(*Store)") {
			return true
		}
	}
	return false
}

func TestTheClockIsReadByOneCallAtATimeSoThatDecisionsComeInTheOrderOfTheirTimes(t *testing.T) {
	ctx := context.Background()
	for name, call := range map[string]func(s *memory.Store){
		"Acquire": func(s *memory.Store) { _, _ = s.Acquire(ctx, "k", "a", lease.NewRequestID(), time.Second) },
		"Renew":   func(s *memory.Store) { _, _ = s.Renew(ctx, "k", 1, time.Second) },
		"Release": func(s *memory.Store) { _, _ = s.Release(ctx, "k", 1) },
		"Inspect": func(s *memory.Store) { _, _ = s.Inspect(ctx, "k") },
	} {
		t.Run(name, func(t *testing.T) {
			slow := &slowClock{Clock: clock.NewMock()}
			store := newStore(t, memory.Config{Clock: slow})
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				call(store)
			}()
			second := make(chan struct{})
			go func() {
				defer close(second)
				call(store)
			}()
			<-ended
			<-second
			if slow.overlaps.Load() {
				t.Error("two calls read the clock at once, and the earlier time may decide last")
			}
		})
	}
}
