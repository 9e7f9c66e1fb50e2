package memory_test

import (
	"context"
	"errors"
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
