package redisadapter_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// busySlack is what a busy machine may add to a time limit before a test calls it broken.
const busySlack = 2 * time.Second

func TestARedisThatRefusesOrSwallowsCostsATimeLimitAndNoMore(t *testing.T) {
	for name, fault := range map[string]redistest.Fault{
		"refuses":        {Kind: redistest.Refuse},
		"resets":         {Kind: redistest.ResetOnConnect},
		"swallows":       {Kind: redistest.BlackHole},
		"holds replies":  {Kind: redistest.Hold},
		"cuts mid-reply": {Kind: redistest.Truncate, Bytes: 3, Commands: []string{"GETRANGE"}},
	} {
		for clientName, untouched := range map[string]bool{"recommended client": false, "untouched client": true} {
			t.Run(name+", "+clientName, func(t *testing.T) {
				t.Parallel()
				server, direct := started(t)
				proxy := redistest.StartProxy(t, server.Addr())
				r := region(t, through(t, proxy, untouched), base())
				read(t, region(t, direct, patient(base())), "warm", newSource(loads("warm")).load, cacheaside.StatusLoaded, "warm")
				proxy.Inject(fault)
				s := newSource(loads("value"))
				for i := range 10 {
					begun := time.Now()
					result := read(t, r, strconv.Itoa(i), s.load, cacheaside.StatusLoaded, "value")
					if took := time.Since(begun); took > 100*time.Millisecond+busySlack {
						t.Errorf("call %d took %v", i, took)
					}
					if result.Record.Certainty == cacheaside.RecordApplied {
						t.Errorf("call %d was recorded by a dead server", i)
					}
				}
				s.wantCalls(t, 10)
				proxy.Heal()
				if err := waitFor(t, func() bool {
					result, err := cacheaside.Get(context.Background(), r, "warm", s.load)
					return err == nil && result.Status == cacheaside.StatusFresh
				}); err != nil {
					t.Fatalf("no hit after the server's return: %v", err)
				}
			})
		}
	}
}

func TestABurstWhileRedisIsDownGoesThroughTheSameBoundedSourcePath(t *testing.T) {
	r := region(t, unreachable(t), base(), withPolicy(func(p *cacheaside.Policy) { p.SourceConcurrency, p.MaxOverduePerKey = 4, 1 }))
	var mu sync.Mutex
	running, peak := 0, 0
	load := func(context.Context, string) cacheaside.SourceOutcome[string] {
		mu.Lock()
		running++
		peak = max(peak, running)
		mu.Unlock()
		<-time.After(5 * time.Millisecond)
		mu.Lock()
		running--
		mu.Unlock()
		return loads("value")
	}
	var callers sync.WaitGroup
	for i := range 100 {
		callers.Go(func() {
			result, err := cacheaside.Get(context.Background(), r, strconv.Itoa(i%50), load)
			if err != nil || result.Value != "value" {
				t.Errorf("got %+v, %v", result, err)
			}
		})
	}
	callers.Wait()
	if peak > 4 {
		t.Fatalf("%d loaders at once", peak)
	}
}

