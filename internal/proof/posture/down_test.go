package posture_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// everythingAccepted has all opt-outs.
func everythingAccepted() redisadapter.Needs {
	needs := leases()
	needs.AcknowledgedWritesMayBeLost, needs.UnverifiedServerAccepted, needs.ResumeAfterFailover = true, true, true
	return needs
}

func TestC144_AServerThatIsDownStartsTheCacheAndNoLeases(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, durable())
	client := server.Client()
	server.Kill()

	posture := mustFind(t, client, redisadapter.Needs{}, nil, []string{"unverifiable server"})
	if text := posture.Report().String(); !strings.Contains(text, "posture unknown") || !strings.Contains(text, "unreachable") {
		t.Errorf("%q does not say that the posture is unknown, since the server is unreachable", text)
	}
	cache, err := redisadapter.New(client, redisadapter.Config[string, string]{
		Namespace: "proof", Region: "posture", Secret: bytes.Repeat([]byte("s"), 32),
		TTL: redisadapter.TTLPolicy{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute},
	})
	if err != nil {
		t.Fatalf("the cache does not start: %v", err)
	}
	defer cache.Close()
	if found := cache.Lookup(t.Context(), "key"); found.Kind != cacheaside.LookupUnavailable {
		t.Errorf("a lookup is %v, want unavailable", found.Kind)
	}

	for _, needs := range []redisadapter.Needs{leases(), everythingAccepted(), {Queue: true, UnverifiedServerAccepted: true}} {
		mustFind(t, client, needs, []string{"unverifiable server"}, nil)
	}
	mustFind(t, client, redisadapter.Needs{Slots: true}, nil, []string{"unverifiable server"})
	_, err = redisadapter.Preflight(t.Context(), client, everythingAccepted())
	var unverifiable *redisadapter.UnverifiableError
	var dial *net.OpError
	if !errors.As(err, &unverifiable) || !unverifiable.Unreachable || !errors.As(err, &dial) {
		t.Errorf("%v does not tell that the server was not reached, and why", err)
	}
}

func TestAServerThatIsNotReadyHasPassedNothing(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{"LOADING x", "NOAUTH x", "MASTERDOWN x", "BUSY x", "ERR max number of clients reached"} {
		t.Run(reply, func(t *testing.T) {
			t.Parallel()
			stub := odd{info: redistest.Error(reply)}.start(t)
			client := clientOf(t, redistest.ClientOptions(stub.Addr()))
			mustFind(t, client, everythingAccepted(), []string{"unverifiable server"}, nil)
			mustFind(t, client, redisadapter.Needs{}, nil, []string{"unverifiable server"})
		})
	}
}

func TestAWrongPasswordIsNotRepeated(t *testing.T) {
	t.Parallel()
	options := durable()
	options.Password = "right"
	server := redistest.Start(t, options)
	wrong := server.ClientOptions()
	wrong.Username, wrong.Password = "default", password
	posture := mustFind(t, clientOf(t, wrong), everythingAccepted(), []string{"unverifiable server"}, nil)
	if text := posture.Report().String(); strings.Contains(text, password) || strings.Contains(text, "right") {
		t.Errorf("holds a password: %s", text)
	}
}

// TestAServerThatIsSilentIsGivenUpInTime: neither a context nor the client's own options have to end it.
func TestAServerThatIsSilentIsGivenUpInTime(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, durable())
	options := server.ClientOptions()
	options.ContextTimeoutEnabled, options.ReadTimeout = false, time.Hour
	client := clientOf(t, options)
	server.Pause()
	defer server.Resume()
	needs := everythingAccepted()
	needs.Timeout = 50 * time.Millisecond
	mustFind(t, client, needs, []string{"unverifiable server"}, nil)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := redisadapter.Preflight(ctx, client, leases()); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that has left gets %v", err)
	}
}

func TestEachQuestionIsAskedOnceWhateverRetriesTheClientHas(t *testing.T) {
	t.Parallel()
	stub := redistest.StartStub(t, func(args [][]byte) []byte {
		if strings.EqualFold(string(args[0]), "info") {
			return nil
		}
		return redistest.Status("OK")
	})
	client := clientOf(t, &redis.Options{Addr: stub.Addr()})
	mustFind(t, client, leases(), []string{"unverifiable server"}, nil)
	if asked := stub.Count("INFO"); asked != 1 {
		t.Errorf("asked %d times, want once", asked)
	}
	if stub.Count("CONFIG")+stub.Count("EVALSHA") != 0 {
		t.Errorf("asked further after no answer: %v", stub.Counts())
	}

	sentinel := odd{info: changed("standalone", "sentinel")}.start(t)
	mustFind(t, clientOf(t, redistest.ClientOptions(sentinel.Addr())), leases(), []string{"deployment redis_mode"}, nil)
	if sentinel.Count("CONFIG")+sentinel.Count("EVALSHA") != 0 {
		t.Errorf("a sentinel was asked further: %v", sentinel.Counts())
	}
}

func TestNeedsThatMakeNoSenseAreNamed(t *testing.T) {
	t.Parallel()
	client := clientOf(t, redistest.ClientOptions("127.0.0.1:1"))
	tests := map[string]struct {
		client redis.UniversalClient
		needs  redisadapter.Needs
	}{
		"client":        {nil, redisadapter.Needs{}},
		"Needs.MaxHold": {client, redisadapter.Needs{ResumeAfterFailover: true}},
		"Needs.Timeout": {client, redisadapter.Needs{Timeout: time.Hour}},
		"Needs.Known":   {client, redisadapter.Needs{Known: []redisadapter.Identity{"somebody"}}},
	}
	for field, test := range tests {
		posture, err := redisadapter.Preflight(t.Context(), test.client, test.needs)
		var fault *cacheaside.FieldError
		if posture != nil || !errors.As(err, &fault) || fault.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
