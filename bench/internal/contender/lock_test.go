package contender_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

func TestAPollingProcessWaitsForAnotherOnesFill(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader, behind, kept := open(t, "P4")
		if held, err := kept.Lock(t.Context(), 3, time.Minute); !held || err != nil {
			t.Fatal(held, err)
		}
		time.AfterFunc(time.Second, func() {
			entry := contender.Entry{Row: contender.Row{Version: 7}, ExpiresAt: time.Now().Add(soft)}
			if err := kept.Set(context.Background(), 3, entry, soft); err != nil {
				t.Error(err)
			}
		})
		begun := time.Now()
		got := reader.Get(t.Context(), 3)
		if took := time.Since(begun); got.Ending != contender.Hit || got.Row.Version != 7 || took < time.Second || took > 1100*time.Millisecond {
			t.Errorf("%+v after %v, want the other one's row within a poll", got, took)
		}
		if behind.calls.Load() != 0 {
			t.Error("the source was asked")
		}
	})
}

func TestALockOfADeadProcessIsWaitedOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader, _, kept := open(t, "P4")
		if held, err := kept.Lock(t.Context(), 3, 5*time.Second); !held || err != nil {
			t.Fatal(held, err)
		}
		begun := time.Now()
		got := reader.Get(t.Context(), 3)
		if took := time.Since(begun); got.Ending != contender.Loaded || took < 5*time.Second {
			t.Errorf("%v after %v, want a load once the lock has run out", got.Ending, took)
		}
	})
}

func TestALockIsGivenBackByAHolderWhoseTimeIsOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader, _, kept := open(t, "P4")
		ctx, cancel := context.WithTimeout(t.Context(), loadTime/2)
		defer cancel()
		if got := reader.Get(ctx, 3); got.Ending != contender.TimedOut {
			t.Errorf("the holder gets %+v", got)
		}
		if held, err := kept.Lock(t.Context(), 3, time.Second); !held || err != nil || kept.unlocks != 1 {
			t.Errorf("the lock is free: %t, %v, given back %d times", held, err, kept.unlocks)
		}
	})
}

func TestAnEarlyRefreshIsMoreLikelyTheNearerTheExpiry(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		after time.Duration // the first load's end
		dice  float64
		want  contender.Ending
	}{
		{"the lowest dice never load early", soft - time.Nanosecond, 0, contender.Hit},
		{"far from the expiry", soft / 2, 0.99, contender.Hit},                              // 100 ms * 4.6
		{"near the expiry, high dice", soft - 400*time.Millisecond, 0.99, contender.Loaded}, // 460 ms ahead
		{"near the expiry, low dice", soft - 400*time.Millisecond, 0.5, contender.Hit},      // 69 ms ahead
		{"the highest dice", soft - 3*time.Second, 1 - 1.0/(1<<53), contender.Loaded},       // 3.67 s ahead
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				reader, _, _ := open(t, "P5", func(n *contender.Node) { n.Random = func() float64 { return test.dice } })
				reader.Get(t.Context(), 3)
				pass(test.after)
				if got := reader.Get(t.Context(), 3); got.Ending != test.want {
					t.Errorf("%v, want %v", got.Ending, test.want)
				}
			})
		})
	}
}
