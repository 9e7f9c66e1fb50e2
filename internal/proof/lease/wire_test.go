package lease_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/lease"
)

// everything calls every operation in every state that a key can be in.
func everything(t *testing.T, store lease.Store, age func(time.Duration)) {
	t.Helper()
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"released", "expired", "renewed"} {
		key := "readable-" + path
		granted := take(t, store, key, "a", time.Minute)
		wantHeld(t, store, key, "a")
		_, err := store.Renew(ctx, key, granted.Token, time.Minute)
		must(err)
		_, err = store.Renew(ctx, key, granted.Token+1, time.Minute)
		must(err)
		if path != "expired" {
			release(t, store, key, granted.Token, lease.NotLost)
		}
		age(time.Minute)
		_, err = store.Renew(ctx, key, granted.Token, time.Minute)
		must(err)
		_, err = store.Release(ctx, key, granted.Token)
		must(err)
		_, err = store.Inspect(ctx, key)
		must(err)
		take(t, store, key, "b", time.Minute)
	}
	_, err := store.Inspect(ctx, "readable-nobody's")
	must(err)
}

func TestNothingThatIsSentSetsALifeOrDeletes(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	cfg := config()
	store := openStore(t, server.Client(), cfg)
	aging := server.Client()
	everything(t, store, func(d time.Duration) { age(t, aging, cfg, d) })
	monitor := server.Monitor()
	everything(t, store, func(d time.Duration) { age(t, aging, cfg, d+time.Minute) })
	monitor.Sync()

	allowed := []string{"EVALSHA", "INFO", "TIME", "HMGET", "HLEN", "HSET"}
	aged := []string{"EVALSHA", "EVAL", "KEYS", "HGET", "HINCRBY"}
	seen := map[string]int{}
	for _, command := range monitor.Commands() {
		seen[command.Name()]++
		if !slices.Contains(allowed, command.Name()) && !slices.Contains(aged, command.Name()) && !slices.Contains([]string{"HELLO", "CLIENT", "PING"}, command.Name()) {
			t.Errorf("sent: %v", command.Args)
		}
		if text := strings.Join(command.Args, " "); strings.Contains(text, "readable") {
			t.Errorf("a key is readable in %q", text)
		}
	}
	for _, name := range allowed {
		if seen[name] == 0 {
			t.Errorf("no %s was seen: %v", name, seen)
		}
	}
	if names := mortals(t, aging, cfg); len(names) > 0 {
		t.Errorf("the server will delete %q", names)
	}
	shape := regexp.MustCompile(`^proof:` + cfg.Region + `:-:\{[A-Za-z0-9_-]{22}\}:l$`)
	keys := keysOf(t, aging, cfg)
	for _, key := range keys {
		if !shape.MatchString(key) {
			t.Errorf("the key %q", key)
		}
	}
	if len(keys) != 3 {
		t.Errorf("%d keys, want 3", len(keys))
	}
}

func TestEachOperationIsOneCommandSentOnce(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	proxy := redistest.StartProxy(t, server.Addr())
	store := openStore(t, via(t, proxy.Addr()), config())
	release(t, store, "warm", take(t, store, "warm", "a", time.Minute).Token, lease.NotLost)
	if _, err := store.Renew(context.Background(), "warm", 1, time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Inspect(context.Background(), "warm"); err != nil {
		t.Fatal(err)
	}
	for _, lost := range []bool{false, true} {
		ctx := context.Background()
		granted := take(t, store, "k", "a", time.Minute)
		for name, call := range map[string]func() error{
			"acquire": func() error {
				_, err := store.Acquire(ctx, "j", "a", lease.NewRequestID(), time.Minute)
				return err
			},
			"renew":   func() error { _, err := store.Renew(ctx, "k", granted.Token, time.Minute); return err },
			"inspect": func() error { _, err := store.Inspect(ctx, "k"); return err },
		} {
			before := proxy.Counts()
			if lost {
				loseOne(proxy)()
			}
			err := call()
			if lost == (err == nil) {
				t.Errorf("%s with its answer lost %t: %v", name, lost, err)
			}
			after := proxy.Counts()
			if after["EVALSHA"] != before["EVALSHA"]+1 || after["EVAL"] != before["EVAL"] {
				t.Errorf("%s with its answer lost %t is sent %d and %d times", name, lost, after["EVALSHA"]-before["EVALSHA"], after["EVAL"]-before["EVAL"])
			}
			if _, err := store.Inspect(ctx, "k"); err != nil { // so that the breaker sees the server alive
				t.Fatal(err)
			}
		}
		release(t, store, "k", granted.Token, lease.NotLost)
	}
}

// TestAnAnswerThatNoScriptGivesIsNotBelieved has something in between that answers for the server.
func TestAnAnswerThatNoScriptGivesIsNotBelieved(t *testing.T) {
	var reply []byte
	stub := redistest.StartStub(t, func(args [][]byte) []byte {
		switch strings.ToUpper(string(args[0])) {
		case "INFO", "CONFIG":
			return redistest.Error("NOPERM")
		case "EVALSHA":
			if string(args[2]) == "0" {
				return redistest.Bulk("1893553445 6 -") // what the preflight asks for
			}
		}
		return reply
	})
	cfg := config()
	cfg.UnverifiedServerAccepted = true
	store := openStore(t, via(t, stub.Addr()), cfg)
	ctx := context.Background()
	for _, text := range []string{
		"", "1", "1 ", "2", "5", "OK", "1 5", "1 0 9 8", "1 5 8 8", "1 5 8 9", "1 -5 9 8", "1 9007199254740992 9 8", "1 5 9 8 7", "1 5 9", "1 x 9 8", "2 0 a",
		"2 -1 a", "2 x a", "2 5 " + strings.Repeat("o", lease.MaxOwnerBytes+1), "1 5 0 a", "10 5 9 8", " 1 5 9 8",
	} {
		reply = redistest.Bulk(text)
		_, err := store.Acquire(ctx, "k", "a", lease.NewRequestID(), time.Minute)
		if !errors.Is(err, lease.ErrIndeterminate) {
			t.Errorf("acquire answered %q: %v, want indeterminate", text, err)
		}
		if text == "2" || text == "1" || text == "1 5 9" || text == "1 5" {
			continue // what another operation may well be answered
		}
		if _, err := store.Renew(ctx, "k", 5, time.Minute); !errors.Is(err, lease.ErrIndeterminate) && text != "1 5 9" {
			t.Errorf("renew answered %q: %v, want indeterminate", text, err)
		}
		if _, err := store.Release(ctx, "k", 5); !errors.Is(err, lease.ErrIndeterminate) {
			t.Errorf("release answered %q: %v, want indeterminate", text, err)
		}
	}
	for _, text := range []string{"", "1 5 0 a", "1 0 5 a", "2 x", "2 -1", "3", "1 5 5"} {
		reply = redistest.Bulk(text)
		if seen, err := store.Inspect(ctx, "k"); !errors.Is(err, lease.ErrNoDecision) {
			t.Errorf("inspect answered %q: %+v, %v, want no decision", text, seen, err)
		}
	}
	for text, want := range map[string]error{
		"LOADING x": lease.ErrNoDecision, "OOM x": lease.ErrNoDecision, "READONLY x": lease.ErrNoDecision, "NOPERM x": lease.ErrNoDecision,
		"whatever": lease.ErrIndeterminate,
	} {
		reply = redistest.Error(text)
		if _, err := store.Renew(ctx, "k", 5, time.Minute); !errors.Is(err, want) {
			t.Errorf("renew refused with %q: %v, want %v", text, err, want)
		}
	}
}
