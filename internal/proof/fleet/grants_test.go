package fleet_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// bent is a cache whose fences are asked through hooks. nil leaves them as they are.
type bent struct {
	port
	acquire func(request int64, ask func() cacheaside.Grant) cacheaside.Grant
	fill    func(do func() cacheaside.RecordOutcome) cacheaside.RecordOutcome
	release func(do func())
	asked   atomic.Int64
}

func (c *bent) Acquire(
	ctx context.Context, key string, request cacheaside.RequestID, seen cacheaside.Observation, lease time.Duration,
) cacheaside.Grant {
	ask := func() cacheaside.Grant { return c.port.Acquire(ctx, key, request, seen, lease) }
	number := c.asked.Add(1)
	if c.acquire == nil {
		return ask()
	}
	return c.acquire(number, ask)
}

func (c *bent) Fill(
	ctx context.Context, key string, fence cacheaside.Fence, entry cacheaside.Entry[string], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	do := func() cacheaside.RecordOutcome { return c.port.Fill(ctx, key, fence, entry, condition) }
	if c.fill == nil {
		return do()
	}
	return c.fill(do)
}

func (c *bent) Release(ctx context.Context, key string, fence cacheaside.Fence) {
	do := func() { c.port.Release(ctx, key, fence) }
	if c.release == nil {
		do()
		return
	}
	c.release(do)
}

func bentMemory(t *testing.T, soft time.Duration) *bent {
	t.Helper()
	cache, err := memory.New(memory.Config[string, string]{
		TTL: memory.TTL{Soft: soft, Hard: time.Hour, Negative: time.Minute}, MaxEntries: 100, Fenced: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return &bent{port: cache}
}

func loadsText(text string) cacheaside.Loader[string, string] {
	return func(context.Context, string) cacheaside.SourceOutcome[string] { return cacheaside.Loaded(text, "") }
}

// TestASupersededFlightTakesNoGrantFromThoseWhoCameAfterTheInvalidation lets a flight wait for another process when its key is invalidated here: what it
// loads from then on is not recorded, so that a grant of its own would only hold others back.
func TestASupersededFlightTakesNoGrantFromThoseWhoCameAfterTheInvalidation(t *testing.T) {
	t.Parallel()
	cache := bentMemory(t, time.Minute)
	policy := fleetPolicy()
	policy.LoadDeadline, policy.HeldWait = time.Hour, 2*time.Second // whoever is held behind the old load is refused
	f := onCaches(t, policy, cache)
	region, ctx := f.regions[0], context.Background()
	cache.port.Acquire(ctx, "key", cacheaside.RequestID{9}, "", time.Hour) // another process
	began, gate := make(chan struct{}), make(chan struct{})
	var waiting sync.WaitGroup
	waiting.Go(func() {
		_, _ = cacheaside.Get(ctx, region, "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
			close(began)
			<-gate
			return cacheaside.Loaded("old", "")
		})
	})
	for cache.asked.Load() < 2 {
		runtime.Gosched()
	}
	if err := cacheaside.Invalidate(ctx, region, "key"); err != nil {
		t.Fatal(err)
	}
	<-began
	result, err := cacheaside.Get(ctx, region, "key", loadsText("new"))
	if err != nil || result.Value != "new" || result.Record.Certainty != cacheaside.RecordApplied {
		t.Errorf("after the invalidation: %v %q %v %v", result.Status, result.Value, result.Record.Certainty, err)
	}
	close(gate)
	waiting.Wait()
}

// TestNobodyIsToldHeldByAFlightThatHasItsGrantByNow lets a process be held once and granted then.
func TestNobodyIsToldHeldByAFlightThatHasItsGrantByNow(t *testing.T) {
	t.Parallel()
	cache := bentMemory(t, time.Millisecond)
	policy := fleetPolicy()
	policy.ServeStale.OnHeld, policy.ServeStale.RefreshWait = true, 0
	f := onCaches(t, policy, cache)
	region := f.regions[0]
	wantGet(t, region, loadsText("v1"), cacheaside.StatusLoaded, "v1")
	<-time.After(5 * time.Millisecond)
	began, gate, answered := make(chan struct{}), make(chan struct{}), make(chan struct{})
	cache.acquire = func(request int64, ask func() cacheaside.Grant) cacheaside.Grant {
		if request == 2 {
			return cacheaside.Grant{Kind: cacheaside.GrantHeld, Remaining: time.Millisecond}
		}
		<-answered // whoever was held has gone
		return ask()
	}
	wantGet(t, region, func(context.Context, string) cacheaside.SourceOutcome[string] {
		close(began)
		<-gate
		return cacheaside.Loaded("v2", "")
	}, cacheaside.StatusStale, "v1")
	close(answered)
	<-began
	var waiting sync.WaitGroup
	waiting.Go(func() {
		result, err := cacheaside.Get(context.Background(), region, "key", loadsText("v3"))
		if result.Value != "v2" {
			t.Errorf("got %v %q %v %v, and its own process is loading", result.Status, result.Value, result.Cause, err)
		}
	})
	for region.Stats().Waiters == 0 && !t.Failed() {
		runtime.Gosched()
	}
	close(gate)
	waiting.Wait()
}

// overdueWaits keeps the goroutine of a flight whose load was given up from going on before its late fill is under way.
type overdueWaits struct{ filling <-chan struct{} }

func (o overdueWaits) Observe(event cacheaside.Event) {
	if event.Kind == cacheaside.EventOverdue {
		<-o.filling
	}
}

// TestAGrantIsGivenBackAfterTheLateFillUnderItAndNotBefore abandons a load that brings its value all the same.
func TestAGrantIsGivenBackAfterTheLateFillUnderItAndNotBefore(t *testing.T) {
	t.Parallel()
	cache := bentMemory(t, time.Minute)
	filling, filled := make(chan struct{}), make(chan struct{})
	cache.fill = func(func() cacheaside.RecordOutcome) cacheaside.RecordOutcome {
		close(filling)
		<-time.After(50 * time.Millisecond)
		close(filled)
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordIndeterminate} // so that the grant is still to be given back
	}
	released := make(chan struct{})
	cache.release = func(do func()) {
		select {
		case <-filled:
		default:
			t.Error("a grant is given back while the fill under it is under way")
		}
		do()
		close(released)
	}
	policy := fleetPolicy()
	policy.CancelAbandoned = true
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, string]{
		Name: "fleet", Cache: cache, Policy: policy, Observer: overdueWaits{filling},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(context.Background())
	_, _ = cacheaside.Get(ctx, region, "key", func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
		leave()
		<-ctx.Done()
		return cacheaside.Loaded("kept", "")
	})
	<-released
	if err := region.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestARequestThatThrowsOrExitsAfterItsGrantHoldsNobodyBack is of caches that are broken, and of nobody else's loads.
