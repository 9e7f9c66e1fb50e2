package soak_test

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

const (
	poolSize = 10
	permits  = 4

	lookupTimeout = 150 * time.Millisecond
	recordTimeout = 200 * time.Millisecond
	admissionWait = 50 * time.Millisecond
	loadDeadline  = 200 * time.Millisecond
	recordWait    = 200 * time.Millisecond

	// busy is what a busy machine may add to the durations above.
	busy = 3 * time.Second
)

// lives are short, so that entries go stale and expire within a run. They keep the conditions of docs/invalidate.md: soft is above a load with its
// record, and the shortest hard life above two loads.
func lives() redisadapter.TTLPolicy {
	return redisadapter.TTLPolicy{
		Soft: 800 * time.Millisecond, Hard: 4 * time.Second, Negative: 3 * time.Second, MinHard: 2500 * time.Millisecond,
		TombstoneTTL: 15 * time.Second, JitterRatio: 0.1,
	}
}

// soakRules follow from the durations.
func soakRules() rules {
	const load = lookupTimeout + admissionWait + 2*loadDeadline + recordTimeout
	hard := time.Duration(float64(lives().Hard) * (1 + lives().JitterRatio))
	return rules{
		oldest:  hard + load + busy,
		reach:   load + longestTrouble + busy,
		longest: 2*lookupTimeout + admissionWait + loadDeadline + recordWait + busy,
	}
}

// policies are one for each process: its own choice of what may be stale, of the back-off, and of what becomes of a load that everybody has left.
func policies() []cacheaside.Policy {
	strict := cacheaside.StrictPolicy()
	strict.MaxInFlightKeys, strict.MaxWaitersPerKey, strict.SourceConcurrency, strict.MaxOverduePerKey = 8, 5, permits, 2
	strict.AdmissionWait, strict.LoadDeadline, strict.RecordWait = admissionWait, loadDeadline, recordWait
	balanced := strict
	balanced.FailureBackoff, balanced.CancelAbandoned = 100*time.Millisecond, true
	balanced.ServeStale = cacheaside.StaleRules{OnTransient: true, OnDeadline: true, RefreshWait: 50 * time.Millisecond}
	survive := strict
	survive.FailureBackoff = 200 * time.Millisecond
	survive.ServeStale = cacheaside.StaleRules{OnTransient: true, OnRejected: true, OnDeadline: true, RefreshWait: cacheaside.DontWait}
	return []cacheaside.Policy{strict, balanced, survive}
}

// world is a server, and processes that reach it through a proxy each.
type world struct {
	t         *testing.T
	server    *redistest.Server
	admin     *redis.Client // past the proxies
	proxies   []*redistest.Proxy
	clients   []*redis.Client
	processes []*process
	ledger    *ledger
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	w := &world{t: t, server: redistest.Start(t, redistest.Options{}), ledger: newLedger(soakRules(), newSource())}
	w.admin = w.server.Client()
	for i, policy := range policies() {
		proxy := redistest.StartProxy(t, w.server.Addr())
		options := redistest.ClientOptions(proxy.Addr())
		options.PoolSize, options.MaxActiveConns, options.DialTimeout = poolSize, poolSize, 500*time.Millisecond
		if i == 1 {
			options.MaxRetries = 3 // as users have it who changed nothing
		}
		client := redis.NewClient(options)
		t.Cleanup(func() { _ = client.Close() })
		cache, err := redisadapter.New(client, redisadapter.Config[string, value]{
			Namespace: "soak", Region: "rows", Secret: []byte("0123456789abcdef0123456789abcdef"), TTL: lives(),
			LookupTimeout: lookupTimeout, RecordTimeout: recordTimeout,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := cache.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
		p, err := newProcess(i, &blinking{port: cache}, policy, w.ledger, seed)
		if err != nil {
			t.Fatal(err)
		}
		w.proxies, w.clients, w.processes = append(w.proxies, proxy), append(w.clients, client), append(w.processes, p)
	}
	return w
}

// live lets callers come and troubles happen for so long, and returns when all is calm again.
func (w *world) live(length time.Duration, seed uint64) {
	stop, stopWatch := make(chan struct{}), make(chan struct{})
	var callers, watcher sync.WaitGroup
	for _, p := range w.processes {
		callers.Go(func() { p.run(stop) })
	}
	watcher.Go(func() { w.watch(stopWatch) })
	defer func() { // also where a helper ends the test
		close(stop)
		callers.Wait()
		close(stopWatch)
		watcher.Wait()
	}()
	w.disturb(time.After(length), rand.New(rand.NewPCG(seed, seed)))
}

// settle checks that nothing is left, and closes what is still open.
func (w *world) settle() {
	for i, p := range w.processes {
		if err := await(15*time.Second, func() error { return atRest(p.region) }); err != nil {
			w.t.Errorf("process %d is not at rest: %v", i, err)
		}
		if err := permitsBack(p.region, permits, 15*time.Second); err != nil {
			w.t.Errorf("process %d has lost permits: %v", i, err)
		}
		if err := p.close(); err != nil {
			w.t.Errorf("process %d does not close: %v", i, err)
		}
		if err := await(15*time.Second, func() error { return errors.Join(atRest(p.region), allIdle(w.clients[i])) }); err != nil {
			w.t.Errorf("process %d after its end: %v", i, err)
		}
	}
}
