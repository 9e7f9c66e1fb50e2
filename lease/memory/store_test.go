package memory_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/memory"
)

func TestAMaxHoldOutOfBoundsIsRefused(t *testing.T) {
	for _, bad := range []time.Duration{-1, 1, lease.MaxMaxHold + 1} {
		var argument *lease.ArgumentError
		if _, err := memory.New(memory.Config{MaxHold: bad}); !errors.As(err, &argument) || argument.Field != "MaxHold" {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestTheZeroConfigurationHoldsForAnHourOnTheRealClock(t *testing.T) {
	store, err := memory.New(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now()
	a, err := store.Acquire(context.Background(), "k", "a", lease.NewRequestID(), time.Hour)
	if err != nil || a.Kind != lease.Granted {
		t.Fatalf("%+v, %v", a, err)
	}
	if micros := time.UnixMicro(int64(a.Grant.Token)); micros.Before(before.Add(-time.Millisecond)) || micros.After(time.Now()) {
		t.Errorf("the first token is %d, want the time in microseconds", a.Grant.Token)
	}
	if _, err := store.Acquire(context.Background(), "j", "a", lease.NewRequestID(), time.Hour+1); !errors.Is(err, lease.ErrNoDecision) {
		t.Errorf("more than an hour: %v", err)
	}
}

func TestTokensGrowWhereTheClockWentBackAndEndBelowTheBound(t *testing.T) {
	mock := clock.NewMock()
	store, err := memory.New(memory.Config{Clock: mock})
	if err != nil {
		t.Fatal(err)
	}
	var last lease.Token
	for _, at := range []time.Time{time.UnixMicro(0), time.UnixMicro(9000), time.UnixMicro(8000), time.UnixMicro(3), time.UnixMicro(int64(lease.MaxToken))} {
		mock.Set(at)
		a, err := store.Acquire(context.Background(), "k", "a", lease.NewRequestID(), time.Second)
		if err != nil || a.Kind != lease.Granted || a.Grant.Token <= last {
			t.Fatalf("at %v: %+v, %v, after %d", at, a, err, last)
		}
		last = a.Grant.Token
		if r, err := store.Release(context.Background(), "k", last); err != nil || r.Lost != lease.NotLost {
			t.Fatalf("at %v: %+v, %v", at, r, err)
		}
	}
	if _, err := store.Acquire(context.Background(), "k", "a", lease.NewRequestID(), time.Second); !errors.Is(err, lease.ErrNoDecision) {
		t.Errorf("above the highest token: %v", err)
	}
}

// TestALeaseIsNotValidAnyMoreWhereAnotherIsGranted has grants of every kind in the middle of a microsecond, in which the store does not count.
func TestALeaseIsNotValidAnyMoreWhereAnotherIsGranted(t *testing.T) {
	const short = time.Millisecond
	begin, amid := time.Unix(1000, 0), time.Unix(1000, 999)
	for name, row := range map[string]struct {
		from time.Time
		last func(store lease.Store, request lease.RequestID, first lease.Grant) lease.Grant
	}{
		"granted":                  {amid, func(_ lease.Store, _ lease.RequestID, first lease.Grant) lease.Grant { return first }},
		"granted before the epoch": {time.Unix(-1000, 999), func(_ lease.Store, _ lease.RequestID, first lease.Grant) lease.Grant { return first }},
		"renewed": {begin, func(store lease.Store, _ lease.RequestID, first lease.Grant) lease.Grant {
			r, err := store.Renew(context.Background(), "k", first.Token, short)
			if err != nil || r.Lost != lease.NotLost {
				t.Fatalf("%+v, %v", r, err)
			}
			return r.Grant
		}},
		"repeated": {begin, func(store lease.Store, request lease.RequestID, _ lease.Grant) lease.Grant {
			a, err := store.Acquire(context.Background(), "k", "a", request, short)
			if err != nil || a.Kind != lease.Granted {
				t.Fatalf("%+v, %v", a, err)
			}
			return a.Grant
		}},
	} {
		mock := clock.NewMock()
		mock.Set(row.from)
		store, err := memory.New(memory.Config{Clock: mock})
		if err != nil {
			t.Fatal(err)
		}
		request := lease.NewRequestID()
		first, err := store.Acquire(context.Background(), "k", "a", request, short)
		if err != nil || first.Kind != lease.Granted {
			t.Fatalf("%s: %+v, %v", name, first, err)
		}
		mock.Set(row.from.Add(time.Duration(amid.Nanosecond() - row.from.Nanosecond())))
		grant := row.last(store, request, first.Grant)
		if !grant.ValidAt(grant.Expires.Add(-1)) {
			t.Errorf("%s: not valid until its end", name)
		}
		mock.Set(grant.Expires)
		next, err := store.Acquire(context.Background(), "k", "b", lease.NewRequestID(), short)
		if err != nil || next.Kind != lease.Granted || grant.ValidAt(mock.Now()) || !next.Grant.ValidAt(mock.Now()) {
			t.Errorf("%s: another is answered %v, %v, while the first is valid: %t, and for %v more", name, next.Kind, err, grant.ValidAt(mock.Now()),
				grant.ValidUntil.Sub(mock.Now()))
		}
	}
}

func TestTheEndOfALeaseIsOnTheMonotonicClock(t *testing.T) {
	store, err := memory.New(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := store.Acquire(context.Background(), "k", "a", lease.NewRequestID(), time.Hour)
	if err != nil || !strings.Contains(a.Grant.ValidUntil.String(), " m=") {
		t.Errorf("%v, %v", a.Grant.ValidUntil, err)
	}
}
