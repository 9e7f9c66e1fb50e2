package cacheaside_test

import (
	"context"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// gauge is a loader that takes a while, and keeps the highest number of loaders it has seen.
type gauge struct {
	takes time.Duration

	mu                   sync.Mutex
	running, peak, calls int
}

func (g *gauge) load(context.Context, string) cacheaside.SourceOutcome[string] {
	g.mu.Lock()
	g.calls++
	g.running++
	g.peak = max(g.peak, g.running)
	g.mu.Unlock()
	<-time.After(g.takes)
	g.mu.Lock()
	g.running--
	g.mu.Unlock()
	return cacheaside.Loaded("value", "")
}

func TestTwoThousandColdKeysAtOnceLoadOnlyAsManyAsThePermitsAllow(t *testing.T) {
	// The runtime's own goroutines come and go, and so do those of singleflight, which end a moment after the flights that they carried.
	const keys, permits, runtimes = 2000, 16, 128
	for _, row := range []struct {
		name     string
		inFlight int
	}{{"most are refused as keys", 256}, {"all are queued", 2048}} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.MaxInFlightKeys = row.inFlight }))
				g := &gauge{takes: 10 * time.Millisecond}
				before := runtime.NumGoroutine()
				var all callers
				for i := range keys {
					all.add(context.Background(), r, strconv.Itoa(i), g.load)
				}
				for range 30 {
					synctest.Wait()
					// Every key in flight has its one caller waiting, the flight's goroutine and perhaps the loader's.
					s := r.Stats()
					if own, most := runtime.NumGoroutine()-before, 2*s.InFlightKeys+s.RunningLoads+runtimes; own > most || s.InFlightKeys > row.inFlight {
						t.Fatalf("%d goroutines, want at most %d, with %+v", own, most, s)
					}
					<-time.After(5 * time.Millisecond)
				}
				ended := map[cacheaside.Reason]int{}
				all.each(func(o outcome) {
					reason := reasonOf(o)
					ended[reason]++
					switch reason {
					case 0:
						wantValue(t, o, cacheaside.StatusLoaded, "value")
						if o.took > 110*time.Millisecond {
							t.Fatalf("loaded after %v, past AdmissionWait and the load", o.took)
						}
					case cacheaside.ReasonKeysFull:
						wantAtOnce(t, o)
					case cacheaside.ReasonAdmissionTimeout:
						if o.took != 100*time.Millisecond {
							t.Fatalf("refused a permit after %v", o.took)
						}
					default:
						t.Fatalf("got %v, %v", o.result.Status, o.err)
					}
				})
				if g.peak != permits || g.calls != ended[0] {
					t.Fatalf("%d loaders at once, want %d; %d loads for %d values", g.peak, permits, g.calls, ended[0])
				}
				if g.calls < 10*permits || g.calls > 11*permits {
					t.Fatalf("%d loads of 10ms in 100ms by %d permits", g.calls, permits)
				}
				if refused := max(0, keys-row.inFlight); ended[cacheaside.ReasonKeysFull] > refused || ended[cacheaside.ReasonKeysFull] < refused-11*permits {
					t.Fatalf("%d refused as keys, want about %d", ended[cacheaside.ReasonKeysFull], refused)
				}
				wantAtRest(t, r, permits)
			})
		})
	}
}

// TestALoadKeepsNoGoroutineForThoseWhoWait counts what a crowd behind one load costs beside its own goroutines.
func TestALoadKeepsNoGoroutineForThoseWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const crowded, runtimes = 1001, 4
		r := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.MaxWaitersPerKey = crowded - 1 }))
		source := newGate(cacheaside.Loaded("value", ""))
		before := runtime.NumGoroutine()
		all := crowd(crowded, r, "key", source.load)
		synctest.Wait()
		if own := runtime.NumGoroutine() - before - crowded; own > 2+runtimes {
			t.Fatalf("%d goroutines beside the callers' own, want the flight's and the loader's", own)
		}
		close(source.open)
		all.each(func(o outcome) { wantValue(t, o, cacheaside.StatusLoaded, "value") })
		synctest.Wait()
		if left := runtime.NumGoroutine() - before; left > runtimes {
			t.Fatalf("%d goroutines left", left)
		}
		wantAtRest(t, r, 16)
	})
}
