package redisadapter_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// grace is how much later than its limit a call may return on a busy machine. What the limits protect from is a second and more.
const grace = 700 * time.Millisecond

// within fails unless do returns at about limit: not much later.
func within(t testing.TB, what string, limit time.Duration, do func()) time.Duration {
	t.Helper()
	began := time.Now()
	do()
	took := time.Since(began)
	if took > limit+grace {
		t.Errorf("%s took %v, limit %v", what, took, limit)
	}
	return took
}

// trouble is a way in which a server does not answer, and what it must be called.
type trouble struct {
	addr  func(t *testing.T) string
	dial  func(ctx context.Context, network, addr string) (net.Conn, error)
	fault redisadapter.Fault
}

func troubles(t *testing.T) map[string]trouble {
	filled := make(chan struct{}) // the client goes on dialling after it is closed; this ends it
	t.Cleanup(func() { close(filled) })
	return map[string]trouble{
		"refused": {addr: func(t *testing.T) string { return unreachable(t).Options().Addr }},
		"accepted and never answered": {addr: func(t *testing.T) string {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = listener.Close() })
			return listener.Addr().String()
		}, fault: redisadapter.FaultTimeout},
		"dialled into a black hole": {
			addr: func(*testing.T) string { return "192.0.2.1:6379" },
			dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
				select {
				case <-ctx.Done():
				case <-filled:
				}
				return nil, &net.OpError{Op: "dial", Err: context.DeadlineExceeded}
			},
			fault: redisadapter.FaultTimeout,
		},
		"paused": {addr: func(t *testing.T) string {
			server := redistest.Start(t, redistest.Options{})
			server.Pause()
			t.Cleanup(server.Resume)
			return server.Addr()
		}, fault: redisadapter.FaultTimeout},
	}
}

// clients are those of a user who has read nothing and of one who has.
func clients(t *testing.T, addr string, dial func(context.Context, string, string) (net.Conn, error)) map[string]redis.UniversalClient {
	recommended := redistest.ClientOptions(addr)
	recommended.Dialer = dial
	return map[string]redis.UniversalClient{
		"untouched":   newClient(t, &redis.Options{Addr: addr, Dialer: dial}),
		"recommended": newClient(t, recommended),
		"cluster": closing(t, redis.NewClusterClient(&redis.ClusterOptions{
			Addrs: []string{addr}, Dialer: dial, ContextTimeoutEnabled: true,
			ClusterSlots: func(context.Context) ([]redis.ClusterSlot, error) {
				return []redis.ClusterSlot{{End: 16383, Nodes: []redis.ClusterNode{{Addr: addr}}}}, nil
			},
		})),
	}
}

func TestNoServerCostsMoreThanTheLimitsWhateverTheClient(t *testing.T) {
	for name, trouble := range troubles(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, client := range clients(t, trouble.addr(t), trouble.dial) {
				ctx := context.Background()
				lookups, records := open(t, client, base()), open(t, client, base())
				var got cacheaside.Lookup[string]
				within(t, kind+": a lookup", redisadapter.DefaultLookupTimeout, func() { got = lookups.Lookup(ctx, "k") })
				wantKind(t, got, cacheaside.LookupUnavailable)
				var failure *redisadapter.StoreError
				if !errors.As(got.Err, &failure) || trouble.fault != 0 && failure.Fault != trouble.fault {
					t.Errorf("%s: %v", kind, got.Err)
				}
				var out cacheaside.RecordOutcome
				within(t, kind+": a record", redisadapter.DefaultRecordTimeout, func() { out = records.Record(ctx, "k", value("v"), ifAbsent) })
				wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
				within(t, kind+": an invalidation", redisadapter.DefaultRecordTimeout, func() { out = records.Invalidate(ctx, "k") })
				wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
			}
		})
	}
}

func TestC96_TheCallersDeadlineBoundsACommandInFlight(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	for kind, client := range clients(t, server.Addr(), nil) {
		cfg := base()
		cfg.LookupTimeout = 3 * time.Second
		long := open(t, client, cfg)
		cfg.LookupTimeout = 200 * time.Millisecond
		short := open(t, client, cfg)
		wantKind(t, long.Lookup(context.Background(), "k"), cacheaside.LookupMiss) // the connection is made
		server.Pause()
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		var got cacheaside.Lookup[string]
		took := within(t, kind+": (a) a deadline of 50 ms", 50*time.Millisecond, func() { got = long.Lookup(ctx, "k") })
		cancel()
		wantKind(t, got, cacheaside.LookupUnavailable)
		if !errors.Is(got.Err, context.DeadlineExceeded) || took < 40*time.Millisecond {
			t.Errorf("%s: after %v: %v", kind, took, got.Err)
		}
		ctx, cancel = context.WithCancel(context.Background())
		stop := time.AfterFunc(50*time.Millisecond, cancel)
		within(t, kind+": (b) a cancel at 50 ms", cfg.LookupTimeout, func() { got = short.Lookup(ctx, "k") })
		stop.Stop()
		cancel()
		wantKind(t, got, cacheaside.LookupUnavailable)
		if !errors.Is(got.Err, context.Canceled) {
			t.Errorf("%s: %v", kind, got.Err)
		}
		took = within(t, kind+": (c) no deadline", cfg.LookupTimeout, func() { got = short.Lookup(context.Background(), "k") })
		wantKind(t, got, cacheaside.LookupUnavailable)
		if took < 180*time.Millisecond || errors.Is(got.Err, context.Canceled) {
			t.Errorf("%s: after %v: %v", kind, took, got.Err)
		}
		server.Resume()
	}
}

