package redisadapter_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestAFreshHitIsExactlyOneGetrange(t *testing.T) {
	server, client := started(t)
	r := region(t, client, patient(base()))
	read(t, r, "key", newSource(loads("value")).load, cacheaside.StatusLoaded, "value")
	seen := server.Monitor()
	before := runtime.NumGoroutine()
	for range 10 {
		read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "value")
	}
	if now := runtime.NumGoroutine(); now > before {
		t.Errorf("%d goroutines before the hits, %d after", before, now)
	}
	wantOnly(t, seen, repeat("GETRANGE", 10)...)
}

func TestANegativeHitIsExactlyOneGetrange(t *testing.T) {
	server, client := started(t)
	r := region(t, client, patient(base()))
	read(t, r, "key", newSource(cacheaside.AuthoritativeAbsent[string]("gone", "")).load, cacheaside.StatusAbsent, "")
	seen := server.Monitor()
	read(t, r, "key", notCalled(t), cacheaside.StatusNegativeHit, "")
	wantOnly(t, seen, "GETRANGE")
}

func TestAMissIsOneGetrangeAndOneSet(t *testing.T) {
	server, client := started(t)
	r := region(t, client, patient(base()))
	seen := server.Monitor()
	result := read(t, r, "key", newSource(loads("value")).load, cacheaside.StatusLoaded, "value")
	wantOnly(t, seen, "GETRANGE", "SET")
	if result.Record.Certainty != cacheaside.RecordApplied || result.HardExpiresAt.IsZero() {
		t.Fatalf("recorded %+v", result.Record)
	}
}

func TestAStaleRefreshIsOneGetrangeAndOneScriptThatReadsTheDigestOnly(t *testing.T) {
	server, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock = mock
	r := region(t, client, cfg)
	read(t, r, "key", newSource(loads("v1")).load, cacheaside.StatusLoaded, "v1")
	invalidate(t, r, "other") // so that the server knows the scripts of an earlier call
	mock.Add(15 * time.Second)
	read(t, r, "key", newSource(loads("v2")).load, cacheaside.StatusLoaded, "v2")
	mock.Add(15 * time.Second)
	seen := server.Monitor()
	read(t, r, "key", newSource(loads("v3")).load, cacheaside.StatusLoaded, "v3")
	wantOnly(t, seen, "GETRANGE", "EVALSHA")
	if seen.CountInScripts("GETRANGE") != 1 || seen.CountInScripts("SET") != 1 {
		t.Errorf("the script ran %d GETRANGE and %d SET", seen.CountInScripts("GETRANGE"), seen.CountInScripts("SET"))
	}
}

func TestC31_NoFailureOfTheSourceTouchesTheEntry(t *testing.T) {
	server, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock = mock
	r := region(t, client, cfg)
	read(t, r, "key", newSource(loads("old")).load, cacheaside.StatusLoaded, "old")
	physical := onlyKey(t, client)
	raw := bytesAt(t, client, physical)
	mock.Add(15 * time.Second)
	seen := server.Monitor()
	calls := 0
	for _, out := range []cacheaside.SourceOutcome[string]{
		fails(), cacheaside.PermanentFailure[string]("denied", errSource), cacheaside.Unclassified[string](errSource), {},
	} {
		_, _ = cacheaside.Get(context.Background(), r, "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
			calls++
			return out
		})
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the loader's panic did not reach its caller")
			}
		}()
		_, _ = cacheaside.Get(context.Background(), r, "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
			calls++
			panic("boom")
		})
	}()
	wantOnly(t, seen, repeat("GETRANGE", 5)...)
	if calls != 5 || bytesAt(t, client, physical) != raw {
		t.Fatalf("%d loads for 5 calls; the entry changed: %v", calls, bytesAt(t, client, physical) != raw)
	}
	if left := client.PTTL(context.Background(), physical).Val(); left <= 50*time.Second {
		t.Fatalf("%v left", left)
	}
}

func TestNothingThatAnOperatorSeesHoldsAKeyTextOrAPayloadInAName(t *testing.T) {
	server, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock = mock
	r := region(t, client, cfg)
	seen := server.Monitor()
	read(t, r, "SECRETKEY", newSource(loads("v1")).load, cacheaside.StatusLoaded, "v1")
	mock.Add(15 * time.Second)
	read(t, r, "SECRETKEY", newSource(loads("v2")).load, cacheaside.StatusLoaded, "v2")
	invalidate(t, r, "SECRETKEY")
	read(t, r, "SECRETKEY", newSource(loads("v3")).load, cacheaside.StatusLoaded, "v3")
	commands := seen.Commands()
	if len(commands) < 7 {
		t.Fatalf("only %d commands were seen", len(commands))
	}
	for _, command := range commands {
		for _, arg := range command.Args {
			if strings.Contains(arg, "SECRETKEY") || strings.Contains(arg, string(cfg.Secret)) {
				t.Errorf("%s shows a key text or the secret", command.Name())
			}
		}
	}
}

func repeat(name string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = name
	}
	return names
}
