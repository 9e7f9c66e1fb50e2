package contender_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

func TestAllContendersHaveAnIDAndAName(t *testing.T) {
	t.Parallel()
	if want := []string{"P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8"}; !slices.Equal(ids(), want) {
		t.Errorf("the contenders are %v, want %v", ids(), want)
	}
	for _, c := range contender.All() {
		if c.Name == "" || c.Open == nil || c.Library != (c.ID >= "P6") || c.Fenced != (c.ID == "P8") {
			t.Errorf("%s: name %q, library %t, fenced %t", c.ID, c.Name, c.Library, c.Fenced)
		}
	}
}

func TestEveryContenderLoadsOnceAndThenHitsUntilTheSoftExpiry(t *testing.T) {
	t.Parallel()
	for _, id := range ids() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				reader, behind, _ := open(t, id)
				defer closed(t, reader)
				if got := reader.Get(t.Context(), 3); got.Ending != contender.Loaded || got.Row.Version != 1 || got.Row.Body[0] != 3 {
					t.Errorf("the first read gives %+v, want a loaded row", got)
				}
				pass(soft - time.Second)
				if got := reader.Get(t.Context(), 3); got.Ending != contender.Hit || got.Row.Version != 1 || got.Row.Age(time.Now()) < soft-time.Second {
					t.Errorf("before the expiry %+v of age %v, want a hit on the old row", got, got.Row.Age(time.Now()))
				}
				pass(time.Second)
				after := reader.Get(t.Context(), 3).Ending
				if want := map[bool]contender.Ending{true: contender.Stale, false: contender.Loaded}[id >= "P7"]; after != want {
					t.Errorf("after the expiry %v, want %v", after, want)
				}
				pass(time.Second) // for a refresh behind a stale answer
				if calls := behind.calls.Load(); calls != 2 {
					t.Errorf("%d calls of the source, want one and one more after the expiry", calls)
				}
			})
		})
	}
}

func TestEveryContenderRemembersAnAbsenceForItsTime(t *testing.T) {
	t.Parallel()
	for _, id := range ids() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				reader, behind, _ := open(t, id)
				defer closed(t, reader)
				for read, wait := range []time.Duration{0, negative - time.Second, 2 * time.Second} {
					pass(wait)
					if got := reader.Get(t.Context(), 19); got.Ending != contender.Absent || got.Row.Version != 0 {
						t.Errorf("read %d gives %+v, want the absence", read, got)
					}
				}
				if calls := behind.calls.Load(); calls != 2 {
					t.Errorf("%d calls of the source, want 2", calls)
				}
			})
		})
	}
}

func TestAnInvalidatedRowIsReadAnew(t *testing.T) {
	t.Parallel()
	for _, id := range ids() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				reader, behind, _ := open(t, id)
				defer closed(t, reader)
				reader.Get(t.Context(), 3)
				behind.last.Store(1)
				if err := reader.Invalidate(t.Context(), 3); err != nil {
					t.Fatal(err)
				}
				if got := reader.Get(t.Context(), 3); got.Ending != contender.Loaded || got.Row.Version != 2 {
					t.Errorf("after the invalidation %+v, want version 2 loaded", got)
				}
			})
		})
	}
}

func TestEveryContenderPutsAFailureIntoTheSameWords(t *testing.T) {
	t.Parallel()
	for _, id := range ids() {
		for _, test := range []struct {
			name     string
			err      error
			patience time.Duration
			want     contender.Ending
			reason   string
		}{
			{"transient", contender.ErrSource, time.Minute, contender.Failed, "source"},
			{"unknown", errors.New("of another kind"), time.Minute, contender.Failed, "other"},
			{"too slow", nil, loadTime / 2, contender.TimedOut, ""},
		} {
			t.Run(id+" "+test.name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					reader, behind, _ := open(t, id)
					defer closed(t, reader)
					behind.fail(test.err)
					ctx, cancel := context.WithTimeout(t.Context(), test.patience)
					defer cancel()
					begun := time.Now()
					got := reader.Get(ctx, 3)
					if got.Ending != test.want || got.Reason != test.reason || got.Ending.Answered() {
						t.Errorf("%+v, want %v for %q", got, test.want, test.reason)
					}
					if took := time.Since(begun); took > loadTime || took > test.patience {
						t.Errorf("it takes %v", took)
					}
				})
			})
		}
	}
}

func TestAStoreThatIsDownIsAMissToThePlainContenders(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"P0", "P1", "P2", "P3", "P4", "P5"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				reader, behind, kept := open(t, id)
				defer closed(t, reader)
				kept.down.Store(true)
				for range 2 {
					if got := reader.Get(t.Context(), 3); got.Ending != contender.Loaded {
						t.Errorf("%+v, want a row from the source", got)
					}
				}
				if calls := behind.calls.Load(); calls != 2 {
					t.Errorf("%d calls, want one for each read", calls)
				}
				if err := reader.Invalidate(t.Context(), 3); !errors.Is(err, errDown) {
					t.Errorf("the invalidation gives %v, want %v", err, errDown)
				}
			})
		})
	}
}

func TestEndingsHaveNames(t *testing.T) {
	t.Parallel()
	want := []string{"hit", "loaded", "stale", "absent", "rejected", "failed", "timed out"}
	for i, name := range want {
		e := contender.Hit + contender.Ending(i)
		if e.String() != name || e.Answered() != (i < 4) {
			t.Errorf("ending %d is %q and answered: %t", e, e, e.Answered())
		}
	}
}
