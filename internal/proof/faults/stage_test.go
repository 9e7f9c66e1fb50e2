package faults_test

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

const (
	// shortLimit is the time limit where it is what ends the call, longLimit where it must not be, however busy the machine is.
	shortLimit = 500 * time.Millisecond
	longLimit  = 5 * time.Second

	// slack is what a busy machine may add to a time limit.
	slack = 4 * time.Second

	// largeBytes is above the 64 KiB from which on an observed record is staged.
	largeBytes = 70 << 10
)

type (
	cache  = redisadapter.Cache[string, string]
	config = redisadapter.Config[string, string]
)

// clientKinds are the clients that the whole matrix is run with.
func clientKinds() []string { return []string{"recommended", "retrying", "cluster"} }

// newClient makes a client of addr whose hooks see the commands of a cache.
func newClient(t testing.TB, kind, addr string) redis.UniversalClient {
	t.Helper()
	var client redis.UniversalClient
	switch kind {
	case "recommended":
		client = redis.NewClient(redistest.ClientOptions(addr))
	case "retrying":
		client = redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true, MaxRetries: 3})
	case "cluster":
		client = redis.NewClusterClient(&redis.ClusterOptions{
			Addrs: []string{addr}, ContextTimeoutEnabled: true, MaxRedirects: 3,
			ClusterSlots: func(context.Context) ([]redis.ClusterSlot, error) {
				return []redis.ClusterSlot{{End: 16383, Nodes: []redis.ClusterNode{{Addr: addr}}}}, nil
			},
		})
	default:
		t.Fatalf("no such client: %s", kind)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Errorf("client: %v", err)
		}
	})
	return client
}

// place is one cell's part of the shared server: names of its own, a proxy of its own, and a healthy view past the proxy.
type place struct {
	config config
	proxy  *redistest.Proxy
	admin  *redis.Client
	direct *cache // the same entries, not through the proxy
}

// newPlace makes a place on the server of admin. Entries are stale as soon as they are written: only a stale one is replaced as observed.
func newPlace(t testing.TB, admin *redis.Client, limit time.Duration) *place {
	t.Helper()
	p := &place{admin: admin, proxy: redistest.StartProxy(t, admin.Options().Addr)}
	p.config = config{
		Namespace: "faults", Region: rand.Text(), // as no other
		Secret:        []byte("0123456789abcdef0123456789abcdef"),
		TTL:           redisadapter.TTLPolicy{Soft: time.Millisecond, Hard: time.Minute, Negative: time.Minute, MinHard: time.Minute},
		LookupTimeout: limit, RecordTimeout: limit,
	}
	p.direct = open(t, admin, patient(p.config))
	p.config.Breaker = new(redisadapter.Breaker)
	t.Cleanup(func() { _ = p.config.Breaker.Close() }) // it never fails
	return p
}

// patient is the same with a time limit that ends nothing.
func patient(cfg config) config {
	cfg.LookupTimeout, cfg.RecordTimeout = longLimit, longLimit
	return cfg
}

// next is a cache for what comes after the fault. It has the pool and the breaker of the cache that the fault has met, and so what the fault has left
// in them, but no limit that a busy machine could exceed: a connection that is no good any more would take it up, however long it is.
func (p *place) next(t testing.TB, client redis.UniversalClient) *cache {
	return open(t, client, patient(p.config))
}

func open(t testing.TB, client redis.UniversalClient, cfg config) *cache {
	t.Helper()
	c, err := redisadapter.New(client, cfg)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return c
}

// write stores a value past the proxy.
func (p *place) write(t testing.TB, key, value string) {
	t.Helper()
	out := p.direct.Record(context.Background(), key, cacheaside.Entry[string]{Value: value}, cacheaside.Condition{})
	if out.Certainty != cacheaside.RecordApplied {
		t.Fatalf("%s was not written: %v %v %v", key, out.Certainty, out.Reason, out.Err)
	}
}

// observe is the condition under which the entry of key is replaced, by a look past the proxy.
func (p *place) observe(t testing.TB, key string) cacheaside.Condition {
	t.Helper()
	var found cacheaside.Lookup[string]
	eventually(t, "the entry is stale", func() bool {
		found = p.direct.Lookup(context.Background(), key)
		return found.Kind == cacheaside.LookupStale
	})
	return cacheaside.Condition{Observation: found.Observation}
}

// staged are the values that wait, or are left, under a staging key.
func (p *place) staged(t testing.TB) []string {
	t.Helper()
	keys, err := p.admin.Keys(context.Background(), p.config.Namespace+":"+p.config.Region+":*:t:*").Result()
	if err != nil {
		t.Fatalf("KEYS: %v", err)
	}
	return keys
}

// seen is how often the proxy has seen each command of a cache.
func (p *place) seen(t testing.TB) sent {
	t.Helper()
	counts := p.proxy.Counts()
	if counts["EVAL"] > 0 || counts["DEL"] > 0 || counts["UNLINK"] > 0 {
		t.Errorf("the proxy has seen %v", counts)
	}
	return sent{counts["GETRANGE"], counts["SET"], counts["EVALSHA"]}
}

func (s sent) since(before sent) sent {
	return sent{s.ranges - before.ranges, s.sets - before.sets, s.scripts - before.scripts}
}

// once is a command that no client sends again.
type once struct{ *redis.Cmd }

func (once) NoRetry() bool { return true }

// inject inflicts the fault. A refusal also resets what is open; the client is let know, by a command of no account, since a connection whose reset
// is still on its way is the row of the resets and not of the refusals. It returns how long that took.
func (p *place) inject(client redis.UniversalClient, f fault, command string) time.Duration {
	begun := time.Now()
	p.proxy.Inject(f.on(command))
	if f == refuse {
		ctx := context.Background()
		_ = client.Process(ctx, once{redis.NewCmd(ctx, "ping")})
	}
	return time.Since(begun)
}

// loadScripts makes the server know the scripts, which a cache otherwise sends once in full.
func loadScripts(t testing.TB, admin *redis.Client) {
	t.Helper()
	p := newPlace(t, admin, longLimit)
	for _, value := range []string{"small", strings.Repeat("x", largeBytes)} {
		p.write(t, value, "old")
		out := p.direct.Record(context.Background(), value, cacheaside.Entry[string]{Value: value}, p.observe(t, value))
		if out.Certainty != cacheaside.RecordApplied {
			t.Fatalf("replace: %v %v %v", out.Certainty, out.Reason, out.Err)
		}
	}
	if out := p.direct.Invalidate(context.Background(), "small"); out.Certainty != cacheaside.RecordApplied {
		t.Fatalf("invalidate: %v %v %v", out.Certainty, out.Reason, out.Err)
	}
}

// eventually waits, ten seconds at most, until something is so that no event tells.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	patience := time.After(10 * time.Second)
	for !so() {
		select {
		case <-tick.C:
		case <-patience:
			t.Fatalf("it never came to be that %s", what)
		}
	}
}

// wantFault checks the class of an error; 0 means that there must be none.
func wantFault(t testing.TB, err error, want redisadapter.Fault) {
	t.Helper()
	var failure *redisadapter.StoreError
	switch {
	case want == 0 && err != nil:
		t.Errorf("error %v", err)
	case want != 0 && (!errors.As(err, &failure) || failure.Fault != want):
		t.Errorf("error %v, want one of %v", err, want)
	}
}
