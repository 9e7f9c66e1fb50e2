package redisstore_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAPlainStoreKeepsEntriesAndLocks(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	space := redisstore.New(server.URL())
	var sent atomic.Int64
	store, err := space.OpenPlain(func() { sent.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ctx := t.Context()
	if _, found, err := store.Get(ctx, 7); found || err != nil {
		t.Errorf("an empty store: %t, %v", found, err)
	}
	want := contender.Entry{Row: contender.Row{Version: 3, ReadAt: 42, Body: []byte("body")}, Cost: time.Second, ExpiresAt: time.UnixMilli(1e12)}
	if err := store.Set(ctx, 7, want, time.Minute); err != nil {
		t.Fatal(err)
	}
	got, found, err := store.Get(ctx, 7)
	if err != nil || !found || got.Row.Version != 3 || got.Row.ReadAt != 42 || !bytes.Equal(got.Row.Body, want.Row.Body) ||
		got.Cost != want.Cost || !got.ExpiresAt.Equal(want.ExpiresAt) {
		t.Errorf("got %+v, %t, %v; want %+v", got, found, err, want)
	}
	if err := store.Delete(ctx, 7); err != nil {
		t.Fatal(err)
	}
	for turn, want := range []bool{true, false} {
		if held, err := store.Lock(ctx, 7, time.Minute); held != want || err != nil {
			t.Errorf("lock %d: %t, %v; want %t", turn, held, err, want)
		}
	}
	if err := store.Unlock(ctx, 7); err != nil {
		t.Fatal(err)
	}
	if held, err := store.Lock(ctx, 7, time.Minute); !held || err != nil {
		t.Errorf("a lock that was given back: %t, %v", held, err)
	}
	if sent.Load() != 8 {
		t.Errorf("%d commands are counted, want 8", sent.Load())
	}
}

func TestALibraryCacheIsSharedByTheProcessesOfASpaceAndCounted(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	space := redisstore.New(server.URL())
	ttl := contender.TTL{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute}
	var sent atomic.Int64
	var caches []*redisstore.Library
	for range 2 {
		cache, err := space.OpenLibrary(ttl, false, func() { sent.Add(1) })
		if err != nil {
			t.Fatal(err)
		}
		defer cache.Close()
		caches = append(caches, cache)
	}
	outcome := caches[0].Record(t.Context(), 5, cacheaside.Entry[contender.Row]{Value: contender.Row{Version: 9}}, cacheaside.Condition{})
	if outcome.Certainty != cacheaside.RecordApplied {
		t.Fatalf("recorded: %+v", outcome)
	}
	if got := caches[1].Lookup(t.Context(), 5); got.Kind != cacheaside.LookupFresh || got.Value.Version != 9 {
		t.Errorf("the other process finds %+v", got)
	}
	if sent.Load() != 2 {
		t.Errorf("%d commands are counted, want 2", sent.Load())
	}
}

func TestASweepTakesTheKeysOfItsSpaceOnly(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	space := redisstore.New(server.URL())
	ctx := t.Context()
	for _, key := range []string{"user:1", "stampede-0:row:1", space.Namespace + "x:row:1"} {
		if err := client.Set(ctx, key, "theirs", 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for range 2500 {
		store := client.Set(ctx, space.Namespace+":row:"+string(redisstore.New("").Secret), "ours", 0)
		if err := store.Err(); err != nil {
			t.Fatal(err)
		}
	}
	deleted, err := space.Sweep(ctx)
	if err != nil || deleted != 2500 {
		t.Errorf("%d keys are deleted, %v; want 2500", deleted, err)
	}
	if left := client.DBSize(ctx).Val(); left != 3 {
		t.Errorf("%d keys are left, want the 3 of others", left)
	}
}

func TestACheckLeavesNothingAndTellsTheServersVersion(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{Password: "open sesame"})
	if err := redisstore.Check(t.Context(), server.URL()); err != nil {
		t.Error(err)
	}
	if left := server.Client().DBSize(t.Context()).Val(); left != 0 {
		t.Errorf("%d keys are left", left)
	}
	version := redisstore.Version(t.Context(), server.URL())
	if name, number, _ := strings.Cut(version, " "); name != "redis" && name != "valkey" || !strings.Contains(number, ".") {
		t.Errorf("the version is %q", version)
	}
	if version := redisstore.Version(t.Context(), "redis://:wrong@"+server.Addr()); version != "redis of unknown version" {
		t.Errorf("the version that a stranger is told is %q", version)
	}
}

func TestNoErrorHoldsThePassword(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{Password: "right"})
	unused, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := unused.Addr().String()
	_ = unused.Close()
	for name, test := range map[string]struct {
		url         string
		unreachable bool
	}{
		"nobody listens":   {"redis://user:hunter2@" + nobody + "/0", true},
		"wrong password":   {"redis://:hunter2@" + server.Addr() + "/0", true},
		"no URL":           {"redis://:hunter2@[::1", false},
		"another protocol": {"http://:hunter2@127.0.0.1", false},
		"no database":      {"redis://:hunter2@127.0.0.1/hunter2", false},
		"a cluster":        {"redis://:hunter2@127.0.0.1:1?addr=127.0.0.1:2", false},
		"sentinels":        {"redis://:hunter2@127.0.0.1:1?master_name=hunter2", false},
	} {
		err := redisstore.Check(t.Context(), test.url)
		var unreachable *redisstore.UnreachableError
		switch {
		case err == nil:
			t.Errorf("%s: no error", name)
		case strings.Contains(err.Error(), "hunter2"), strings.Contains(err.Error(), "\n"):
			t.Errorf("%s: %q holds the password or has several lines", name, err)
		case errors.As(err, &unreachable) != test.unreachable:
			t.Errorf("%s: %T %v, unreachable must be %t", name, err, err, test.unreachable)
		}
	}
}

func TestACheckEndsWithItsContext(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := redisstore.Check(ctx, server.URL()); !errors.Is(err, context.Canceled) {
		t.Errorf("the check gives %v", err)
	}
}
