package servers_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

const password = "a-password-that-no-text-may-hold"

// TestOverTLSEveryOperationWorksWithAServerWhoseCertificateIsTrusted also breaks the connections, so that handshakes happen under traffic.
func TestOverTLSEveryOperationWorksWithAServerWhoseCertificateIsTrusted(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{Authority: redistest.NewAuthority(t), Password: password})
	admin := server.Client()
	tr := newTrial(t, server.Client(), setup{})
	tr.start()
	for range rounds(t, 1) {
		tr.await("mutations", 30, named("applied"))
		if err := admin.Do(t.Context(), "client", "kill", "type", "normal", "skipme", "yes").Err(); err != nil {
			t.Fatal(err)
		}
	}
	tr.await("mutations", 30, named("applied"))
	tr.conclude(t.Context())
	tr.sweep(t.Context(), admin)
}

// TestAfterARestartOverTLSNoDeadConnectionKeepsTheCacheAway has a pool full of connections that the restart killed. The client finds that out of each by
// its first use alone, and the breaker asks once a second.
func TestAfterARestartOverTLSNoDeadConnectionKeepsTheCacheAway(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{Authority: redistest.NewAuthority(t)})
	client := server.Client()
	breaker := new(redisadapter.Breaker)
	t.Cleanup(func() { _ = breaker.Close() })
	now := clock.NewMock()
	cfg := cacheConfig(bookRegion, life, 10*time.Second, breaker)
	cfg.Clock = now
	cache := openCache(t, client, cfg)
	connect(t.Context(), client, 15)
	if idle := client.PoolStats().IdleConns; idle < 10 {
		t.Fatalf("%d connections to lose, want more", idle)
	}
	server.Restart()
	var found cacheaside.Lookup[string]
	for range 10 {
		if found = cache.Lookup(t.Context(), "key"); errors.Is(found.Err, redisadapter.ErrBreakerOpen) {
			break
		}
	}
	if !errors.Is(found.Err, redisadapter.ErrBreakerOpen) {
		t.Fatalf("the breaker is not open: %v", describeLookup(found))
	}
	now.Add(time.Second) // one probe, and no other
	eventually(t, "one probe brings the cache back", func() bool {
		return cache.Lookup(t.Context(), "key").Kind != cacheaside.LookupUnavailable
	})
}

// TestAServerWhoseCertificateIsNotTrustedIsUnavailableAndNoSecretIsTold opens its clients by URLs, whose trust is that of the system, and by options.
func TestAServerWhoseCertificateIsNotTrustedIsUnavailableAndNoSecretIsTold(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{Authority: redistest.NewAuthority(t), Password: password})
	byURL, err := redisadapter.OpenClient(server.URL() + "?dial_timeout=10s") // a busy machine must not end the handshake first
	if err != nil {
		t.Fatal(err)
	}
	options := server.ClientOptions()
	options.TLSConfig = redistest.NewAuthority(t).ClientConfig()
	elsewhere := server.ClientOptions()
	elsewhere.TLSConfig.ServerName = "another.example" // a certificate that is trusted, of somebody else
	ctx := t.Context()
	for name, client := range map[string]redis.UniversalClient{
		"by URL": byURL, "another authority": redis.NewClient(options), "another name": redis.NewClient(elsewhere),
	} {
		t.Cleanup(func() { _ = client.Close() })
		breaker := new(redisadapter.Breaker)
		t.Cleanup(func() { _ = breaker.Close() })
		cache := openCache(t, client, cacheConfig(bookRegion, life, 10*time.Second, breaker))
		found := cache.Lookup(ctx, "key")
		if found.Kind != cacheaside.LookupUnavailable {
			t.Errorf("%s: %v", name, describeLookup(found))
		}
		var distrust *tls.CertificateVerificationError
		var failure *redisadapter.StoreError
		if !errors.As(found.Err, &failure) || failure.Fault != redisadapter.FaultDial {
			t.Errorf("%s: %v, want a failed dial", name, found.Err)
		}
		if !errors.As(found.Err, &distrust) {
			t.Errorf("%s: nothing in the chain of %v tells of the certificate", name, found.Err)
		}
		out := cache.Record(ctx, "key", entryOf("key", 1), cacheaside.Condition{})
		buried := cache.Invalidate(ctx, "key")
		for what, outcome := range map[string]cacheaside.RecordOutcome{"record": out, "invalidation": buried} {
			if outcome.Certainty != cacheaside.RecordNotApplied || outcome.Reason != cacheaside.RecordNeverSent {
				t.Errorf("%s: %s: %v", name, what, describeOutcome(outcome))
			}
		}
		for _, err := range []error{found.Err, out.Err, buried.Err} {
			if text := err.Error(); strings.Contains(text, password) || strings.Contains(text, "key") || strings.Contains(text, secret) {
				t.Errorf("%s: an error tells too much: %s", name, text)
			}
			if !withoutSecrets(err) {
				t.Errorf("%s: an error in the chain of %v tells the password", name, err)
			}
		}
		var host x509.HostnameError
		if name == "another name" && !errors.As(found.Err, &host) {
			t.Errorf("%s: %v", name, found.Err)
		}
	}
}

// withoutSecrets looks through the whole chain.
func withoutSecrets(err error) bool {
	if err == nil {
		return true
	}
	if text := err.Error(); strings.Contains(text, password) || strings.Contains(text, secret) {
		return false
	}
	switch e := err.(type) { //nolint:errorlint // a walk over the tree itself
	case interface{ Unwrap() error }:
		return withoutSecrets(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			if !withoutSecrets(inner) {
				return false
			}
		}
	}
	return true
}
