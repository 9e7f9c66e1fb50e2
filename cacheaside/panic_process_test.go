package cacheaside_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// childVariable names, in the environment of a child process, the way in which its loader throws and the callers that are there to see it.
const childVariable = "CACHEASIDE_THROWING_CHILD"

// audience is who is there when the loader throws.
type audience struct {
	name  string
	leave int // of ten callers, the leader first
}

const audienceSize = 10

func audiences() []audience {
	return []audience{{"everybody waits", 0}, {"the leader's time was up", 1}, {"everybody's time was up", audienceSize}}
}

// expired is a context that ends as one does whose time is up, when the test says so.
type expired struct{ context.Context }

func (e expired) Err() error {
	if e.Context.Err() != nil {
		return context.DeadlineExceeded
	}
	return nil
}

// TestC04_APanicOfALoaderNeverEndsTheProcess runs each way of throwing, before each audience, in a process of its own, whose exit tells.
func TestC04_APanicOfALoaderNeverEndsTheProcess(t *testing.T) {
	t.Parallel()
	for _, w := range throwings() {
		for _, a := range audiences() {
			t.Run(w.name+", "+a.name, func(t *testing.T) {
				t.Parallel()
				child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAChildProcessWhoseLoaderThrows$", "-test.v", "-test.count=1")
				child.Env = append(os.Environ(), childVariable+"="+w.name+"/"+a.name, "GODEBUG="+w.debug, "GORACE=atexit_sleep_ms=0")
				out, err := child.CombinedOutput()
				if err != nil || !strings.Contains(string(out), survived) {
					t.Fatalf("the child ended with %v:\n%s", err, out)
				}
			})
		}
	}
}

// survived is what a child says at its end.
const survived = "the process lives and the region works"

// TestAChildProcessWhoseLoaderThrows is the child, and plays the first variant where it is not one. It uses the wall clock: what would kill a process
// must not be kept from it by a bubble.
func TestAChildProcessWhoseLoaderThrows(t *testing.T) {
	variant := os.Getenv(childVariable)
	if variant == "" {
		variant = throwings()[0].name + "/" + audiences()[0].name
	}
	for _, w := range throwings() {
		for _, a := range audiences() {
			if variant == w.name+"/"+a.name {
				throwInChild(t, w, a)
				fmt.Println(survived)
				return
			}
		}
	}
	t.Fatalf("no variant %q", variant)
}

func throwInChild(t *testing.T, w throwing, a audience) {
	t.Helper()
	returned := make(chan cacheaside.Event, 1)
	r := newRegion(t, &scripted{}, func(cfg *cacheaside.RegionConfig[string, string]) {
		cfg.Policy.SourceConcurrency, cfg.Policy.MaxOverduePerKey, cfg.Policy.LoadDeadline = 1, 1, 10*time.Second
		cfg.Observer = cacheaside.ObserverFunc(func(event cacheaside.Event) {
			if event.Kind == cacheaside.EventLoad {
				returned <- event
			}
		})
	})
	wait, open := blocking()
	started, start := blocking()
	load := func(context.Context, string) cacheaside.SourceOutcome[string] {
		start()
		wait()
		w.throw()
		return cacheaside.Loaded("never", "")
	}
	leaving, leave := context.WithCancel(context.Background())
	defer leave()
	gone, here := &callers{}, &callers{}
	for i := range audienceSize {
		if i < a.leave {
			gone.add(expired{leaving}, r, "key", load)
		} else {
			here.add(context.Background(), r, "key", load)
		}
		started() // the first is the leader
	}
	for r.Stats().Waiters < audienceSize-1 {
		runtime.Gosched()
	}
	leave()
	gone.each(func(o outcome) { wantCancelled(t, o, context.DeadlineExceeded) })
	open()
	here.each(func(o outcome) { w.check(t, o) })
	event := <-returned
	if event.Source != w.source {
		t.Fatalf("the observer was told %+v", event)
	}
	if told := event.Stack != ""; told != (a.leave == audienceSize && w.source == cacheaside.SourcePanicked) {
		t.Fatalf("with the audience %q the observer was told %+v", a.name, event)
	}
	o := get(context.Background(), r, "key", returning(cacheaside.Loaded("7", "")))
	wantValue(t, o, cacheaside.StatusLoaded, "7")
	if event := <-returned; event.Source != cacheaside.SourceLoaded {
		t.Fatalf("the observer was told %+v of the load after", event)
	}
}
