package contender_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

const callers = 50

func TestACrowdAtAColdKeyCostsWhatEachPolicySays(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]int64{"P0": callers, "P1": 1, "P2": 1, "P3": 1, "P4": 1, "P5": callers, "P6": 1, "P7": 1, "P8": 1} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				reader, behind, _ := open(t, id)
				defer closed(t, reader)
				endings := together(t.Context(), reader, callers, 3)
				if got := behind.calls.Load(); got != want {
					t.Errorf("%d calls of the source, want %d", got, want)
				}
				if endings[contender.Loaded]+endings[contender.Hit] != callers {
					t.Errorf("the callers end as %v, want all with the row", endings)
				}
			})
		})
	}
}

func TestACrowdAtAFailingColdKeyWaitsInTurnOnlyBehindALock(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]struct {
		calls int64
		took  time.Duration // at least
	}{"P0": {callers, loadTime}, "P1": {1, loadTime}, "P2": {1, loadTime}, "P3": {callers, callers * loadTime}, "P4": {callers, callers * loadTime},
		"P6": {1, loadTime}, "P7": {1, loadTime}, "P8": {1, loadTime}} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				reader, behind, _ := open(t, id)
				defer closed(t, reader)
				behind.fail(contender.ErrSource)
				begun := time.Now()
				endings := together(t.Context(), reader, callers, 3)
				if got := behind.calls.Load(); got != want.calls || endings[contender.Failed] != callers {
					t.Errorf("%d calls of the source and endings %v, want %d calls and %d failures", got, endings, want.calls, callers)
				}
				if took := time.Since(begun); took < want.took || took > 2*want.took {
					t.Errorf("the last caller knows after %v, want %v or a little more", took, want.took)
				}
			})
		})
	}
}

func TestALeaderWhoLeavesTakesTheOthersAlongOnlyInP1(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]struct {
		calls    int64
		answered bool
		reason   string
	}{"P1": {1, false, "another caller's context"}, "P2": {1, true, ""}, "P3": {2, true, ""}, "P4": {2, true, ""}, "P6": {1, true, ""}, "P7": {1, true, ""}, "P8": {1, true, ""}} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				reader, behind, _ := open(t, id)
				defer closed(t, reader)
				ctx, leave := context.WithCancel(t.Context())
				var all sync.WaitGroup
				all.Go(func() {
					if got := reader.Get(ctx, 3); got.Ending != contender.TimedOut {
						t.Errorf("the leader gets %+v", got)
					}
				})
				synctest.Wait() // its load has begun
				for range callers {
					all.Go(func() {
						if got := reader.Get(t.Context(), 3); got.Ending.Answered() != want.answered || got.Reason != want.reason {
							t.Errorf("a follower gets %+v, want an answer: %t, reason %q", got, want.answered, want.reason)
						}
					})
				}
				synctest.Wait()
				leave()
				all.Wait()
				if got := behind.calls.Load(); got != want.calls {
					t.Errorf("%d calls of the source, want %d", got, want.calls)
				}
			})
		})
	}
}

func TestACallerLeavesAConvoyAndAPollAtItsDeadline(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"P1", "P2", "P3", "P4", "P6", "P7", "P8"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				reader, _, _ := open(t, id)
				defer closed(t, reader)
				var all sync.WaitGroup
				all.Go(func() { reader.Get(t.Context(), 3) })
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), loadTime/2)
				defer cancel()
				begun := time.Now()
				got := reader.Get(ctx, 3)
				if took := time.Since(begun); got.Ending != contender.TimedOut || took != loadTime/2 {
					t.Errorf("a follower gets %v after %v, want to have timed out after %v", got.Ending, took, loadTime/2)
				}
				all.Wait()
			})
		})
	}
}

func TestAConvoyForgetsKeysThatNobodyWaitsFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader, behind, _ := open(t, "P3")
		for key := range uint64(10) {
			if endings := together(t.Context(), reader, 3, key); endings[contender.Loaded] != 1 || endings[contender.Hit] != 2 {
				t.Errorf("key %d: %v, want one load and two who find it", key, endings)
			}
		}
		if got := behind.calls.Load(); got != 10 {
			t.Errorf("%d calls for 10 keys", got)
		}
		if left := contender.Turns(reader); left != 0 {
			t.Errorf("%d keys are kept", left)
		}
	})
}
