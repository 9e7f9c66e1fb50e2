package cacheaside_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

var errThrown = errors.New("thrown")

// throwing is a way for a loader not to return.
type throwing struct {
	name    string
	throw   func()
	debug   string                // GODEBUG
	panics  func(thrown any) bool // what every caller's own goroutine panics with
	exits   bool                  // the callers get ErrLoaderExited
	unwraps error                 // in the chain of the panic
	source  cacheaside.SourceKind // as an observer is told
}

func isPanicNil(thrown any) bool {
	_, ok := thrown.(*runtime.PanicNilError)
	return ok
}

func throwings() []throwing {
	return []throwing{
		{name: "panic with a text", throw: func() { panic("boom") }, panics: func(v any) bool { return v == "boom" }, source: cacheaside.SourcePanicked},
		{
			name: "panic with an error", throw: func() { panic(errThrown) }, panics: func(v any) bool { return v == errThrown }, //nolint:errorlint // the very value
			unwraps: errThrown, source: cacheaside.SourcePanicked,
		},
		{
			name: "panic of the runtime", throw: func() { beyond := make([]int, 0); beyond[len(beyond)]++ },
			panics: func(v any) bool { _, ok := v.(runtime.Error); return ok }, source: cacheaside.SourcePanicked,
		},
		{name: "panic(nil)", debug: "panicnil=0", throw: func() { panic(nil) }, panics: isPanicNil, source: cacheaside.SourcePanicked},
		{
			name: "panic(nil) in a program that still allows it", debug: "panicnil=1", throw: func() { panic(nil) }, panics: isPanicNil,
			source: cacheaside.SourcePanicked,
		},
		{name: "Goexit", throw: runtime.Goexit, exits: true, source: cacheaside.SourceExited},
		{name: "t.FailNow", throw: func() { new(testing.T).FailNow() }, exits: true, source: cacheaside.SourceExited},
		{name: "Goexit on the way of a panic", throw: func() {
			defer runtime.Goexit()
			panic("boom")
		}, exits: true, source: cacheaside.SourceExited},
		{name: "a panic on the way of an exit", throw: func() {
			defer func() { panic("boom") }()
			runtime.Goexit()
		}, exits: true, source: cacheaside.SourceExited},
	}
}

// check holds a caller to what the way of throwing promises.
func (w throwing) check(t testing.TB, o outcome) {
	t.Helper()
	if o.result.Value != "" || o.err == nil && o.panicked == nil {
		t.Fatalf("a caller got %+v and error %v", o.result, o.err)
	}
	if w.exits {
		if !errors.Is(o.err, cacheaside.ErrLoaderExited) || o.panicked != nil || o.result.Status != cacheaside.StatusFailed {
			t.Fatalf("got %v, error %v, panic %v; want ErrLoaderExited", o.result.Status, o.err, o.panicked)
		}
		return
	}
	thrown, ok := o.panicked.(*cacheaside.LoaderPanic)
	if !ok || !w.panics(thrown.Value) {
		t.Fatalf("a caller panicked with %#v, error %v", o.panicked, o.err)
	}
	if !strings.Contains(string(thrown.Stack), "panic_waiters_test.go") {
		t.Fatalf("the stack does not lead to the loader:\n%s", thrown.Stack)
	}
	if w.unwraps != nil && !errors.Is(thrown, w.unwraps) {
		t.Fatalf("%v does not unwrap to what was thrown", thrown)
	}
	if strings.Contains(thrown.Error(), "boom") || strings.Contains(thrown.Error(), "thrown") {
		t.Fatalf("the text %q tells what was thrown", thrown.Error())
	}
}

func TestFiftyCallersOfALoaderThatThrowsAllEndInTheirOwnGoroutines(t *testing.T) {
	for _, w := range throwings() {
		t.Run(w.name, func(t *testing.T) {
			if w.debug != "" {
				t.Setenv("GODEBUG", w.debug)
			}
			synctest.Test(t, func(t *testing.T) {
				cache, told := &scripted{}, &eventLog{}
				r := newRegion(t, cache, observedBy(told), policy(func(p *cacheaside.Policy) { p.SourceConcurrency, p.MaxOverduePerKey = 1, 1 }))
				source := counted(func(context.Context, string) cacheaside.SourceOutcome[string] {
					<-time.After(50 * time.Millisecond)
					w.throw()
					return cacheaside.Loaded("never", "")
				})
				ended := 0
				crowd(51, r, "key", source.call).each(func(o outcome) {
					w.check(t, o)
					if o.took != 50*time.Millisecond {
						t.Fatalf("a caller ended after %v", o.took)
					}
					ended++
				})
				source.want(t, 1)
				if ended != 51 || len(cache.records()) != 0 {
					t.Fatalf("%d callers ended, records %+v", ended, cache.records())
				}
				synctest.Wait()
				if loads := told.of(cacheaside.EventLoad); len(loads) != 1 || loads[0].Source != w.source || loads[0].Stack != "" {
					t.Fatalf("the observer was told %+v", loads)
				}
				wantValue(t, get(context.Background(), r, "key", returning(cacheaside.Loaded("7", ""))), cacheaside.StatusLoaded, "7")
				wantAtRest(t, r, 1)
			})
		})
	}
}

func TestAThrowingLoaderIsNeverAnsweredFromAStaleValueAndNeverRemembered(t *testing.T) {
	for _, w := range throwings() {
		t.Run(w.name, func(t *testing.T) {
			if w.debug != "" {
				t.Setenv("GODEBUG", w.debug)
			}
			synctest.Test(t, func(t *testing.T) {
				cache := &scripted{lookup: always(stale("old", time.Now().Add(time.Minute)))}
				r := newRegion(t, cache, policy(func(p *cacheaside.Policy) {
					p.ServeStale = cacheaside.StaleRules{OnTransient: true, OnRejected: true, OnDeadline: true}
					p.FailureBackoff = time.Minute
				}))
				w.check(t, get(context.Background(), r, "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
					w.throw()
					return cacheaside.Loaded("never", "")
				}))
				if len(cache.records()) != 0 {
					t.Fatalf("records %+v", cache.records())
				}
				wantValue(t, get(context.Background(), r, "key", returning(cacheaside.Loaded("7", ""))), cacheaside.StatusLoaded, "7")
				wantEmpty(t, r)
			})
		})
	}
}
