package cacheaside_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func onePermit(p *cacheaside.Policy) { p.SourceConcurrency, p.MaxOverduePerKey = 1, 1 }

func TestC01_APanicPoisonsNoKeyAndLosesNoPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		r := newRegion(t, cache, policy(onePermit))
		crowd(5, r, "k", func(context.Context, string) cacheaside.SourceOutcome[string] {
			<-time.After(50 * time.Millisecond)
			panic("boom")
		}).each(func(o outcome) {
			thrown, ok := o.panicked.(*cacheaside.LoaderPanic)
			if !ok || thrown.Value != "boom" || o.took != 50*time.Millisecond {
				t.Fatalf("a caller ended after %v with panic %v, error %v", o.took, o.panicked, o.err)
			}
		})
		if records := cache.records(); len(records) != 0 {
			t.Fatalf("the load that panicked recorded %+v", records)
		}
		wantValue(t, get(context.Background(), r, "k", returning(cacheaside.Loaded("7", ""))), cacheaside.StatusLoaded, "7")
		wantValue(t, get(context.Background(), r, "other", returning(cacheaside.Loaded("8", ""))), cacheaside.StatusLoaded, "8")
		wantAtRest(t, r, 1)
	})
}

func TestC03_AnExitOfTheLoaderLeavesNobodyWaiting(t *testing.T) {
	for name, exit := range map[string]func(){"Goexit": runtime.Goexit, "t.FailNow": func() { new(testing.T).FailNow() }} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := &scripted{}
				r := newRegion(t, cache, policy(onePermit))
				crowd(4, r, "k", func(context.Context, string) cacheaside.SourceOutcome[string] {
					<-time.After(30 * time.Millisecond)
					exit()
					return cacheaside.Loaded("never", "")
				}).each(func(o outcome) {
					if !errors.Is(o.err, cacheaside.ErrLoaderExited) || o.result.Status != cacheaside.StatusFailed || o.took != 30*time.Millisecond {
						t.Fatalf("a caller got %v, %v after %v", o.result.Status, o.err, o.took)
					}
				})
				if records := cache.records(); len(records) != 0 {
					t.Fatalf("the load that exited recorded %+v", records)
				}
				wantValue(t, get(context.Background(), r, "k", returning(cacheaside.Loaded("7", ""))), cacheaside.StatusLoaded, "7")
				wantAtRest(t, r, 1)
			})
		})
	}
}