func TestC98_ALoadingServerIsAnOutageAndNoMiss(t *testing.T) {
	var loading sync.Map
	loading.Store("loading", true)
	stub := redistest.StartStub(t, func(args [][]byte) []byte {
		if on, _ := loading.Load("loading"); on == true {
			return []byte("-LOADING Redis is loading the dataset in memory\r\n")
		}
		switch string(args[0]) {
		case "getrange", "GETRANGE":
			return []byte("$0\r\n\r\n")
		default:
			return []byte("+OK\r\n")
		}
	})
	client := redis.NewClient(redistest.ClientOptions(stub.Addr()))
	t.Cleanup(func() { _ = client.Close() })
	cfg := patient(base())
	cache := open(t, client, cfg)
	if found := cache.Lookup(context.Background(), "key"); found.Kind != cacheaside.LookupUnavailable {
		t.Fatalf("a loading server reads %v", found.Kind)
	}
	r := regionOver(t, cache, cfg, withPolicy(func(p *cacheaside.Policy) { p.SourceConcurrency, p.MaxOverduePerKey = 4, 1 }))
	s := newSource(loads("value"))
	var callers sync.WaitGroup
	for i := range 100 {
		callers.Go(func() {
			result, err := cacheaside.Get(context.Background(), r, strconv.Itoa(i%50), s.load)
			if err != nil || result.Record.Certainty == cacheaside.RecordApplied {
				t.Errorf("got %+v, %v", result, err)
			}
		})
	}
	callers.Wait()
	loading.Store("loading", false)
	if err := waitFor(t, func() bool {
		result, err := cacheaside.Get(context.Background(), r, "after", s.load)
		return err == nil && result.Record.Certainty == cacheaside.RecordApplied
	}); err != nil {
		t.Fatalf("no record after the server had loaded: %v", err)
	}
}

func TestC97_AServerThatBecameReadOnlyStillServesHits(t *testing.T) {
	server, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock = mock
	r := region(t, client, cfg)
	read(t, r, "stale", newSource(loads("old")).load, cacheaside.StatusLoaded, "old")
	mock.Add(15 * time.Second)
	read(t, r, "fresh", newSource(loads("hit")).load, cacheaside.StatusLoaded, "hit")
	ctx := context.Background()
	if err := server.Client().Do(ctx, "replicaof", "127.0.0.1", "1").Err(); err != nil {
		t.Fatal(err)
	}
	read(t, r, "fresh", notCalled(t), cacheaside.StatusFresh, "hit")
	for _, key := range []string{"stale", "missing"} {
		begun := time.Now()
		result := read(t, r, key, newSource(loads("new")).load, cacheaside.StatusLoaded, "new")
		if result.Record.Certainty != cacheaside.RecordNotApplied || result.Record.Reason != cacheaside.RecordStoreRefused {
			t.Errorf("%s: record %v %v %v", key, result.Record.Certainty, result.Record.Reason, result.Record.Err)
		}
		if took := time.Since(begun); took > busySlack {
			t.Errorf("%s took %v", key, took)
		}
	}
	if err := server.Client().Do(ctx, "replicaof", "no", "one").Err(); err != nil {
		t.Fatal(err)
	}
	if result := read(t, r, "missing", newSource(loads("new")).load, cacheaside.StatusLoaded, "new"); result.Record.Certainty != cacheaside.RecordApplied {
		t.Fatalf("after the promotion: %v %v %v", result.Record.Certainty, result.Record.Reason, result.Record.Err)
	}
}

