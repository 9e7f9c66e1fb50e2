package servers_test

import (
	"context"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// TestTrafficThroughNapsOfTheServerLosesAndMixesUpNothing lets the server fall asleep before a volley of mutations, one for every page, all of which
// are undecided and come late, while the traffic goes on.
func TestTrafficThroughNapsOfTheServerLosesAndMixesUpNothing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	executed, admin, client := watch(server), server.Client(), server.Client()
	tr := newTrial(t, client, setup{lookup: shortLookup, mix: mix{small: 50, large: 5, absence: 15, invalidate: 20}})
	tr.start()
	for range rounds(t, 1) {
		tr.await("mutations", 100, named("applied"))
		tr.volley(t.Context(), server, client, admin)
		tr.await("undecided records found applied", 3, named("late or undecided"))
		executed.take(tr)
	}
	tr.await("mutations", 50, named("applied"))
	tr.conclude(t.Context())
	tr.sweep(t.Context(), admin)
	executed.judge(tr, false)
}

// volley holds the traffic, sends one mutation of every page to the sleeping server, and lets the traffic go on into the sleep.
func (tr *trial) volley(ctx context.Context, server *redistest.Server, client, admin *redis.Client) {
	tr.t.Helper()
	tr.gate.Lock()
	defer tr.gate.Unlock()
	connect(ctx, client, len(tr.book.pages))
	var where []cacheaside.Observation
	for _, p := range tr.book.pages {
		found := tr.cache.Lookup(ctx, p.key)
		tr.book.read(p, found, true)
		where = append(where, found.Observation)
	}
	tr.running.Go(func() { _ = admin.Do(context.WithoutCancel(ctx), "debug", "sleep", nap.Seconds()).Err() })
	awaitSleep(ctx, tr.t, server)
	var sent sync.WaitGroup
	for i, p := range tr.book.pages {
		h := tr.writers[i%hands]
		if i%4 == 3 {
			sent.Go(func() { tr.book.end(p, tombstone, tr.cache.Invalidate(ctx, p.key), false) })
			continue
		}
		sent.Go(func() { h.record(ctx, p, 100, cacheaside.Condition{Observation: where[i]}, true) })
	}
	sent.Wait()
}
