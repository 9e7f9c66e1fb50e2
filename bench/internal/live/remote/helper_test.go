package remote_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/cacheaside/resilience/bench/internal/live/remote"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come.
const patience = 10 * time.Second

// quick is a source whose loads take next to no time.
func quick(slots int) remote.Model {
	return remote.Model{Slots: slots, Mean: time.Millisecond, BodyBytes: 10, Seed: 1}
}

// long is a model whose loads do not end by themselves within a test.
func long(slots int) remote.Model {
	return remote.Model{Slots: slots, Mean: time.Hour, BodyBytes: 10, Seed: 1}
}

func serve(t *testing.T, model remote.Model, onCall func(uint64, time.Time)) *remote.Server {
	t.Helper()
	s, err := remote.Serve(model, onCall)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func dial(t *testing.T, s *remote.Server) *remote.Client {
	t.Helper()
	c, err := remote.Dial(t.Context(), s.Addr(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// arrivals hands over the keys of the loads as they arrive.
func arrivals() (chan uint64, func(uint64, time.Time)) {
	keys := make(chan uint64, 1024)
	return keys, func(key uint64, _ time.Time) { keys <- key }
}

func receive[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}