func TestAServerOutOfMemoryRefusesRecordsAndServesHits(t *testing.T) {
	_, client := started(t)
	r := region(t, client, patient(base()))
	read(t, r, "fresh", newSource(loads("hit")).load, cacheaside.StatusLoaded, "hit")
	ctx := context.Background()
	if err := client.ConfigSet(ctx, "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	read(t, r, "fresh", notCalled(t), cacheaside.StatusFresh, "hit")
	result := read(t, r, "missing", newSource(loads("new")).load, cacheaside.StatusLoaded, "new")
	if result.Record.Certainty != cacheaside.RecordNotApplied || result.Record.Reason != cacheaside.RecordStoreRefused {
		t.Fatalf("record %+v", result.Record)
	}
	if err := client.ConfigSet(ctx, "maxmemory", "0").Err(); err != nil {
		t.Fatal(err)
	}
	if result := read(t, r, "missing", newSource(loads("new")).load, cacheaside.StatusLoaded, "new"); result.Record.Certainty != cacheaside.RecordApplied {
		t.Fatalf("with memory again: %+v", result.Record)
	}
}

func TestC99_ScriptsThatVanishAreSentAgainAndRunOnce(t *testing.T) {
	server, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock = mock
	r := region(t, client, cfg)
	read(t, r, "key", newSource(loads("v0")).load, cacheaside.StatusLoaded, "v0")
	for i := range 3 {
		client.ScriptFlush(context.Background())
		mock.Add(15 * time.Second)
		seen := server.Monitor()
		next := "v" + strconv.Itoa(i+1)
		if result := read(t, r, "key", newSource(loads(next)).load, cacheaside.StatusLoaded, next); result.Record.Certainty != cacheaside.RecordApplied {
			t.Fatalf("record %v %v %v", result.Record.Certainty, result.Record.Reason, result.Record.Err)
		}
		if seen.CountInScripts("SET") != 1 {
			t.Fatalf("the script ran %d times", seen.CountInScripts("SET"))
		}
		client.ScriptFlush(context.Background())
		invalidate(t, r, "key")
		read(t, r, "key", newSource(loads(next)).load, cacheaside.StatusLoaded, next)
	}
}

func TestAKilledServerIsAnOutageAndItsReturnIsNoticed(t *testing.T) {
	server, client := started(t)
	cfg := base()
	cfg.LookupTimeout = time.Second
	r := region(t, client, cfg)
	s := newSource(loads("value"))
	read(t, r, "key", s.load, cacheaside.StatusLoaded, "value")
	server.Kill()
	for i := range 10 {
		read(t, r, strconv.Itoa(i), s.load, cacheaside.StatusLoaded, "value")
	}
	server.Restart()
	// A record whose answer came too late may have been kept all the same; what counts is that the next caller meets it.
	if err := waitFor(t, func() bool {
		result, err := cacheaside.Get(context.Background(), r, "key", s.load)
		return err == nil && result.Status == cacheaside.StatusFresh && result.Value == "value"
	}); err != nil {
		t.Fatal(err)
	}
}

func TestC32_AFlushedCacheFillsAgainByItselfWithinTheSourcesLimit(t *testing.T) {
	_, client := started(t)
	cfg := patient(base())
	cfg.TTL.Soft, cfg.TTL.Hard = time.Hour, time.Hour
	r := region(t, client, cfg, withPolicy(func(p *cacheaside.Policy) {
		p.SourceConcurrency, p.MaxOverduePerKey, p.LoadDeadline, p.AdmissionWait = 4, 1, 5*time.Second, time.Second
	}))
	var mu sync.Mutex
	running, peak, calls := 0, 0, 0
	load := func(context.Context, string) cacheaside.SourceOutcome[string] {
		mu.Lock()
		running++
		calls++
		peak = max(peak, running)
		pace := time.Duration(running) * time.Millisecond // the more it has to do, the slower it is
		mu.Unlock()
		<-time.After(pace)
		mu.Lock()
		running--
		mu.Unlock()
		return loads("value")
	}
	const keys = 500
	for i := range keys {
		read(t, r, strconv.Itoa(i), load, cacheaside.StatusLoaded, "value")
	}
	client.FlushAll(context.Background())
	mu.Lock()
	calls = 0
	mu.Unlock()
	var callers sync.WaitGroup
	hits := make([]int, 200)
	for c := range hits {
		callers.Go(func() {
			for i := range 40 {
				result, _ := cacheaside.Get(context.Background(), r, strconv.Itoa((c*37+i*13)%keys), load)
				if result.Status == cacheaside.StatusFresh {
					hits[c]++
				}
			}
		})
	}
	callers.Wait()
	fresh := 0
	for i := range keys {
		if result, _ := cacheaside.Get(context.Background(), r, strconv.Itoa(i), load); result.Status == cacheaside.StatusFresh {
			fresh++
		}
	}
	if peak > 4 || calls > keys*12/10 || fresh < keys*95/100 {
		t.Fatalf("%d loaders at once, %d loads for %d keys, %d of them fresh again", peak, calls, keys, fresh)
	}
}