func TestC103_AFullPoolAndAClosedClientAreUnavailableAndNoMiss(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	ctx := context.Background()
	for name, poolTimeout := range map[string]time.Duration{"the pool's limit": 50 * time.Millisecond, "the lookup's limit": time.Minute} {
		options := server.ClientOptions()
		options.PoolSize, options.PoolTimeout, options.ReadTimeout = 1, poolTimeout, -1
		client := newClient(t, options)
		cfg := base()
		cfg.LookupTimeout = 300 * time.Millisecond
		c := open(t, client, cfg)
		seen := server.Monitor()
		popped := make(chan error, 1)
		go func() { popped <- client.BLPop(ctx, 0, "list").Err() }()
		seen.WaitForCommand("BLPOP", 1)
		for range 6 {
			var got cacheaside.Lookup[string]
			within(t, name, cfg.LookupTimeout, func() { got = c.Lookup(ctx, "k") })
			wantKind(t, got, cacheaside.LookupUnavailable)
			var failure *redisadapter.StoreError
			if !errors.Is(got.Err, redis.ErrPoolTimeout) || !errors.As(got.Err, &failure) || failure.Fault != redisadapter.FaultPoolWait {
				t.Fatalf("%s: %v", name, got.Err)
			}
		}
		server.Client().RPush(ctx, "list", "x")
		if err := <-popped; err != nil {
			t.Fatal(err)
		}
		wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupMiss) // pool waits open no breaker

		if err := client.Close(); err != nil {
			t.Fatal(err)
		}
		got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupUnavailable)
		if !errors.Is(got.Err, redis.ErrClosed) {
			t.Errorf("%s: %v", name, got.Err)
		}
		out := c.Record(ctx, "k", value("v"), ifAbsent)
		wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
		if !errors.Is(out.Err, redis.ErrClosed) {
			t.Errorf("%s: %v", name, out.Err)
		}
	}
}

func TestC103_ClosingTheClientUnderLookupsHangsNothing(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	proxy := redistest.StartProxy(t, server.Addr())
	client := newClient(t, redistest.ClientOptions(proxy.Addr()))
	c := open(t, client, base())
	proxy.Inject(redistest.Fault{Kind: redistest.Hold, Commands: []string{"GETRANGE"}})
	kinds := make(chan cacheaside.LookupKind, 50)
	for range cap(kinds) {
		go func() { kinds <- c.Lookup(context.Background(), "k").Kind }()
	}
	proxy.WaitForFault(redistest.Hold, 1)
	within(t, "Close", redisadapter.DefaultLookupTimeout, func() { _ = client.Close() })
	for range cap(kinds) {
		if kind := <-kinds; kind != cacheaside.LookupUnavailable {
			t.Errorf("lookup %v", kind)
		}
	}
}

func TestAContextThatIsDoneSendsNothing(t *testing.T) {
	server, client := started(t)
	c := open(t, client, base())
	seen := server.Monitor()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupUnavailable)
	out := c.Record(ctx, "k", value("v"), ifAbsent)
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
	if !errors.Is(got.Err, context.Canceled) || !errors.Is(out.Err, context.Canceled) {
		t.Errorf("errors %v, %v", got.Err, out.Err)
	}
	if sent := names(seen.Commands()); len(sent) != 0 {
		t.Errorf("sent %v", sent)
	}
}

// TestALookupHasItsTimeHoweverLongAgoOthersBegan lets lookups share a deadline, which callers who cannot cancel do, but not one that is nearly over.
func TestALookupHasItsTimeHoweverLongAgoOthersBegan(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	proxy := redistest.StartProxy(t, server.Addr())
	cfg := base()
	cfg.LookupTimeout = 1600 * time.Millisecond
	c := open(t, newClient(t, redistest.ClientOptions(proxy.Addr())), cfg)
	ctx := context.Background()
	wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupMiss)
	<-time.After(cfg.LookupTimeout * 9 / 10)
	proxy.Inject(redistest.Fault{Kind: redistest.Delay, Delay: cfg.LookupTimeout / 2})
	wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupMiss)
}
