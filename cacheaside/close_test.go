package cacheaside_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestCloseRefusesLoadsServesHitsAndWaitsForRunningLoads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		cache.lookup = func(_ context.Context, key string) cacheaside.Lookup[string] {
			if key == "warm" {
				return fresh("hit")
			}
			return missing()
		}
		region := newRegion(t, cache)
		running := goGet(context.Background(), region, "key", after(500*time.Millisecond, cacheaside.Loaded("value", "")))
		synctest.Wait()
		closed := make(chan error, 2)
		for range 2 {
			go func() { closed <- region.Close(context.Background()) }()
		}
		synctest.Wait()
		wantValue(t, get(context.Background(), region, "warm", mustNotLoad(t)), cacheaside.StatusFresh, "hit")
		wantRejected(t, get(context.Background(), region, "key", mustNotLoad(t)), cacheaside.ReasonClosed)
		if len(closed) != 0 {
			t.Fatal("Close did not wait")
		}
		begun := time.Now()
		for range 2 {
			if err := <-closed; err != nil || time.Since(begun) != 500*time.Millisecond {
				t.Fatalf("Close: %v after %v", err, time.Since(begun))
			}
		}
		wantValue(t, <-running, cacheaside.StatusLoaded, "value")
		if len(cache.records()) != 1 {
			t.Fatal("a load that ended in time was not recorded")
		}
		if err := region.Close(context.Background()); err != nil {
			t.Fatalf("closing again: %v", err)
		}
	})
}

func TestCloseWhoseTimeIsUpEndsTheLoadsAndReleasesTheirCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.LoadDeadline = time.Hour }))
		source := newGate(cacheaside.Loaded("value", ""))
		caller := goGet(context.Background(), region, "key", source.load)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		if err := region.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("Close: %v", err)
		}
		wantRejected(t, <-caller, cacheaside.ReasonClosed)
	})
}

func TestALateResultIsDroppedAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		region := newRegion(t, cache)
		source := newGate(cacheaside.Loaded("value", ""))
		source.ignoresContext = true
		wantRejected(t, get(context.Background(), region, "key", source.load), cacheaside.ReasonLoadDeadline)
		closed := make(chan error, 1)
		go func() { closed <- region.Close(context.Background()) }()
		synctest.Wait()
		if len(closed) != 0 {
			t.Fatal("Close did not wait for the overdue load")
		}
		close(source.open)
		if err := <-closed; err != nil || len(cache.records()) != 0 {
			t.Fatalf("Close: %v, recorded %+v", err, cache.records())
		}
	})
}

func TestClosingForgetsRememberedFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.FailureBackoff = time.Hour }))
		get(context.Background(), region, "key", returning(cacheaside.TransientFailure[string]("down", errDown)))
		if stats := region.Stats(); stats.RememberedFailures != 1 {
			t.Fatalf("%+v", stats)
		}
		if err := region.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		if stats := region.Stats(); stats.RememberedFailures != 0 {
			t.Fatalf("%+v", stats)
		}
	})
}
