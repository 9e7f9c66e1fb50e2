package cacheaside_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
)

type valueKey string

// overdueContext brings a loader past its deadline with whatever it did to its context, and gives the context it had.
func overdueContext(t *testing.T, inside func(ctx context.Context)) {
	t.Helper()
	r := newRegion(t, &scripted{})
	o := get(context.Background(), r, "key", func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
		inside(ctx)
		return cacheaside.Unclassified[string](ctx.Err())
	})
	wantRejected(t, o, cacheaside.ReasonLoadDeadline)
	if o.took != time.Second {
		t.Fatalf("took %v", o.took)
	}
	wantAtRest(t, r, 16)
}

func TestTheLoadContextEndsAtTheDeadlineWithDeadlineExceededAsDoTheContextsDerivedFromIt(t *testing.T) {
	for _, row := range []struct {
		name   string
		derive func(ctx context.Context) (context.Context, context.CancelFunc)
	}{
		{"itself", func(ctx context.Context) (context.Context, context.CancelFunc) { return ctx, func() {} }},
		{"WithCancel", context.WithCancel},
		{"WithTimeout, a longer one", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Hour)
		}},
		{"WithValue", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithValue(ctx, valueKey("k"), 1), func() {}
		}},
		{"WithCancel of WithValue", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithCancel(context.WithValue(ctx, valueKey("k"), 1))
		}},
		{"WithCancel of WithCancel", func(ctx context.Context) (context.Context, context.CancelFunc) {
			child, cancelChild := context.WithCancel(ctx)
			grandchild, cancel := context.WithCancel(child)
			return grandchild, func() { cancel(); cancelChild() }
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				overdueContext(t, func(ctx context.Context) {
					derived, cancel := row.derive(ctx)
					defer cancel()
					begun := time.Now()
					<-derived.Done()
					if took := time.Since(begun); took != time.Second {
						t.Errorf("ended after %v", took)
					}
					if err := derived.Err(); err != context.DeadlineExceeded { //nolint:errorlint // drivers compare it so
						t.Errorf("ended with %v", err)
					}
					if cause := context.Cause(derived); cause != context.DeadlineExceeded { //nolint:errorlint // the very error
						t.Errorf("ended by the cause %v", cause)
					}
				})
			})
		})
	}
}

func TestWhatALoaderHasTiedToItsContextRunsWhenTheLoadIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ran, stopped := make(chan error, 1), false
		overdueContext(t, func(ctx context.Context) {
			context.AfterFunc(ctx, func() { ran <- ctx.Err() })
			stop := context.AfterFunc(ctx, func() { t.Error("ran although it was stopped") })
			stopped = stop()
			if stop() {
				t.Error("stopped twice")
			}
			<-ctx.Done()
			if err := <-ran; err != context.DeadlineExceeded { //nolint:errorlint // the very error
				t.Errorf("ran with %v", err)
			}
			if stop := context.AfterFunc(ctx, func() { ran <- nil }); stop() {
				t.Error("stopped what was tied to a context that had ended")
			}
			<-ran
		})
		if !stopped {
			t.Error("could not be stopped")
		}
	})
}

// TestALoadContextForgetsWhatIsNotTiedToItAnyMore asks the context itself, as the context package does for those derived from it.
func TestALoadContextForgetsWhatIsNotTiedToItAnyMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		overdueContext(t, func(ctx context.Context) {
			tied, ok := ctx.(interface{ AfterFunc(f func()) func() bool })
			if !ok {
				t.Error("the contexts derived from it cost a goroutine each")
				<-ctx.Done()
				return
			}
			stop := tied.AfterFunc(func() { t.Error("ran although it was stopped") })
			if !stop() || stop() {
				t.Error("a stop that was the first, or was not, is not told as such")
			}
			<-ctx.Done()
			ran := make(chan struct{})
			if tied.AfterFunc(func() { close(ran) })() {
				t.Error("stopped what runs at once")
			}
			<-ran
		})
	})
}

