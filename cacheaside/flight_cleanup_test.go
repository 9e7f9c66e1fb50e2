package cacheaside_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// leavingCourses are the ways in which callers, invalidations and a close end a flight, or what is left of it.
func leavingCourses() []course {
	slow := after(500*time.Millisecond, cacheaside.Loaded("value", ""))
	leave := func(load cacheaside.Loader[string, string]) func(*testing.T, *stringRegion) outcome {
		return func(t *testing.T, r *stringRegion) outcome {
			t.Helper()
			return get(leavingAfter(t, 10*time.Millisecond), r, "key", load)
		}
	}
	abandons := func(cfg *cacheaside.RegionConfig[string, string], _ *scripted) { cfg.Policy.CancelAbandoned = true }
	invalidated := func(patience time.Duration) func(*testing.T, *stringRegion) outcome {
		return func(t *testing.T, r *stringRegion) outcome {
			t.Helper()
			ended := goGet(leavingAfter(t, patience), r, "key", slow)
			synctest.Wait()
			if err := cacheaside.Invalidate(context.Background(), r, "key"); err != nil {
				t.Fatal(err)
			}
			return <-ended
		}
	}
	behindBusy := func(patience time.Duration) func(*testing.T, *stringRegion) outcome {
		return func(t *testing.T, r *stringRegion) outcome {
			t.Helper()
			crowdOfKeys(4, r, "busy", slow)
			synctest.Wait()
			return get(leavingAfter(t, patience), r, "key", mustNotLoad(t))
		}
	}
	return []course{
		{name: "left before the permit", play: behindBusy(10 * time.Millisecond), status: cacheaside.StatusCancelled},
		{name: "no permit in time", play: behindBusy(time.Minute), status: cacheaside.StatusRejected, reason: cacheaside.ReasonAdmissionTimeout},
		{name: "left while loading", play: leave(slow), status: cacheaside.StatusCancelled},
		{name: "left while loading, overdue later", play: leave(after(3*time.Second, cacheaside.Loaded("value", ""))), status: cacheaside.StatusCancelled},
		{name: "abandoned, and the loader obeys", change: abandons, status: cacheaside.StatusCancelled, play: leave(obeying)},
		{name: "abandoned, and the loader does not", change: abandons, status: cacheaside.StatusCancelled, play: leave(slow)},
		{name: "invalidated with a caller waiting", play: invalidated(time.Minute), status: cacheaside.StatusLoaded},
		{name: "invalidated, and the caller left", play: invalidated(10 * time.Millisecond), status: cacheaside.StatusCancelled},
		{name: "joined from inside", status: cacheaside.StatusRejected, reason: cacheaside.ReasonReentrant, play: func(t *testing.T, r *stringRegion) outcome {
			t.Helper()
			var inner outcome
			get(context.Background(), r, "key", func(ctx context.Context, key string) cacheaside.SourceOutcome[string] {
				inner = get(ctx, r, key, mustNotLoad(t))
				return cacheaside.PermanentFailure[string]("x", inner.err)
			})
			return inner
		}},
		{name: "closed in good time", closed: true, status: cacheaside.StatusLoaded, play: func(t *testing.T, r *stringRegion) outcome {
			t.Helper()
			ended := goGet(context.Background(), r, "key", slow)
			synctest.Wait()
			if err := r.Close(context.Background()); err != nil {
				t.Fatal(err)
			}
			return <-ended
		}},
		{name: "closed with no time left", closed: true, status: cacheaside.StatusRejected, reason: cacheaside.ReasonClosed, play: func(t *testing.T, r *stringRegion) outcome {
			t.Helper()
			ended := goGet(context.Background(), r, "key", slow)
			synctest.Wait()
			if err := r.Close(leavingAfter(t, time.Millisecond)); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("Close: %v", err)
			}
			return <-ended
		}},
	}
}

// obeying loads until its context ends.
func obeying(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
	<-ctx.Done()
	return cacheaside.Cancelled[string](ctx.Err())
}

// crowdOfKeys sends one call for each of n keys.
func crowdOfKeys(n int, r *stringRegion, prefix string, load cacheaside.Loader[string, string]) *callers {
	c := &callers{}
	for i := range n {
		c.add(context.Background(), r, prefix+" "+string(rune('a'+i)), load)
	}
	return c
}

func TestWhateverAFlightEndsByNothingOfItIsLeft(t *testing.T) {
	const permits = 4
	for _, c := range append(courses(), leavingCourses()...) {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := &scripted{}
				r := newRegion(t, cache, func(cfg *cacheaside.RegionConfig[string, string]) {
					cfg.Policy.SourceConcurrency, cfg.Policy.MaxOverduePerKey = permits, permits
					if c.change != nil {
						c.change(cfg, cache)
					}
				})
				for range 3 {
					o := c.play(t, r)
					if thrown := o.panicked != nil; thrown != c.throws {
						t.Fatalf("panic %v", o.panicked)
					}
					if !c.throws && o.result.Status != c.status || reasonOf(o) != c.reason {
						t.Fatalf("got %v, %v, want %v %v", o.result.Status, o.err, c.status, c.reason)
					}
					if o.err != nil && o.result.Value != "" {
						t.Fatalf("error %v beside the value %q", o.err, o.result.Value)
					}
					<-time.After(5 * time.Second)
					wantEmpty(t, r)
					if c.closed {
						return
					}
					cache.mu.Lock()
					cache.lookups = 0
					cache.mu.Unlock()
				}
				cache.lookup, cache.record = nil, nil
				wantRendezvous(t, r, permits)
				synctest.Wait()
				wantEmpty(t, r)
			})
		})
	}
}
