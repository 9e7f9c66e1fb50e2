package redisadapter_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

var errSource = errors.New("the source is down")

// region is a region of strings over a cache of its own on the client, under the strict policy or what change makes of it.
func region(t testing.TB, client redis.UniversalClient, cfg config, change ...func(*cacheaside.RegionConfig[string, string])) *cacheaside.Region[string, string] {
	t.Helper()
	return regionOver(t, open(t, client, cfg), cfg, change...)
}

func regionOver(t testing.TB, cache *redisadapter.Cache[string, string], cfg config, change ...func(*cacheaside.RegionConfig[string, string])) *cacheaside.Region[string, string] {
	t.Helper()
	of := cacheaside.RegionConfig[string, string]{Name: cfg.Region, Cache: cache, Policy: cacheaside.StrictPolicy(), Clock: cfg.Clock}
	// A busy machine must not decide a test that is not about time.
	of.Policy.AdmissionWait, of.Policy.LoadDeadline, of.Policy.RecordWait = 10*time.Second, 10*time.Second, 10*time.Second
	for _, f := range change {
		f(&of)
	}
	r, err := cacheaside.NewRegion(of)
	if err != nil {
		t.Fatalf("NewRegion: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := r.Close(ctx); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return r
}

func withPolicy(change func(*cacheaside.Policy)) func(*cacheaside.RegionConfig[string, string]) {
	return func(cfg *cacheaside.RegionConfig[string, string]) { change(&cfg.Policy) }
}

type loader = cacheaside.Loader[string, string]

// source counts its calls and answers always the same.
type source struct {
	calls atomic.Int64
	out   cacheaside.SourceOutcome[string]
}

func newSource(out cacheaside.SourceOutcome[string]) *source { return &source{out: out} }

func (s *source) load(context.Context, string) cacheaside.SourceOutcome[string] {
	s.calls.Add(1)
	return s.out
}

func (s *source) wantCalls(t testing.TB, want int64) {
	t.Helper()
	if got := s.calls.Load(); got != want {
		t.Fatalf("%d source calls, want %d", got, want)
	}
}

func loads(v string) cacheaside.SourceOutcome[string] { return cacheaside.Loaded(v, "") }

func fails() cacheaside.SourceOutcome[string] {
	return cacheaside.TransientFailure[string]("down", errSource)
}

func notCalled(t testing.TB) loader {
	return func(context.Context, string) cacheaside.SourceOutcome[string] {
		t.Error("the source was called")
		return cacheaside.PermanentFailure[string]("unexpected", nil)
	}
}

// read is one Get that must end in the given status with the given value.
func read(t testing.TB, r *cacheaside.Region[string, string], key string, load loader, status cacheaside.Status, want string) cacheaside.Result[string] {
	t.Helper()
	result, err := cacheaside.Get(context.Background(), r, key, load)
	usable := status == cacheaside.StatusFresh || status == cacheaside.StatusLoaded || status == cacheaside.StatusStale
	if result.Status != status || result.Value != want || usable != (err == nil) {
		t.Fatalf("got %v %q, %v (record %v %v %v); want %v %q",
			result.Status, result.Value, err, result.Record.Certainty, result.Record.Reason, result.Record.Err, status, want)
	}
	return result
}

func invalidate(t testing.TB, r *cacheaside.Region[string, string], key string) {
	t.Helper()
	if err := cacheaside.Invalidate(context.Background(), r, key); err != nil {
		t.Fatalf("Invalidate: %v", err)
	}
}

// forbidden are the commands that a cache may never send to an entry.
var forbidden = []string{"DEL", "UNLINK", "GETDEL", "EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT", "PERSIST", "GETEX"}

// wantOnly checks what clients sent, in order and without the commands of a handshake, and that no forbidden command came from anywhere.
func wantOnly(t testing.TB, seen *redistest.Monitor, want ...string) {
	t.Helper()
	var got []string
	for _, command := range seen.Commands() {
		if slices.Contains(forbidden, command.Name()) {
			t.Errorf("sent or ran %s", command.Name())
		}
		switch command.Name() {
		case "HELLO", "CLIENT", "AUTH", "SELECT", "PING", "COMMAND":
		default:
			if !command.InScript() {
				got = append(got, command.Name())
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("sent %q, want %q", got, want)
	}
}

// waitFor waits, ten seconds at most, until something is so that no event tells.
func waitFor(t testing.TB, so func() bool) error {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(10 * time.Second)
	for !so() {
		select {
		case <-tick.C:
		case <-deadline:
			return errors.New("what was waited for did not come")
		}
	}
	return nil
}

// through is a client of the proxy with narrow time limits of its own, or with the library's defaults untouched.
func through(t testing.TB, proxy *redistest.Proxy, untouched bool) *redis.Client {
	t.Helper()
	options := redistest.ClientOptions(proxy.Addr())
	if untouched {
		options = &redis.Options{Addr: proxy.Addr()}
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func clientWith(t testing.TB, options *redis.Options) *redis.Client {
	t.Helper()
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// blocked tells whether some client waits in a blocking command.
func blocked(t testing.TB, client *redis.Client) bool {
	t.Helper()
	return strings.Contains(client.Info(context.Background(), "clients").Val(), "blocked_clients:1")
}