func TestAContextWithoutCancelOutlivesTheLoadAndKeepsItsValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		overdueContext(t, func(ctx context.Context) {
			kept := context.WithoutCancel(context.WithValue(ctx, valueKey("k"), "v"))
			<-ctx.Done()
			if kept.Err() != nil || kept.Done() != nil || kept.Value(valueKey("k")) != "v" {
				t.Errorf("a context without cancel: %v, value %v", kept.Err(), kept.Value(valueKey("k")))
			}
		})
	})
}

// TestAHelperOfALoaderThatWaitsForItsContextEndsWhenTheLoaderReturns fails by the bubble, in which no goroutine may be left blocked.
func TestAHelperOfALoaderThatWaitsForItsContextEndsWhenTheLoaderReturns(t *testing.T) {
	for _, row := range []struct {
		name   string
		helper func(ctx context.Context)
	}{
		{"on the context itself", func(ctx context.Context) { <-ctx.Done() }},
		{"on one derived from it", func(ctx context.Context) {
			derived, cancel := context.WithCancel(context.WithValue(ctx, valueKey("k"), 1))
			defer cancel()
			<-derived.Done()
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var helpers sync.WaitGroup
				r := newRegion(t, &scripted{})
				begun := time.Now()
				o := get(context.Background(), r, "key", func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
					helpers.Go(func() { row.helper(ctx) })
					<-time.After(10 * time.Millisecond)
					return cacheaside.Loaded("value", "")
				})
				wantValue(t, o, cacheaside.StatusLoaded, "value")
				helpers.Wait()
				if took := time.Since(begun); took != 10*time.Millisecond {
					t.Fatalf("the helper ended after %v", took)
				}
				wantAtRest(t, r, 16)
			})
		})
	}
}

func TestTheLoadContextTellsItsDeadlineOnTheRealClockOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, row := range []struct {
			name  string
			clock clock.Clock
			tells bool
		}{{"no clock", nil, true}, {"the real clock", clock.New(), true}, {"a mock", clock.NewMock(), false}} {
			r := newRegion(t, &scripted{}, onClock(row.clock))
			begun := time.Now()
			o := get(context.Background(), r, "key", func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
				deadline, ok := ctx.Deadline()
				if ok != row.tells || ok && deadline.Sub(begun) != time.Second || !ok && !deadline.IsZero() {
					t.Errorf("%s: deadline %v, %v", row.name, deadline, ok)
				}
				return cacheaside.Loaded("value", "")
			})
			wantValue(t, o, cacheaside.StatusLoaded, "value")
		}
	})
}

func TestALoadSeesTheValuesOfItsFirstCallerOrWhatTheHookGivesAndNoCancellation(t *testing.T) {
	key := valueKey("tenant")
	cancelled, cancel := context.WithCancel(context.WithValue(context.Background(), key, "hook"))
	cancel()
	for _, row := range []struct {
		name string
		hook func(context.Context) context.Context
		want any
	}{
		{"no hook", nil, "caller"},
		{"a hook that keeps nothing", func(context.Context) context.Context { return context.Background() }, nil},
		{"a hook that gives nil", func(context.Context) context.Context { return nil }, nil},
		{"a hook that gives a cancelled context", func(context.Context) context.Context { return cancelled }, "hook"},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRegion(t, &scripted{}, func(cfg *cacheaside.RegionConfig[string, string]) { cfg.LoadContext = row.hook })
				caller, leave := context.WithCancel(context.WithValue(context.Background(), key, "caller"))
				o := get(caller, r, "key", func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
					leave()
					<-time.After(time.Millisecond)
					if seen := ctx.Value(key); seen != row.want || ctx.Err() != nil {
						t.Errorf("the load sees %v and %v", seen, ctx.Err())
					}
					return cacheaside.Loaded("value", "")
				})
				wantCancelled(t, o, context.Canceled)
				<-time.After(time.Millisecond)
				wantAtRest(t, r, 16)
			})
		})
	}
}
