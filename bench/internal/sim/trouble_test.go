package sim_test

import (
	"context"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// writing gives a contender whose every call sets its key in the store; it tells what came of each, and how long it took.
func writing(calls int) (c contender.Contender, took []time.Duration, failed []bool) {
	took, failed = make([]time.Duration, calls), make([]bool, calls)
	return reading(func(ctx context.Context, node contender.Node, key uint64) contender.Answer {
		begun := time.Now()
		err := node.Store.Set(ctx, key, contender.Entry{Row: contender.Row{Version: 1}, ExpiresAt: begun.Add(time.Hour)}, time.Hour)
		took[key], failed[key] = time.Since(begun), err != nil
		return contender.Answer{Ending: contender.Hit}
	}), took, failed
}

func TestARestartLosesWhatIsStoredAndWhatIsUnderWay(t *testing.T) {
	setup := stage()
	setup.Store.Trip = 20 * ms // 10 to 30
	setup.StoreFaults = []sim.StoreFault{{Kind: sim.Restart, From: time.Second}}
	at := []time.Duration{900 * ms, 995 * ms, time.Second, 1001 * ms}
	lost := []bool{false, true, false, false}
	c, _, failed := writing(len(at))
	play(t, setup, c, func(s sim.Stage) {
		for n, begins := range at {
			s.At(begins, func() { s.CallWithin(time.Minute, 0, uint64(n)) })
		}
	})
	for n := range at {
		if failed[n] != lost[n] {
			t.Errorf("the command of %v is lost: %v, want %v", at[n], failed[n], lost[n])
		}
	}
	there := map[uint64]bool{}
	c = reading(func(ctx context.Context, node contender.Node, key uint64) contender.Answer {
		if key < 10 {
			_ = node.Store.Set(ctx, key, contender.Entry{Row: contender.Row{Version: 1}, ExpiresAt: time.Now().Add(time.Hour)}, time.Hour)
		} else {
			_, there[key-10], _ = node.Store.Get(ctx, key-10)
		}
		return contender.Answer{Ending: contender.Hit}
	})
	play(t, setup, c, func(s sim.Stage) {
		s.At(900*ms, func() { s.CallWithin(time.Minute, 0, 1) })
		s.At(1001*ms, func() { s.CallWithin(time.Minute, 0, 2) })
		s.At(1100*ms, func() { s.CallWithin(time.Minute, 0, 11) })
		s.At(1200*ms, func() { s.CallWithin(time.Minute, 0, 12) })
	})
	if there[1] || !there[2] {
		t.Errorf("what was set before and after the restart is there: %v, %v", there[1], there[2])
	}
}

func TestAStoreOfSoManyCommandsASecondAnswersThemInTurn(t *testing.T) {
	setup := stage()
	setup.Store.Trip, setup.Store.Capacity = 0, 100
	c, took, _ := writing(6)
	play(t, setup, c, func(s sim.Stage) {
		for n := range uint64(5) {
			s.At(time.Duration(n), func() { s.CallWithin(time.Minute, int(n)%setup.Nodes, n) })
		}
		s.At(time.Second, func() { s.CallWithin(time.Minute, 0, 5) })
	})
	for n, want := range []time.Duration{10 * ms, 20 * ms, 30 * ms, 40 * ms, 50 * ms, 10 * ms} {
		if n < 5 {
			want -= time.Duration(n)
		}
		if took[n] != want {
			t.Errorf("command %d took %v, want %v", n, took[n], want)
		}
	}
}

func TestASuspendedNodeGoesOnWhereItWasAndADeadOneDoesNot(t *testing.T) {
	setup := stage()
	setup.Nodes, setup.Store.Trip = 3, 0
	c, took, failed := writing(3)
	play(t, setup, c, func(s sim.Stage) {
		s.Suspend(0, time.Second)
		s.Kill(1)
		for n := range 3 {
			s.At(100*ms, func() { s.CallWithin(time.Minute, n, uint64(n)) })
		}
	})
	if failed[0] || took[0] != 900*ms || !failed[1] || failed[2] || took[2] != 0 {
		t.Errorf("the nodes took %v and failed %v, want 900ms, a failure, and nothing", took, failed)
	}
}