func TestARequestThatThrowsOrExitsAfterItsGrantHoldsNobodyBack(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]func(){"throws": func() { panic("broken") }, "exits": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cache := bentMemory(t, time.Minute)
			policy := fleetPolicy()
			policy.HeldWait, policy.AdmissionWait = 5*time.Second, time.Hour // a grant outlives the test
			cache.acquire = func(request int64, ask func() cacheaside.Grant) cacheaside.Grant {
				grant := ask()
				if request == 1 {
					way()
				}
				return grant
			}
			f := onCaches(t, policy, cache, cache)
			_, _ = cacheaside.Get(context.Background(), f.regions[0], "key", loadsText("v1"))
			wantGet(t, f.regions[1], loadsText("v2"), cacheaside.StatusLoaded, "v2")
		})
	}
}

func TestAGrantThatClaimsToBeOverIsAskedForNoFasterThanOthers(t *testing.T) {
	t.Parallel()
	cache := bentMemory(t, time.Minute)
	cache.acquire = func(int64, func() cacheaside.Grant) cacheaside.Grant {
		return cacheaside.Grant{Kind: cacheaside.GrantHeld, Remaining: -time.Hour}
	}
	policy := fleetPolicy()
	policy.HeldWait = 50 * time.Millisecond
	f := onCaches(t, policy, cache)
	_, _ = cacheaside.Get(context.Background(), f.regions[0], "key", loadsText("v1"))
	if asked := cache.asked.Load(); asked > 100 {
		t.Errorf("asked %d times in 50 ms", asked)
	}
}
