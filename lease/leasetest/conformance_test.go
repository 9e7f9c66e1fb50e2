package leasetest_test

import (
	"testing"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/lease/leasetest"
	"github.com/cacheaside/resilience/lease/memory"
)

func inMemory(t testing.TB, opt leasetest.Options) leasetest.Subject {
	t.Helper()
	mock := clock.NewMock()
	store, err := memory.New(memory.Config{MaxHold: opt.MaxHold, Clock: mock})
	if err != nil {
		t.Fatal(err)
	}
	return leasetest.Subject{Store: store, Second: store, Advance: mock.Add, StandsStill: true, Now: mock.Now}
}

func TestTheStoreInTheProcessKeepsTheContractOfThePort(t *testing.T) {
	t.Parallel()
	leasetest.Run(t, inMemory)
}
