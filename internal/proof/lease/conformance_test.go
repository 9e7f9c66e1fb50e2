package lease_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/leasetest"
	"github.com/cacheaside/resilience/redisadapter"
)

// loseOne loses the answer of one script.
func loseOne(proxy *redistest.Proxy) func() {
	return func() {
		proxy.Inject(redistest.Fault{Kind: redistest.SwallowAndClose, Commands: []string{"EVALSHA", "EVAL"}, Times: 1})
	}
}

// onVirtualTime is the store on a server whose clock the suite moves, so that instants are exact.
func onVirtualTime(t testing.TB, opt leasetest.Options) leasetest.Subject {
	t.Helper()
	server, err := miniredis.Run()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	now := time.Date(2030, 1, 2, 3, 4, 5, 6000, time.UTC)
	server.SetTime(now)
	cfg := config()
	cfg.MaxHold, cfg.UnverifiedServerAccepted = opt.MaxHold, true
	proxy := redistest.StartProxy(t, server.Addr())
	direct := via(t, server.Addr())
	return leasetest.Subject{
		Store:       openStore(t, via(t, proxy.Addr()), cfg),
		Second:      openStore(t, direct, cfg),
		StandsStill: true,
		Advance: func(d time.Duration) {
			now = now.Add(d)
			server.SetTime(now)
		},
		Skewed: func(off time.Duration) lease.Store {
			wrong := cfg
			wrong.Clock = skewed(off)
			return openStore(t, direct, wrong)
		},
		LoseAnswer: loseOne(proxy),
		Break:      func() { proxy.Inject(redistest.Fault{Kind: redistest.Refuse}) },
		Mortal:     func() []string { return mortals(t, direct, cfg) },
	}
}

func TestTheStoreOnRedisKeepsTheContractOfThePortToTheMicrosecond(t *testing.T) {
	leasetest.Run(t, onVirtualTime)
}

func TestEveryScheduleOnRedisKeepsTheRules(t *testing.T) {
	leasetest.RunExploration(t, onVirtualTime, 4, 20, 1)
}

// onServer is the store on a real server, whose leases are moved into the past instead of its clock ahead.
func onServer(process *redistest.Process) leasetest.NewSubject {
	return func(t testing.TB, opt leasetest.Options) leasetest.Subject {
		t.Helper()
		server := redistest.Attach(t, process)
		cfg := config()
		cfg.MaxHold, cfg.AcknowledgedWritesMayBeLost, cfg.ResumeAfterFailover = opt.MaxHold, false, true
		own := skewed(0)
		cfg.Clock = own
		proxy := redistest.StartProxy(t, server.Addr())
		direct := server.Client()
		first, second := openStore(t, via(t, proxy.Addr()), cfg), openStore(t, direct, cfg)
		return leasetest.Subject{
			Store: first, Second: second,
			Advance: func(d time.Duration) { age(t, direct, cfg, d) },
			Skewed: func(off time.Duration) lease.Store {
				wrong := cfg
				wrong.Clock = skewed(off)
				return openStore(t, direct, wrong)
			},
			LoseAnswer: loseOne(proxy),
			Break:      func() { proxy.Inject(redistest.Fault{Kind: redistest.Refuse}) },
			Mortal:     func() []string { return mortals(t, direct, cfg) },
			Crash: func() {
				server.Restart() // which kills it first
				wantStranger(t, first)
				wantStranger(t, second)
				own.advance(opt.MaxHold)
			},
			Press: func() {
				set(t, direct, "maxmemory-policy", "volatile-lru")
				press(t, direct)
			},
			OpenEvicting: func() error {
				set(t, direct, "maxmemory-policy", "allkeys-lru")
				set(t, direct, "maxmemory", "100mb")
				_, err := redisadapter.NewLeaseStore(context.Background(), direct, cfg)
				return err
			},
		}
	}
}

// wantStranger asks for a lease of a server that did not grant before.
func wantStranger(t testing.TB, store lease.Store) {
	t.Helper()
	_, err := store.Acquire(context.Background(), "nobody's", "a", lease.NewRequestID(), time.Second)
	var changed *redisadapter.IdentityChangedError
	if !errors.Is(err, lease.ErrNoDecision) || !errors.As(err, &changed) {
		t.Fatalf("a server that was started again answers %v, want no decision and an *IdentityChangedError", err)
	}
}

func TestTheStoreOnRedisKeepsTheContractOfThePort(t *testing.T) {
	redistest.Require(t)
	process, err := redistest.StartProcess(context.Background(), redistest.Options{AppendOnly: true, MaxMemoryPolicy: "noeviction"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := process.Stop(); err != nil {
			t.Error(err)
		}
	})
	leasetest.Run(t, onServer(process))
}

// set changes a setting until the test ends.
func set(t testing.TB, client *redis.Client, name, value string) {
	t.Helper()
	ctx := context.Background()
	before, err := client.ConfigGet(ctx, name).Result()
	if err != nil {
		t.Fatal(err)
	}
	if err := client.ConfigSet(ctx, name, value).Err(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.ConfigSet(ctx, name, before[name]).Err(); err != nil {
			t.Error(err)
		}
	})
}

// press gives a server little memory and fills it with keys that it may drop, until it has dropped many.
func press(t testing.TB, client *redis.Client) {
	t.Helper()
	ctx := context.Background()
	used := infoNumber(t, client, "used_memory")
	set(t, client, "maxmemory", fmt.Sprint(used+2<<20))
	filler := strings.Repeat("x", 32<<10)
	before := infoNumber(t, client, "evicted_keys")
	var names []string
	for i := 0; infoNumber(t, client, "evicted_keys") < before+50; i++ {
		if i == 2000 {
			t.Fatal("nothing is evicted")
		}
		names = append(names, fmt.Sprint("filler:", i))
		if err := client.Set(ctx, names[i], filler, time.Hour).Err(); err != nil && !strings.HasPrefix(err.Error(), "OOM ") {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := client.Unlink(ctx, names...).Err(); err != nil {
			t.Error(err)
		}
	})
}

func infoNumber(t testing.TB, client *redis.Client, name string) (n int) {
	t.Helper()
	text, err := client.Info(context.Background()).Result()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			if _, err := fmt.Sscan(value, &n); err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("INFO has no %s", name)
	return 0
}
